"""The state of documents, and the storage of their tables: PostgreSQL, its migrations, the manifests, and the warehouse of files.

Not here: vectors (`stores`) and the content of documents (`model`).
"""
