"""The assets of a document, one module per asset: from files of the warehouse to files of the warehouse or points of a store.

Not here: shared code of stages (`processing`), their order (`pipeline`), assets of many documents (`corpus_assets`), and Dagster (`defs`).
"""
