"""One webhook message: the allowed addresses, its signature (Standard Webhooks 1.0), and its HTTP request.

Not here: which messages are due, and retries of failed messages (`deliveries`).
"""

from __future__ import annotations

import base64
import fnmatch
import hashlib
import hmac
import ipaddress
import socket
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import httpcore
import httpx

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.sources.exchange import Exchange, HttpError
from legal_pipeline.system.urls import check_web_address

#: Maximum seconds for a receiver's answer.
ANSWER_SECONDS = 10.0

_GONE = 410
#: IPv6 notation of IPv4 addresses that looks public: the address is in the last 32 bits, and may be private.
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_Network = ipaddress.IPv4Network | ipaddress.IPv6Network


class NotDeliveredError(Exception):
    """The reason why a message was not delivered. `retry_after`: seconds to wait, as the receiver asks; `is_gone`: it wants no more."""

    def __init__(self, reason: str, *, retry_after: float | None = None, is_gone: bool = False) -> None:
        self.retry_after = retry_after
        self.is_gone = is_gone
        super().__init__(reason)


@dataclass(frozen=True, slots=True)
class AllowedReceivers:
    """Allowed host names (`hooks.example.org`, `*.example.org`), and networks of non-public addresses that are allowed (`10.1.0.0/16`,
    `127.0.0.1`). A message is sent to a name only if all its addresses are public or in one of the networks."""

    names: tuple[str, ...] = ()
    networks: tuple[_Network, ...] = ()

    @classmethod
    def parse(cls, setting: str) -> AllowedReceivers:
        """Parse names and networks separated by commas."""
        names, networks = [], []
        for entry in filter(None, (part.strip().lower() for part in setting.split(","))):
            try:
                networks.append(ipaddress.ip_network(entry.strip("[]")))
            except ValueError:
                names.append(entry)
        return cls(tuple(names), tuple(networks))

    def check(self, address: str) -> httpx.URL:
        """Return `address` as a URL. Raises `ConfigurationError` if no message may be sent to it, independent of its IP addresses."""
        if not (address.isascii() and address.isprintable()):
            raise ConfigurationError("the address of a webhook must be of printable ASCII characters")
        try:
            url = httpx.URL(check_web_address(address))
        except httpx.InvalidURL as error:
            raise ConfigurationError(f"the address of a webhook is not valid: {error}") from None
        host = url.raw_host.decode("ascii").strip("[]").lower().rstrip(".")
        literal = _literal(host)
        if url.userinfo:
            raise ConfigurationError("the address of a webhook has no user or password: messages are signed")
        if url.scheme != "https" and not self.networks:
            raise ConfigurationError(f"the address of a webhook must begin with https://, not with {url.scheme}://")
        allowed = (
            any(literal in network for network in self.networks)
            if literal is not None
            else any(fnmatch.fnmatchcase(host, name) for name in self.names)
        )
        if not allowed:
            raise ConfigurationError(
                f"webhooks may not be sent to {host}: an administrator allows hosts with LEGAL_PIPELINE_WEBHOOK_HOSTS"
            )
        return url

    def admit(self, addresses: Iterable[str], *, is_encrypted: bool) -> list[str]:
        """Return `addresses`, the present IP addresses of a name. Raises `NotDeliveredError` if one of them is not allowed."""
        found = list(addresses)
        for text in found:
            address = ipaddress.ip_address(text)
            if any(address in network for network in self.networks):
                continue
            if not _is_public(address):
                raise NotDeliveredError("the host leads to an address that is not public")
            if not is_encrypted:
                raise NotDeliveredError("an address that is not listed is sent to by https:// alone")
        if not found:
            raise NotDeliveredError("the host has no address")
        return found


NOBODY = AllowedReceivers()


def signature(secret: str, message_id: str, timestamp: int, body: bytes) -> str:
    """Return the value of `webhook-signature`: HMAC-SHA256 of id, time and body; the key is `secret` (`whsec_…`) decoded from base64."""
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{timestamp}.".encode() + body
    return f"v1,{base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()}"


class WebhookSender:
    """Sends messages to allowed receivers. Thread-safe."""

    def __init__(self, allowed: AllowedReceivers, *, seconds: float = ANSWER_SECONDS) -> None:
        self._allowed = allowed
        self._seconds = seconds

    def send(self, address: str, secret: str, message_id: str, body: bytes) -> None:
        """Send a message. Raises `NotDeliveredError` unless the receiver answers in time with success. Redirects are not
        followed."""
        try:
            url = self._allowed.check(address)
        except ConfigurationError as error:  # the address is no longer allowed
            raise NotDeliveredError(str(error)) from error
        timestamp = int(time.time())
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "legal-pipeline webhooks",
            "webhook-id": message_id,
            "webhook-timestamp": str(timestamp),
            "webhook-signature": signature(secret, message_id, timestamp, body),
        }
        network = _CheckedNetwork(self._allowed, is_encrypted=url.scheme == "https")
        exchange = Exchange({}, silence_seconds=self._seconds, network=network)
        try:
            answer = exchange.post(url, headers, body, deadline=time.monotonic() + self._seconds)
        except HttpError as error:
            raise NotDeliveredError(str(error)) from error
        finally:
            exchange.close()
        if 300 <= answer.status < 400:
            raise NotDeliveredError(f"HTTP {answer.status}: redirects are not followed")
        if not 200 <= answer.status < 300:
            refusal = answer.refusal(url, "POST")
            raise NotDeliveredError(
                f"HTTP {answer.status}", retry_after=refusal.retry_after, is_gone=answer.status == _GONE
            )


class _CheckedNetwork(httpcore.SyncBackend):
    """Resolves a name once, checks its addresses and connects to them: a later change of the name's addresses has no effect."""

    def __init__(self, allowed: AllowedReceivers, *, is_encrypted: bool) -> None:
        self._allowed = allowed
        self._is_encrypted = is_encrypted

    def connect_tcp(self, host: str, port: int, *arguments: Any, **options: Any) -> httpcore.NetworkStream:
        try:
            found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # unknown name; invalid name
            raise httpcore.ConnectError(f"{host} has no address") from None
        addresses = [str(row[4][0]).partition("%")[0] for row in found]
        first, *others = self._allowed.admit(dict.fromkeys(addresses), is_encrypted=self._is_encrypted)
        for address in others:
            try:
                return super().connect_tcp(first, port, *arguments, **options)
            except httpcore.ConnectError:
                first = address
        return super().connect_tcp(first, port, *arguments, **options)


def _literal(host: str) -> _Address | None:
    """Return the IP address that `host` is, also in notations of operating systems (`127.1`, `0x7f000001`); else None."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        pass
    try:
        return ipaddress.IPv4Address(socket.inet_aton(host))
    except OSError:
        return None


def _is_public(address: _Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        if address in _NAT64:
            return _is_public(ipaddress.IPv4Address(address.packed[-4:]))
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return _is_public(inner)
    return address.is_global and not address.is_multicast
