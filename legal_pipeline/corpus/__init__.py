"""What a legal document is: the model, its identity and hashes, its tables and where they are kept.

Not here: how a document is read from bytes (`parsing`) or what is derived from it (`chunking`, `embedding`).
"""
