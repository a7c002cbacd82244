"""Vectors to something searchable: the `VectorStore` protocol, its registry and one module per store.

Not here: what a point's payload holds (`pipeline`) and how hits are ranked and shown (`retrieval`).
"""
