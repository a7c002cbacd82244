"""Text to vectors: the `Embedder` protocol, its registry and the implementations.

Not here: which text of a chunk is embedded (`pipeline`) and where vectors are kept (`stores`).
"""
