"""The part of Qdrant's REST protocol that the store uses, over HTTP on this machine, with the client's collections in memory behind it.

As a server in strict mode does, it refuses filters on fields without an index of their kind. It can be told to misbehave: to answer with
an error, late, half or not at all, and to want a key. Not here: what must hold then.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from qdrant_client import QdrantClient, models


@dataclass(frozen=True, slots=True)
class Trouble:
    """`status`: the answer, without the work being done, or with it when `after_work`. `delay`: seconds before the answer. `cut`: the
    connection ends in the middle of the answer."""

    status: int | None = None
    after_work: bool = False
    delay: float = 0.0
    cut: bool = False
    headers: tuple[tuple[str, str], ...] = ()


@dataclass
class QdrantHttpServer:
    """`troubles` are met by one request each, in their order; `matching` spares the requests (`PUT /collections/a/points`) that it does
    not match. `requests` is what was asked, as (method, path)."""

    api_key: str | None = None
    troubles: list[Trouble] = field(default_factory=list)
    matching: str = ""
    requests: list[tuple[str, str]] = field(default_factory=list)
    client: QdrantClient = field(default_factory=lambda: QdrantClient(":memory:"))
    indexes: dict[str, dict[str, Any]] = field(default_factory=dict)
    #: What the client in memory does not keep of a collection: shards, replicas, and what is on the disk.
    params: dict[str, dict[str, Any]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)
    url: str = ""

    def next_trouble(self, method: str, path: str) -> Trouble:
        with self.lock:
            self.requests.append((method, path))
            if self.troubles and re.search(self.matching, f"{method} {path}"):
                return self.troubles.pop(0)
        return Trouble()

    @property
    def writes(self) -> list[tuple[str, str]]:
        """The requests that would change something."""
        reading = ("/scroll", "/count", "/query", "/query/batch")
        return [(method, path) for method, path in self.requests if method != "GET" and not path.endswith(reading)]

    @contextmanager
    def listening(self, port: int = 0) -> Iterator[str]:
        server = ThreadingHTTPServer(("127.0.0.1", port), _handler(self))
        server.daemon_threads = True
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}"
        try:
            yield self.url
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


def _handler(owner: QdrantHttpServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length) or b"null")
            path = self.path.partition("?")[0]
            trouble = owner.next_trouble(self.command, path)
            if owner.api_key is not None and self.headers.get("api-key") != owner.api_key:
                self._answer(401, {"status": {"error": "Invalid API key or JWT"}}, Trouble())
                return
            if trouble.status is not None and not trouble.after_work:
                time.sleep(trouble.delay)
                self._answer(trouble.status, {"status": {"error": "out of order"}}, trouble)
                return
            with owner.lock:
                status, result = _work(owner, self.command, path, body)
            time.sleep(trouble.delay)
            self._answer(trouble.status or status, result, trouble)

        do_GET = do_PUT = do_POST = do_PATCH = do_DELETE = _serve  # noqa: N815 - the base class's names

        def _answer(self, status: int, result: Any, trouble: Trouble) -> None:
            content = json.dumps(result).encode()
            try:
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(content)))
                for name, value in trouble.headers:
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content[: len(content) // 2] if trouble.cut else content)
            except (BrokenPipeError, ConnectionResetError):
                return  # whoever asked has gone: killed, or out of patience
            self.close_connection = trouble.cut

        def log_message(self, *arguments: object) -> None:
            return

    return Handler


def _work(owner: QdrantHttpServer, method: str, path: str, body: Any) -> tuple[int, Any]:
    for (wanted_method, pattern), work in _ROUTES.items():
        match = re.fullmatch(pattern, path)
        if match and method == wanted_method:
            name = match.groupdict().get("name", "")
            client = owner.client
            aliases = {one.alias_name for one in client.get_aliases().aliases}
            if name and method != "PUT" and name not in aliases and not client.collection_exists(name):
                return 404, {"status": {"error": f"Not found: Collection `{name}` doesn't exist!"}}
            try:
                return 200, {"result": work(owner, name, body), "status": "ok", "time": 0.0}
            except ValueError as error:
                status = 409 if "already exists" in str(error) else 400
                return status, {"status": {"error": str(error)}}
    return 404, {"status": {"error": f"no such endpoint: {method} {path}"}}


def _create(owner: QdrantHttpServer, name: str, body: Any) -> bool:
    made = models.CreateCollection.model_validate(body)
    created = owner.client.create_collection(
        name,
        vectors_config=made.vectors,
        sparse_vectors_config=made.sparse_vectors,
        quantization_config=made.quantization_config,
        metadata=made.metadata,
    )
    defaults = {"shard_number": 1, "replication_factor": 1, "on_disk_payload": True}
    owner.params[name] = {each: default if body.get(each) is None else body[each] for each, default in defaults.items()}
    return created


def _update(owner: QdrantHttpServer, name: str, body: Any) -> bool:
    """`on_disk` of vectors and payloads; nothing else is changed by the store."""
    update = models.UpdateCollection.model_validate(body)
    held = owner.client.get_collection(name).config.params.vectors
    assert isinstance(held, dict)
    owner.params[name] |= (update.params or models.CollectionParamsDiff()).model_dump(exclude_none=True)
    on_disk = owner.params[name].setdefault("vectors", {})
    for vector, change in (update.vectors or {}).items():
        assert vector in held, vector
        on_disk[vector] = change.on_disk
    return True


def _info(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    info: dict[str, Any] = owner.client.get_collection(name).model_dump(mode="json")
    params = dict(owner.params.get(name, {}))
    for vector, on_disk in params.pop("vectors", {}).items():
        info["config"]["params"]["vectors"][vector]["on_disk"] = on_disk
    info["config"]["params"] |= params
    return {**info, "payload_schema": owner.indexes.get(name, {})}


def _index(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    owner.indexes.setdefault(name, {})[body["field_name"]] = {"data_type": body["field_schema"], "points": 0}
    return _DONE


def _upsert(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    owner.client.upsert(name, [models.PointStruct.model_validate(point) for point in body["points"]])
    return _DONE


def _delete_points(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    owner.client.delete(name, models.PointIdsList.model_validate(body))
    return _DONE


def _scroll(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    asked = models.ScrollRequest.model_validate(body)
    _verify_indexed(owner, name, asked.filter)
    points, following = owner.client.scroll(
        name,
        scroll_filter=asked.filter,
        limit=asked.limit or 10,
        offset=asked.offset,
        with_payload=asked.with_payload or False,
    )
    return {"points": [point.model_dump(mode="json") for point in points], "next_page_offset": following}


def _count(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    asked = models.CountRequest.model_validate(body)
    _verify_indexed(owner, name, asked.filter)
    return {"count": owner.client.count(name, count_filter=asked.filter, exact=True).count}


def _query(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    asked = models.QueryRequest.model_validate(body)
    _verify_indexed(owner, name, asked.filter)
    found = owner.client.query_points(
        name,
        query=asked.query,
        using=asked.using,
        query_filter=asked.filter,
        limit=asked.limit or 10,
        with_payload=asked.with_payload or False,
    )
    return {"points": [point.model_dump(mode="json") for point in found.points]}


def _query_batch(owner: QdrantHttpServer, name: str, body: Any) -> Any:
    return [_query(owner, name, asked) for asked in body["searches"]]


def _verify_indexed(owner: QdrantHttpServer, name: str, asked: models.Filter | None) -> None:
    """Strict mode with `unindexed_filtering_retrieve: false`, which is the default of Qdrant Cloud."""
    collection = {one.alias_name: one.collection_name for one in owner.client.get_aliases().aliases}.get(name, name)
    indexes = owner.indexes.get(collection, {})
    for key, kinds in _keys(asked):
        if indexes.get(key, {}).get("data_type") not in kinds:
            raise ValueError(
                f'Bad request: Index required but not found for "{key}" of one of the following types: [{", ".join(kinds)}]. '
                "Help: Create an index for this key or use a different filter."
            )


def _keys(condition: Any) -> Iterator[tuple[str, tuple[str, ...]]]:
    """(field, kinds of index that serve the condition) of every condition of a filter."""
    if isinstance(condition, models.Filter):
        for part in (condition.must, condition.should, condition.must_not):
            for one in part if isinstance(part, list) else [part] if part is not None else []:
                yield from _keys(one)
    elif isinstance(condition, models.IsEmptyCondition):
        yield condition.is_empty.key, ("keyword", "integer", "bool", "datetime")
    elif isinstance(condition, models.FieldCondition):
        match = condition.match
        values = match.any if isinstance(match, models.MatchAny) else [getattr(match, "value", None)]
        kind = {bool: "bool", int: "integer", str: "keyword"}.get(type(values[0]), "datetime")
        yield condition.key, (kind,)


def _change_aliases(owner: QdrantHttpServer, name: str, body: Any) -> bool:
    return owner.client.update_collection_aliases(models.ChangeAliasesOperation.model_validate(body).actions)


_DONE = {"operation_id": 0, "status": "completed"}
_NAME = r"/collections/(?P<name>[^/]+)"
_ROUTES: dict[tuple[str, str], Callable[[QdrantHttpServer, str, Any], Any]] = {
    ("GET", "/collections"): lambda owner, _, __: owner.client.get_collections().model_dump(mode="json"),
    ("GET", "/aliases"): lambda owner, _, __: owner.client.get_aliases().model_dump(mode="json"),
    ("POST", "/collections/aliases"): _change_aliases,
    ("PUT", _NAME): _create,
    ("GET", _NAME): _info,
    ("PATCH", _NAME): _update,
    ("DELETE", _NAME): lambda owner, name, _: owner.client.delete_collection(name),
    ("PUT", f"{_NAME}/index"): _index,
    ("PUT", f"{_NAME}/points"): _upsert,
    ("POST", f"{_NAME}/points/delete"): _delete_points,
    ("POST", f"{_NAME}/points/scroll"): _scroll,
    ("POST", f"{_NAME}/points/count"): _count,
    ("POST", f"{_NAME}/points/query"): _query,
    ("POST", f"{_NAME}/points/query/batch"): _query_batch,
}
