"""How a batch of documents is processed: what a stage is and reports, and what several stages share.

Not here: any single asset (`stages`), and how the work of a stage is done (`chunking`, `enrichment`, `embedding`, `stores`).
"""
