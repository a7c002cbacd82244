"""Zimbabwean statutes from ZimLII and from the importers of word-processor files."""
