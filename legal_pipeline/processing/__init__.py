"""Processing of a batch of documents: the interface and the reports of a stage, and the code that several stages share.

Not here: the assets (`stages`), and the work of a stage (`chunking`, `enrichment`, `embedding`, `stores`).
"""
