"""How many processors a process may use, by real control groups and by what the kernel writes of other ones."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from legal_pipeline.embedding.available_processors import available_processors
from legal_pipeline.embedding.processors import Processors

V2 = "29 23 0:26 {root} {mount} rw,nosuid - cgroup2 cgroup rw,nsdelegate\n"
V1 = "30 23 0:27 {root} {mount} rw,nosuid shared:4 - cgroup cgroup rw,cpu,cpuacct\n"


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine with 64 processors, all of which the process may use by its affinity."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(64)))


def process(folder: Path, groups: str, mounts: str, root: str = "/") -> Path:
    """What /proc says of a process whose groups are mounted below `folder`."""
    found = folder / "proc"
    found.mkdir()
    (found / "cgroup").write_text(groups)
    (found / "mountinfo").write_text(mounts.format(root=root, mount=folder / "cgroup"))
    return found


def group(folder: Path, **files: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("cpu_", "cpu.", 1)).write_text(text)


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    ("limit", "processors"),
    [("250000 100000", 2), ("400000 100000", 4), ("50000 100000", 1), ("max 100000", 64), ("9900000 100000", 64)],
)
def test_a_container_has_the_processors_of_its_quota(tmp_path: Path, limit: str, processors: int) -> None:
    group(tmp_path / "cgroup", cpu_max=limit)
    assert available_processors(process(tmp_path, "0::/\n", V2)) == processors


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(
    ("ours", "processors"), [("max 100000", 3), ("500000 100000", 3), ("200000 100000", 2)], ids=["none", "5", "2"]
)
def test_the_tightest_group_above_a_process_counts(tmp_path: Path, ours: str, processors: int) -> None:
    group(tmp_path / "cgroup" / "pods", cpu_max="300000 100000")
    group(tmp_path / "cgroup" / "pods" / "ours", cpu_max=ours)
    group(tmp_path / "cgroup" / "others", cpu_max="100000 100000")
    assert available_processors(process(tmp_path, "0::/pods/ours\n", V2)) == processors


@pytest.mark.usefixtures("many")
@pytest.mark.parametrize(("quota", "processors"), [("600000", 6), ("-1", 64)])
def test_control_groups_of_version_1_count_too(tmp_path: Path, quota: str, processors: int) -> None:
    group(tmp_path / "cgroup" / "docker" / "abc", cpu_cfs_quota_us=quota, cpu_cfs_period_us="100000")
    groups = "12:memory:/elsewhere\n4:cpu,cpuacct:/docker/abc\n0::/\n"
    assert available_processors(process(tmp_path, groups, V1)) == processors


@pytest.mark.usefixtures("many")
def test_a_container_that_sees_the_path_of_its_host_finds_its_own_group(tmp_path: Path) -> None:
    group(tmp_path / "cgroup", cpu_cfs_quota_us="200000", cpu_cfs_period_us="100000")
    groups = "4:cpu,cpuacct:/docker/abc\n"
    assert available_processors(process(tmp_path, groups, V1, root="/docker/abc")) == 2


@pytest.mark.usefixtures("many")
def test_without_control_groups_the_affinity_counts(tmp_path: Path) -> None:
    assert available_processors(tmp_path / "nothing") == 64


def test_a_process_that_may_use_one_processor_shares_one(tmp_path: Path) -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(before)})
    try:
        assert Processors(tmp_path / "working").share() == 1
    finally:
        os.sched_setaffinity(0, before)


@contextlib.contextmanager
def real_group(microseconds: int) -> Iterator[Path]:
    """A control group of this machine whose processes may use so much of each 100,000 microseconds."""
    name = f"legal-pipeline-{uuid.uuid4().hex}"
    for parent, file, text in (
        (Path("/sys/fs/cgroup/cpu"), "cpu.cfs_quota_us", str(microseconds)),
        (Path("/sys/fs/cgroup"), "cpu.max", f"{microseconds} 100000"),
    ):
        folder = parent / name
        with contextlib.suppress(OSError):
            folder.mkdir()
            try:
                (folder / file).open("r+").write(text)
                yield folder
            finally:
                folder.rmdir()
            return
    pytest.skip("this user may not make control groups")


def test_a_process_whose_group_has_a_quota_of_one_processor_shares_one(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from legal_pipeline.embedding.processors import Processors\n"
        "Path(sys.argv[1], 'cgroup.procs').write_text(str(os.getpid()))\n"
        "print(Processors(Path(sys.argv[2])).share())"
    )
    with real_group(100_000) as folder:
        command = [sys.executable, "-c", code, str(folder), str(tmp_path)]
        done = subprocess.run(command, capture_output=True, text=True)
    assert done.stdout == "1\n", done.stderr
