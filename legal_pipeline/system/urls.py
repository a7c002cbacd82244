"""URLs that may contain a password: displays them safely, and refuses URLs that are ambiguous.

Every message with a URL of the settings calls `render_url`. Not here: using a URL.
"""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from legal_pipeline.errors import ConfigurationError

_HIDDEN = "***"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,40})://")
_POSTGRES = re.compile(r"postgres(ql)?(\+[a-z0-9_]+)?")

#: Parameters whose values contain no secret.
_SHOWN_PARAMETERS = frozenset(
    {"application_name", "connect_timeout", "dbname", "host", "hostaddr", "port", "sslmode", "target_session_attrs"}
)

_HOST = r"(?:[\w.-]|%[0-9A-Fa-f]{2})*|\[[0-9A-Fa-f:.]+\]"
_AUTHORITY = re.compile(
    r"(?:(?P<user>(?:[^:@/?#%\s]|%[0-9A-Fa-f]{2})*)(?P<password>:(?:[^@/%\s]|%[0-9A-Fa-f]{2})*)?@)?"
    rf"(?P<hosts>(?:{_HOST})(?::\d*)?(?:,(?:{_HOST})(?::\d*)?)*)"
)
_PATH = r"(?P<path>(?:/[^?#@\s]*)?)"
_QUERY = r"(?:\?(?P<query>[^#@\s]*))?"
_URL = re.compile(rf"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]*)://{_AUTHORITY.pattern}{_PATH}{_QUERY}")
#: The rules of libpq: a path is one database name, and every `%` begins a code.
_DATABASE_PATH = re.compile(r"(?:/(?:[^/%]|%[0-9A-Fa-f]{2})*)?")
_DATABASE_QUERY = re.compile(r"(?:[^=&%]+=(?:[^=&%]|%[0-9A-Fa-f]{2})*(?:&|$))*")


def render_url(url: str) -> str:
    """Return `url` for people: without password, without values of parameters that may be secret, and outside PostgreSQL without a user.

    For an ambiguous URL (an `@` or a `/` in the password that is not encoded) only the scheme is shown. Never raises.
    """
    match = _URL.fullmatch(url)
    if match is None or not _agrees_with_urlsplit(url, match):
        scheme = _SCHEME.match(url)
        return f"{scheme[1]}://{_HIDDEN}" if scheme is not None else _HIDDEN
    user = ""
    if match["user"] is not None:
        is_postgres = _POSTGRES.fullmatch(match["scheme"]) is not None
        password = match["password"] or ""
        user = f"{match['user']}{f':{_HIDDEN}' if len(password) > 1 else password}@" if is_postgres else f"{_HIDDEN}@"
    shown = f"{match['scheme']}://{user}{match['hosts']}{match['path']}"
    if not match["query"]:
        return shown
    return f"{shown}?{'&'.join(map(_render_parameter, match['query'].split('&')))}"


def check_database_url(url: str) -> str:
    """Return `url`, if all libraries that read it (libpq, SQLAlchemy) agree on it. Raises `ConfigurationError` without its secrets."""
    match = _URL.fullmatch(url)
    if (
        match is None
        or _POSTGRES.fullmatch(match["scheme"]) is None
        or _DATABASE_PATH.fullmatch(match["path"]) is None
        or _DATABASE_QUERY.fullmatch(match["query"] or "") is None
    ):
        raise ConfigurationError(
            f"{render_url(url)} is not a database URL: expected postgresql://user:password@host:port/database, with @ / ? # % and "
            "blanks in user and password as %40 %2F %3F %23 %25 %20"
        )
    return url


def is_web_address(url: str) -> bool:
    """Return whether `url` is the address of a web service and is not ambiguous."""
    match = _URL.fullmatch(url)
    return (
        match is not None
        and match["scheme"] in ("http", "https")
        and "," not in match["hosts"]
        and bool(match["hosts"].partition(":")[0])
        and _agrees_with_urlsplit(url, match)
    )


def check_web_address(url: str) -> str:
    """Return `url`, if it is the address of a web service. Raises `ConfigurationError` without its secrets."""
    if not is_web_address(url):
        raise ConfigurationError(f"{render_url(url)} is not an address: expected https://host or http://host:port")
    return url


def _agrees_with_urlsplit(url: str, match: re.Match[str]) -> bool:
    """Return whether the standard library, which other libraries use, finds the same host in `url`."""
    if "," in match["hosts"]:  # several servers, which only PostgreSQL supports
        return True
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.netloc.rpartition("@")[2] == match["hosts"]


def _render_parameter(parameter: str) -> str:
    name, _, value = parameter.partition("=")
    known = [key for key, _ in parse_qsl(f"{name}=x")]
    if known == [name] and name in _SHOWN_PARAMETERS:
        return f"{name}={value}"
    return f"{name}={_HIDDEN}" if re.fullmatch(r"[A-Za-z_][A-Za-z0-9_.-]{0,40}", name) and "=" in parameter else _HIDDEN
