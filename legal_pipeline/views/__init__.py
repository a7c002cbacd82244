"""Reads finished assets, for searches, the command line and notebooks. Makes no asset.

Not here: making them (`stages`, `corpus_assets`), searching (`retrieval`), and displaying results (`cli`).
"""
