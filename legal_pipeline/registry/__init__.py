"""What is known of the documents and where their tables are kept: PostgreSQL, its migrations, the manifests, and the warehouse of files.

Not here: vectors (`stores`) and what stands in a document (`model`).
"""
