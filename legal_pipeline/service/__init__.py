"""The index over the network: a web page, an HTTP API and an MCP server. Thin shells over `reading.LawReader`.

Not here: the answers themselves (`reading`), and who may ask for them (`registry.api_keys` keeps the keys).
"""
