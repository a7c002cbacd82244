"""The web page of `legal-pipeline serve`: search, documents, provisions and their history, for people.

Rendered on the server, without scripts. Every page calls `reading.LawReader`, as the HTTP API does. Not here: answers (`reading`), keys
and rate limits (`service.gate`).
"""
