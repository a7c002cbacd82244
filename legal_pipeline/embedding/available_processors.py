"""Count the processors that this process may use: by its affinity and by the quotas of its control groups.

`os.cpu_count` counts all processors of the machine, even in a container that may use half of one; threads beyond the quota only wait for
each other. Not here: the division of processors between processes (`embedding.processors`).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def available_processors(process: Path = Path("/proc/self")) -> int:
    """Return the number of processors that this process may use, at least 1; a quota of 2.5 processors counts as 2.

    The quota is the lowest of the control group in `process` and of all groups above it, in version 1 and 2. It is read at each call,
    because a container's quota may change while it runs. Without control groups only the affinity counts.
    """
    allowed = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    try:
        quotas = [quota for group in _cpu_groups(process) if (quota := _quota(group)) is not None]
    except (OSError, ValueError):
        quotas = []
    return max(1, int(min([allowed, *quotas])))


def _cpu_groups(process: Path) -> Iterator[Path]:
    """Yield the folders of the process's group and of all groups above it, in each hierarchy that limits processor time."""
    paths = {}
    for line in (process / "cgroup").read_text().splitlines():
        _, controllers, path = line.split(":", 2)
        paths.update(dict.fromkeys(controllers.split(","), path))  # version 2 names no controllers
    for line in (process / "mountinfo").read_text().splitlines():
        # see proc_pid_mountinfo(5): fields of a mount, " - ", then its type, source and options
        mount, _, file_system = line.partition(" - ")
        kind, _, options = file_system.split(" ", 2)
        root, mount_point = mount.split(" ")[3:5]
        if kind == "cgroup2":
            controller = ""
        elif kind == "cgroup" and "cpu" in options.split(","):
            controller = "cpu"
        else:
            continue
        if controller in paths:
            path = paths[controller]
            top = Path(mount_point)
            # a container may see the host's path, which is not inside its own mount: then its group is the root of the mount
            inside = os.path.relpath(path, root) if os.path.commonpath((path, root)) == root else "."
            group = top / inside
            yield from (folder for folder in (group, *group.parents) if folder == top or top in folder.parents)


def _quota(group: Path) -> float | None:
    """Return the number of processors that the group's processes may use together, None without a limit."""
    if (limit := group / "cpu.max").exists():
        quota, period = limit.read_text().split()
        return None if quota == "max" else int(quota) / int(period)
    if (limit := group / "cpu.cfs_quota_us").exists():
        microseconds = int(limit.read_text())
        return None if microseconds <= 0 else microseconds / int((group / "cpu.cfs_period_us").read_text())
    return None
