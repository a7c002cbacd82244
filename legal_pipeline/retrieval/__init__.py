"""Search over the stores: ranking, citations in queries, hits as lawyers cite them.

Not here: what is stored (`pipeline`) and how a store searches (`stores`).
"""
