"""Texts of the United States: eCFR, USLM and D.C. Code XML, and the plain texts of regulations, statutes and decisions.

Not here: the list of formats (`parsing.registry`) and who calls these parsers.
"""
