"""Make text about chunks: prefixes, summaries, questions, definitions, chunk plans, practice areas, with or without a language model.

Not here: finding the chunks that lack these texts, storing the texts (`stages`), and vectors (`embedding`).
"""
