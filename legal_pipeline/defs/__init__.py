"""The Dagster side, thin: what runs, when, and what is shown of it.

Not here: anything that is done to a document (`pipeline`, `stages` and the library below them).
"""
