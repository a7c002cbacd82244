"""The assets of many documents: figures and the export of all chunks, judgments filed by practice area, a tree per area.

Not here: the assets of one document (`stages`), and Dagster (`defs`).
"""
