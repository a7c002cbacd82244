"""Indian Acts and judgments: India Code markdown and Links Notation, JSON arrays, plain text, labelled sentences.

Not here: the structure of judgments of any country (`parsing.judgment`), and fetching (`sources`).
"""
