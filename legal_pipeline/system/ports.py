"""Ports of this machine. Not here: the servers that listen on them."""

from __future__ import annotations

import errno
import socket

from legal_pipeline.errors import ConfigurationError


def verify_port_free(host: str, port: int) -> None:
    """Raise `ConfigurationError` unless a server can listen there."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, _, _, address = found[0]
        with socket.socket(family, kind) as listener:
            # the same option as the server: a port of a server that just ended is usable
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listener.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = "is in use: end what listens there, or choose another one with --port"
        else:
            reason = f"cannot be used: {error}"
        raise ConfigurationError(f"port {port} of {host} {reason}") from error
