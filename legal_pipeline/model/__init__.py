"""The model of a legal document: its tree, identity, wording, versions and the difference between two expressions.

Not here: reading a document from bytes (`parsing`), and data derived from it (`chunking`, `embedding`).
"""
