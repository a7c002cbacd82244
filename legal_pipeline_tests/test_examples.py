"""The rule for random examples holds for every test: the same in `make test`, new ones in `make test-all`."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import settings

from legal_pipeline_tests import examples


def test_no_test_has_settings_of_its_own(repository: Path) -> None:
    """`examples(…)` alone knows the profiles; a test with `settings` would draw by chance or at one speed."""
    files = [
        path
        for path in (repository / "legal_pipeline_tests").rglob("*.py")
        if path.name not in ("examples.py", Path(__file__).name)
    ]
    users = [path for path in files if re.search(r"^from hypothesis import ", path.read_text("utf-8"), re.MULTILINE)]
    assert len(users) > 30
    assert [path.name for path in users if re.search(r"import .*\bsettings\b", hypothesis_imports(path))] == []


def hypothesis_imports(path: Path) -> str:
    return "\n".join(line for line in path.read_text("utf-8").splitlines() if line.startswith("from hypothesis import"))


def test_examples_are_the_same_each_time_or_new_and_ten_times_as_many() -> None:
    repeatable, thorough = (settings.get_profile(name) for name in ("repeatable", "thorough"))
    assert (repeatable.derandomize, thorough.derandomize) == (True, False)
    assert thorough.max_examples == 10 * repeatable.max_examples
    before = settings.get_current_profile_name()
    try:
        settings.load_profile("repeatable")
        assert examples.examples(40, thorough=800).max_examples == 40
        settings.load_profile("thorough")
        assert examples.examples(40).max_examples == 400
        assert examples.examples(40, thorough=800).max_examples == 800
    finally:
        settings.load_profile(before)
