"""Finds the provisions and divisions of a law in blocks without markup: by words, numbers and typography.

`recognise` is the only entry, for readers of every format. Not here: reading a format (`parsing.readers`).
"""
