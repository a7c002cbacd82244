"""The web page of `legal-pipeline serve`: search, documents, provisions and their history, for people.

Rendered on the server, without a script. Every page asks `reading.LawReader` as the HTTP API does. Not here: answers (`reading`), keys
and rates (`service.gate`).
"""
