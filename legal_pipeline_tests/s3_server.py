"""An S3 store over HTTP in a process of its own, and the requests that it has got. Not here: what is stored there."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import sys
import urllib.request
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import fsspec
import pytest

from legal_pipeline_tests import processes
from legal_pipeline_tests.webserver import wait_for

_REQUEST = re.compile(r'"([A-Z]+) /laws/?(\S*) HTTP')


class S3Server:
    """A bucket `laws`."""

    def __init__(self, log: Path) -> None:
        self._log, self._seen = log, 0

    def requests(self) -> list[tuple[str, str]]:
        """(method, object) of the requests since the last call; a listing has no object."""
        text = self._log.read_text()
        new, self._seen = text[self._seen :], len(text)
        return _REQUEST.findall(new)

    def methods(self) -> Counter[str]:
        """The requests since the last call, by method."""
        return Counter(method for method, _ in self.requests())


@contextlib.contextmanager
def s3_server(folder: Path) -> Iterator[S3Server]:
    """Start the server; within the block `s3://laws` is its bucket, in this process and in those that it starts."""
    for name in ("s3fs", "moto", "flask_cors"):
        pytest.importorskip(name, reason=f"the package {name} is not installed (`pip install 'legal-pipeline[dev]'`)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    url, log = f"http://127.0.0.1:{port}", folder / "s3.log"
    environment = {
        "AWS_ENDPOINT_URL": url, "AWS_ACCESS_KEY_ID": "law", "AWS_SECRET_ACCESS_KEY": "law", "AWS_DEFAULT_REGION": "us-east-1",
    }  # fmt: skip
    with processes.ended(), log.open("w") as output, mock.patch.dict(os.environ, environment):
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
        processes.start(command, stdout=output, stderr=output)

        def makes_a_bucket() -> bool:
            with contextlib.suppress(OSError):
                urllib.request.urlopen(urllib.request.Request(f"{url}/laws", method="PUT"), timeout=5).close()
                return True
            return False

        wait_for("the S3 server", makes_a_bucket, 60)
        fsspec.get_filesystem_class("s3").clear_instance_cache()  # clients of a server before
        yield S3Server(log)
