"""Properties of text that need no document: tokens, sentences, normalisation, encodings, languages, quality.

Not here: anything that knows a format (`parsing`) or a strategy (`chunking`).
"""
