"""Properties of text independent of documents: tokens, sentences, normalisation, encodings, languages, quality.

Not here: code for a format (`parsing`) or a strategy (`chunking`).
"""
