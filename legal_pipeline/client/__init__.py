"""The HTTP API as Python: `Client` and `AsyncClient`.

Importing it loads neither a model nor a store. Not here: the answers (`reading.answers`) and the server (`service`).
"""

from legal_pipeline.client.clients import AsyncClient, Client

__all__ = ["AsyncClient", "Client"]
