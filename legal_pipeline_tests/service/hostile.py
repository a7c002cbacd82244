"""Requests that no honest client makes, to a server on this machine: none of them may be answered with a defect.

    python -m legal_pipeline_tests.service.hostile [--requests 10000]

A part is schemathesis', from the OpenAPI description; the rest are long queries, text that is no Unicode, deep bodies, wrong cursors and
ids, over HTTP and to the tools of the MCP server. It starts a server of its own over a small index, on a loopback address, and stops after
so many requests. Not here: what a well-formed request is answered (`test_api`, `test_mcp`).
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import json
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import httpx

from legal_pipeline.registry.api_keys import ApiKeys
from legal_pipeline.registry.database import Database
from legal_pipeline.registry.embedded_postgres import EmbeddedPostgres
from legal_pipeline.service.gate import is_loopback
from legal_pipeline.settings import load_settings
from legal_pipeline_tests.indexed_laws import LAW, make_index
from legal_pipeline_tests.service.conftest import serving

#: Texts as bytes of an address: what is no UTF-8, no character, too long, a control, a direction, a formula, another language's digits.
_TEXTS: tuple[bytes, ...] = (
    b"", b" ", b"\x00", b"fyr\x00", b"\xff\xfe", b"\xed\xa0\x80", b"\xc0\xaf", b"\xf4\x90\x80\x80", b"\xe2\x80\xae" * 50,
    b"\xef\xbb\xbffyr", b"\xcc\x81" * 300, b"\xf0\x9f\xa7\xa8" * 500, b"x" * 3999, b"x" * 4001, b"\xc3\xa5" * 2100, b"1 \xc2\xa7 " * 400,
    b"9" * 900 + b" \xc2\xa7",
    b"(" * 1500, b"[" * 900 + b"]" * 900, b"\"" * 99, b"' or 1=1 --", b"{{7*7}}${7*7}", b"../../../etc/passwd", b"%00%ff%u0000",
    b"\r\nX: y",
    b"<script>alert(1)</script>", b"&& | ! <-> :* (fyr", b"\xd9\xa3 kap. \xd9\xa4 \xc2\xa7", b"\xe2\x85\xa7 \xc2\xa7",
    b"1-99999999 \xc2\xa7",
    b"s. 1(1)(a)(i)" * 80, b"a.b.c.d" * 300, b"2 kap. 3 \xc2\xa7 lagen (2099:10)", b"sec_" * 200, b"~", b"~~", LAW.encode() + b"~",
    LAW.encode() + b"~sec_3__" + b"item_" * 80, b"null", b"NaN", b"-0", b"1e999", b"0x10", b"true", b"[]", b"{}",
)  # fmt: skip
_DAYS = (
    b"0000-00-00", b"0001-01-01", b"9999-12-31", b"10000-01-01", b"2024-02-30", b"-1", b"253402300800", b"now",
    b"2024-01-01T25:61", b"\xff", b"99999999999999999999",
)  # fmt: skip
_NUMBERS = (b"0", b"-1", b"101", b"99999999999999999999", b"1.5", b"NaN", b"\xd9\xa3", b"", b"1e3", b"10000", b"10001")
_BODIES: tuple[bytes, ...] = (
    b"", b"null", b"[]", b"{", b'{"text": "' + b"x" * 50_001 + b'"}', b"[" * 20_000, b'{"text": ' * 2000, b'{"text": "\xff"}',
    b'{"text": "\\ud800 1 \\u00a7"}', b'{"text": "1 \\u00a7\\u0000"}', b'{"text": ' + b'"' + b"1 \xc2\xa7 " * 9000 + b'"}', b'{"text": 5}',
    b'{"text": "s. 1", "jurisdictions": ' + json.dumps(["se"] * 51).encode() + b"}",
    b'{"text": "s. 1", "jurisdictions": ["' + b"z" * 999 + b'"]}',
    b'{"quote": "\xe2\x80\xa6", "provision": "x"}', b'{"quote": "\\u0000", "provision": "a~b"}',
    b'{"quote": "' + b"fyr " * 1249 + b'", "provision": "3 \xc2\xa7 lagen (2099:10)"}',
    b'{"quote": "' + b"\xe2\x80\xa6 " * 1600 + b'x", "provision": "' + LAW.encode() + b'~sec_3"}',
    b'{"text": ' + b"9" * 5000 + b"}", b'{"text": 1e400}', b'{"text": "a", "text": "b", "__proto__": {}}',
)  # fmt: skip
_HEADERS: tuple[dict[str, str], ...] = (
    {}, {}, {}, {"If-None-Match": '"' + "x" * 5000}, {"If-None-Match": "*"}, {"Accept": "text/*;q=9"}, {"Content-Type": "text/plain"},
    {"Content-Type": "application/json; charset=utf-7"}, {"Content-Encoding": "gzip"}, {"Range": "bytes=9-1"}, {"Accept-Language": "\x7f"},
)  # fmt: skip
_METHODS = ("GET",) * 12 + ("POST", "HEAD", "OPTIONS", "PUT", "DELETE", "PATCH", "TRACE")
_MCP_HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


#: What the MCP server answers where a tool raised what it should not have, or where it failed itself.
_CRASH = re.compile(r'"text":\s*"Error executing tool \w+"|"code":\s*-32603')


@dataclass
class Summary:
    """What hostile requests were answered: how many by what, and those that were a defect."""

    statuses: collections.Counter[str] = field(default_factory=collections.Counter)
    defects: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return self.statuses.total()

    def count(self, what: str, answer: httpx.Response) -> None:
        self.statuses[f"{answer.status_code}"] += 1
        if answer.status_code >= 500 or _CRASH.search(answer.text):
            self.defects.append(f"{answer.status_code} {what[:300]}: {answer.text[:200]}")


def ask(address: str, headers: dict[str, str], requests: int, *, seed: int = 0) -> Summary:
    """Make so many requests to the server at `address`, half of them to MCP; the same for the same seed. Only to this machine."""
    url = httpx.URL(address)
    assert is_loopback(url.host), address
    made, rng = Summary(), random.Random(seed)
    with httpx.Client(base_url=address, headers=headers, timeout=60) as client:
        operations = list(_operations(client.get("/openapi.json").json()))
        listed = {"jsonrpc": "2.0", "id": 0, "method": "tools/list", "params": {}}
        tools = client.post("/mcp", json=listed, headers=_MCP_HEADERS).json()["result"]["tools"]
        for number in range(requests):
            if number % 2:
                what = json.dumps(_call(rng, tools))
                answer = client.post("/mcp", content=what, headers=_MCP_HEADERS)
            else:
                request = _request(rng, client, *rng.choice(operations))
                what, answer = f"{request.method} {request.url}", client.send(request)
            made.count(what, answer)
    return made


def _operations(description: dict[str, Any]) -> Iterator[tuple[str, str, list[dict[str, Any]]]]:
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            yield path, method.upper(), operation.get("parameters", [])


def _request(
    rng: random.Random, client: httpx.Client, path: str, method: str, parameters: list[dict[str, Any]]
) -> httpx.Request:
    """The operation with values that its description forbids, or that a library chokes on."""
    asked = []
    for parameter in parameters:
        name = parameter["name"]
        if parameter["in"] == "path":
            path = path.replace(f"{{{name}}}", quote_from_bytes(rng.choice(_TEXTS), safe=rng.choice(("", "/~:"))))
        elif rng.random() < (0.9 if parameter.get("required") else 0.4):
            times = rng.choice((1, 1, 1, 2, 60))
            asked += [f"{name}={quote_from_bytes(_value(rng, parameter))}"] * times
    raw = f"{path}{'?' + '&'.join(asked) if asked else ''}".encode()[:60_000]
    if method == "GET":
        method = rng.choice(_METHODS)
    body = rng.choice(_BODIES) if method == "POST" else None
    sent = {"Content-Type": "application/json", **rng.choice(_HEADERS)} if body is not None else rng.choice(_HEADERS)
    return client.build_request(method, client.base_url.copy_with(raw_path=raw), content=body, headers=sent)


def _value(rng: random.Random, parameter: dict[str, Any]) -> bytes:
    schema = json.dumps(parameter.get("schema", {}))
    kinds = [_DAYS] if '"date"' in schema else [_NUMBERS] if '"integer"' in schema else [_TEXTS]
    good = [b"fyr", b"3 \xc2\xa7 lagen (2099:10)", b"2024-01-01", b"10", b"se", b"act"]
    return rng.choice(rng.choice([*kinds, _TEXTS, good]))


def _call(rng: random.Random, tools: list[dict[str, Any]]) -> Any:
    tool = rng.choice(tools)
    properties = tool["inputSchema"].get("properties", {})
    arguments: dict[str, Any] = {name: _argument(rng) for name in properties if rng.random() < 0.7}
    if rng.random() < 0.1:
        arguments[_argument_text(rng) or "x"] = 1
    params = {"name": tool["name"] if rng.random() < 0.97 else _argument_text(rng), "arguments": arguments}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _argument(rng: random.Random) -> Any:
    deep: Any = []
    for _ in range(50):
        deep = [deep]
    odd = (
        None,
        True,
        -1,
        0,
        10**30,
        1.5,
        [],
        {},
        deep,
        {"a": {"b": [1]}},
        ["se"] * 60,
        ["\x00"],
        "2024-01-01",
        300,
        20_000,
        LAW,
    )
    return _argument_text(rng) if rng.random() < 0.6 else rng.choice(odd)


def _argument_text(rng: random.Random) -> str:
    return rng.choice((*_TEXTS, *_DAYS)).decode("utf-8", rng.choice(("replace", "surrogateescape")))


def schemathesis(address: str, headers: dict[str, str], examples: int, folder: Path, *, seconds: int) -> str:
    """The summary of schemathesis, which asks each operation so many times; raises where one was answered with a defect, or with a kind
    of content that the description does not name. It keeps what it remembers in `folder`."""
    done = subprocess.run(
        [
            sys.executable, "-m", "schemathesis.cli", "run", f"{address}/openapi.json", "--checks",
            "not_a_server_error,content_type_conformance",
            "--phases", "examples,coverage,fuzzing", "--max-examples", str(examples), "--workers", "2", "--seed", "0", "--no-shrink",
            *(part for name, value in headers.items() for part in ("--header", f"{name}: {value}")), "--no-color",
            "--continue-on-failure", "--max-time", str(seconds), "--suppress-health-check", "all",
        ],
        cwd=folder, capture_output=True, text=True, timeout=seconds + 120, check=False,
    )  # fmt: skip
    told = done.stdout[done.stdout.rfind("SUMMARY") :] if "SUMMARY" in done.stdout else done.stdout + done.stderr
    if done.returncode:
        raise AssertionError(done.stdout[-8000:] + done.stderr[-2000:])
    return told


def defects_in(log: Path) -> list[str]:
    """Traces in the log of a server."""
    return re.findall(r"Traceback.*?\n(?=\S)[^\n]*", log.read_text("utf-8", "replace"), re.DOTALL)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--requests", type=int, default=10_000, help="Of ours; schemathesis' come beside.")
    arguments.add_argument("--examples", type=int, default=100, help="Of schemathesis, for each operation.")
    arguments.add_argument("--seconds", type=int, default=300, help="Of schemathesis, at most.")
    arguments.add_argument("--seed", type=int, default=0)
    given = arguments.parse_args()
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="legal-pipeline-")))
        postgres = stack.enter_context(EmbeddedPostgres(folder / "postgres"))
        settings = load_settings(home=folder / "home", database_url=postgres.url, stores="qdrant", enrich="none")
        make_index(settings, folder / "laws")
        with Database.open(settings) as database:
            _, key = ApiKeys(database).create("hostile", scopes=["admin"], requests_per_minute=1_000_000)
        headers = {"Authorization": f"Bearer {key}"}
        served = stack.enter_context(serving(settings, folder))
        made = ask(served.address, headers, given.requests, seed=given.seed)
        answers = ", ".join(f"{status}: {count:,}" for status, count in sorted(made.statuses.items()))
        print(
            f"{made.requests:,} requests, {len(made.defects)} defects ({answers})",
            *made.defects[:20],
            sep="\n",
            flush=True,
        )
        print(schemathesis(served.address, headers, given.examples, folder, seconds=given.seconds), flush=True)
        traces = defects_in(served.log)
        print(f"{len(traces)} traces in the server's log", *traces[:3], sep="\n", flush=True)
        sys.exit(bool(made.defects or traces))


if __name__ == "__main__":
    main()
