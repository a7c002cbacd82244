"""Search over the stores: ranking, citations in queries, hits with their citation forms.

Not here: the stored data (`pipeline`) and the search inside a store (`stores`).
"""
