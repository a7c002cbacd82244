"""Questions about the indexed law: search, provisions on a day, versions, differences, quotes, citations, changes.

Reads and never writes. Not here: how one search ranks (`retrieval`), how documents come into the index (`pipeline`), and the service that
answers over the network (`service`).
"""
