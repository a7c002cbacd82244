"""Zimbabwean statutes as ZimLII and the importers of word-processor files give them."""
