"""From a `Document` to chunks: one module per strategy, one router, and the code that they share.

Not here: parsing, vectors and language models. A strategy that needs vectors or plans declares a protocol that `pipeline` implements.
"""
