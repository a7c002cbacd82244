"""What is wrong with the names and values of settings. Not here: the types of values (`system.checks`)."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from pydantic import ValidationError

from legal_pipeline.errors import ConfigurationError

#: Minimum similarity (`difflib` ratio) of a mistyped variable to a setting.
_NEAR = 0.85


def wrong_values(error: ValidationError, variables: Mapping[str, str]) -> str:
    """Return what is wrong with each setting; `variables` are the names of the settings in the environment."""
    wrong = []
    for problem in error.errors(include_input=False, include_url=False):
        name = str(problem["loc"][0]) if problem["loc"] else "settings"
        wrong.append(f"{variables.get(name, name)}: {problem['msg'].removeprefix('Value error, ')}")
    return "; ".join(wrong)


def verify_names(given: Iterable[str], known: Iterable[str], prefix: str) -> None:
    """Raise `ConfigurationError` for a variable with `prefix` whose name is almost a known name: it would have no effect.

    Other unknown names are allowed: Kubernetes gives pods `…_SERVICE_HOST` and `…_PORT` for a service of the name.
    """
    names = {name.removeprefix(prefix) for name in known}
    for name in sorted({name.upper() for name in given}):
        rest = name.removeprefix(prefix)
        if rest == name or rest in names:
            continue
        if near := difflib.get_close_matches(rest, names, n=1, cutoff=_NEAR):
            raise ConfigurationError(f"{name} is not a setting: did you mean {prefix}{near[0]}?")
