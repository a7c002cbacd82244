"""Data: a vocabulary for each language (`retrieval.vocabulary`)."""
