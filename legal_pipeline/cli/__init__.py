"""The command line: commands, options, and output in a terminal.

A command imports its dependencies when it is called, so that help and a mistyped option need no models and stores. Not here: the work of
the commands (`pipeline`, `registration`, `reconcile`, `defs.launch`).
"""
