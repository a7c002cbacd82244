"""The index over the network: a web page, an HTTP API and an MCP server, each a thin layer over `reading.LawReader`.

Not here: the answers (`reading`), and the storage of API keys (`registry.api_keys`).
"""
