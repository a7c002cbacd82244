"""Compute vectors of texts: the `Embedder` protocol, its registry and the implementations.

Not here: the choice of the text of a chunk that is embedded (`pipeline`), and the storage of vectors (`stores`).
"""
