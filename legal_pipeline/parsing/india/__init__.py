"""Indian Acts and judgments: India Code markdown and Links Notation, JSON arrays, plain text, labelled sentences.

Not here: what a judgment is made of anywhere (`parsing.judgment`), and fetching (`sources`).
"""
