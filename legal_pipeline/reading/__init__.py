"""Questions about the indexed law: search, provisions on a day, versions, differences, quotes, citations, changes.

Reads and never writes. Not here: the ranking of a search (`retrieval`), indexing of documents (`pipeline`), and the network service
(`service`).
"""
