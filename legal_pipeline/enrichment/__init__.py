"""Chunks to text about them: prefixes, summaries, questions, propositions, plans and classes, with a language model or without.

Not here: which chunks lack something and where the answers are kept (`stages`), and vectors (`embedding`).
"""
