"""Parse bytes to a `Document`: one module per format, grouped by origin, and one registry.

Not here: fetching (`sources`), chunking, and the model itself (`model`).
"""
