"""Where documents come from: what a source lists, how an item is fetched, and what a change of a source means.

Not here: what the bytes say (`parsing`) and when a source is polled (`defs.sensors`, the command line).
"""
