"""Finds the provisions and divisions of a law in blocks that no mark-up names: by words, numbers and look.

`recognise` is the one entry for readers of every format. Not here: reading a format (`parsing.readers`).
"""
