"""Measures of retrieval: queries with known answers, the systems under test, and their scores.

A dataset gives its answers as spans of documents, so that one rule can score any chunking (`relevance`). Not here: search
itself (`retrieval.search`), and the display of figures (`cli`, `presentation`, `defs`).
"""
