"""Reads the data files beside the modules of this project. Not here: the meaning of their keys, and files of users."""

from __future__ import annotations

import functools
import importlib.resources
import json
import tomllib
from typing import Any


@functools.cache
def data_file(package: str, name: str) -> dict[str, Any]:
    """Return the object in the TOML or JSON file `name` of `package`. Read once: all callers share it, so it must not be changed."""
    text = importlib.resources.files(package).joinpath(name).read_text("utf-8")
    found: dict[str, Any] = json.loads(text) if name.endswith(".json") else tomllib.loads(text)
    return found
