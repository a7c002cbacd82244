"""What a legal document is: its tree, identity, wording, versions and the difference between two of them.

Not here: how a document is read from bytes (`parsing`) or what is derived from it (`chunking`, `embedding`).
"""
