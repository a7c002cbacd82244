"""Bytes to `Document`: one module per format, grouped by where the format comes from, and one registry.

Not here: fetching (`sources`), chunking, and the model itself (`model`).
"""
