"""Retrieval figures: queries whose answers are known, systems that look for them, and how good each is.

A dataset addresses its answers as spans of documents, so that any chunking can be scored by one rule (`relevance`). Not here: search
itself (`retrieval.search`), and where figures are shown (`cli`, `presentation`, `defs`).
"""
