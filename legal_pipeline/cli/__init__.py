"""The command line: what a user types, and how answers look in a terminal.

A command imports what it needs when it is called: help and a mistyped option are answered without models and stores. Not here: what the
commands do (`pipeline`, `registration`, `reconcile`, `defs.launch`).
"""
