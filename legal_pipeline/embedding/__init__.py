"""Compute vectors of texts: the `Embedder` protocol, its registry and the implementations.

Not here: the text of a chunk that is embedded (`stages.chunks.embedding_text`), and the storage of vectors (`stores`).
"""
