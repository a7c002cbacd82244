"""The Dagster side, thin: what runs, when it runs, and what the UI shows.

Not here: anything that is done to a document (`pipeline`, `stages` and the library below them).
"""
