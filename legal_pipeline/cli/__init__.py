"""The command line: what a user types, and how answers look in a terminal.

Not here: what the commands do (`pipeline`, `registration`, `reconcile`, `defs.launch`).
"""
