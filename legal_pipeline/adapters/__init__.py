"""Retrievers for other frameworks: LangChain, LlamaIndex, Haystack. Each is an extra of the package.

Not here: search (`reading`, `client`).
"""
