"""What can be said of text without knowing the document: tokens, sentences, normalisation, encodings, languages, quality.

Not here: anything that knows a format (`parsing`) or a strategy (`chunking`).
"""
