"""What is read of assets that were made: by searches, by the command line, by a notebook. Makes no asset.

Not here: making them (`stages`, `corpus_assets`), searching (`retrieval`), and how it looks on a screen (`cli`).
"""
