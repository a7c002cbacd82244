"""Vector stores: the `VectorStore` protocol, its registry and one module per store.

Not here: the content of a point's payload (`pipeline`), and ranking and displaying hits (`retrieval`).
"""
