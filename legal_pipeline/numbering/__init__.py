"""Numbers of lists and provisions: what a marker may mean, and the level of each marker in a sequence.

One engine for all formats: `numerals` (letters and Roman numerals), `readings` (all readings of a marker), `styles` (drafting styles,
as data) and `search` (the cheapest reading of a sequence). Not here: splitting texts into blocks, and nodes.
"""
