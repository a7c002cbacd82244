"""Numbers of lists and provisions: what a marker may mean, and the level of each marker in a sequence.

One engine for all formats: `numerals` (letters and Roman numerals), `readings` (all that a marker may mean), `styles` (how a school of
drafting counts, as data) and `search` (the cheapest reading of a sequence). Not here: cutting texts into blocks, and nodes.
"""
