"""Measures of retrieval: queries with known answers, the systems under test, and their scores.

A dataset addresses its answers as spans of documents, so that any chunking can be scored by one rule (`relevance`). Not here: search
itself (`retrieval.search`), and where figures are shown (`cli`, `presentation`, `defs`).
"""
