"""The thin Dagster side: which runs exist, when they start, and what the UI shows.

Not here: the processing of documents (`pipeline`, `stages` and the library below them).
"""
