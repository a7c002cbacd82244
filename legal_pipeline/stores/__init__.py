"""Vector stores: the `VectorStore` protocol, its registry and one module per store.

Not here: the content of a point's payload (`stages.qdrant_chunks`), and ranking and displaying hits (`retrieval`).
"""
