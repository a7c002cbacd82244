"""Sources of documents: listing items, fetching an item, and deciding what a change of a source means.

Not here: the content of the bytes (`parsing`) and when a source is polled (`defs.sensors`, the command line).
"""
