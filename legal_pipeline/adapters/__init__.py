"""Retrievers of other frameworks over the index: LangChain, LlamaIndex, Haystack. Each is an extra of the package.

Not here: search itself (`reading`, `client`).
"""
