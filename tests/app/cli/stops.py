"""States in which a stop may find the program, each reached in a process of its own."""

from __future__ import annotations

import os
import pty
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from tests.app.cli.forked import ROOT, Running, fork_server
from tests.servers.processes import free_port
from tests.short_plans import SHORTEN, WITH_SMALL_FILES
from tests.waiting import HANG_S

Process = Running | subprocess.Popen[bytes]

REACHED = "REACHED"
CONNECTED = ""
"""Nothing is said by a program that waits for somebody else: its connection is looked for."""

# What can't be produced on demand (a name server that is silent, an endless computation) is put in
# place of the real function; everything else of the program is as it is.
_PATCHES = """
import ctypes, sqlite3, sys, threading, time

def reached():
    sys.stderr.write("REACHED\\n")
    sys.stderr.flush()

def computes(*_, **__):
    reached()
    while True:
        sum(range(1000))

def waits_in_c(*_, **__):
    reached()
    while True:
        ctypes.CDLL(None).sleep(6000)

def waits_for_a_lock(*_, **__):
    reached()
    threading.Event().wait()

def asks_the_database(*_, **__):
    reached()
    sqlite3.connect(":memory:").execute(
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    ).fetchall()

def waits_for_a_child(*_, **__):
    import subprocess
    reached()
    subprocess.run(["sleep", "5"])

def replaced(module, name, by):
    import importlib
    place = importlib.import_module(module)
    for part in name.split(".")[:-1]:
        place = getattr(place, part)
    setattr(place, name.split(".")[-1], by)

{patch}
"""
_MAIN = "from app.__main__ import main\nmain()\n"


@dataclass(frozen=True)
class Stage:
    """What a state may need: a place to measure in, a home, and servers that never answer."""

    directory: Path
    home: Path
    silent_port: int
    full_port: int
    ssh_home: Path | None = None
    ssh_url: str = ""


@dataclass(frozen=True)
class State:
    """``args`` start it, ``patch`` is run before, and it is reached when ``marker`` was said.

    ``plan`` makes the quick plan a shorter one.
    ``terminal``: standard input and error are one. ``started``: the program is started for it, and
    is no copy of one that has loaded all.
    """

    name: str
    args: Callable[[Stage], list[str]]
    marker: str = REACHED
    patch: str = ""
    plan: str = WITH_SMALL_FILES
    terminal: bool = False
    unread: bool = False
    environment: Mapping[str, str] = field(default_factory=dict)
    ssh: bool = False
    started: bool = False


def _fixed(*args: str) -> Callable[[Stage], list[str]]:
    return lambda stage: list(args)


def _here(*args: str) -> Callable[[Stage], list[str]]:
    return lambda stage: [*args, "--dir", str(stage.directory)]


def _probe(*args: str) -> Callable[[Stage], list[str]]:
    return _here("probe", *args, "--json")


STATES = (
    State(
        "loading",
        _fixed("runs"),
        patch="replaced('app.cli.main', 'prepare_streams', computes)",
        started=True,
    ),
    State("filling files", _probe("storage", "local"), marker="Preparing"),
    State(
        "measuring",
        _probe("redo", "local", "--block-sizes", "4k"),
        marker="[1/",
        started=True,
    ),
    State(
        "looking for a server",
        _here("check", "local"),
        patch="replaced('advisor.runs.link', 'find_socket', waits_for_a_lock)",
    ),
    State(
        "an SSH banner",
        lambda at: ["targets", "test", f"ssh://x@127.0.0.1:{at.silent_port}"],
        CONNECTED,
    ),
    State(
        "a connection",
        lambda at: ["targets", "test", f"ssh://x@127.0.0.1:{at.full_port}"],
        CONNECTED,
    ),
    State(
        "a MySQL greeting",
        lambda at: ["targets", "test", f"mysql://127.0.0.1:{at.silent_port}"],
        CONNECTED,
    ),
    # A request that is never sent is never answered: the login waits as for a server that is slow.
    State(
        "an SSH login",
        lambda at: ["targets", "test", at.ssh_url],
        patch="replaced('paramiko.auth_handler', 'AuthHandler.auth_none', lambda *_: reached())",
        ssh=True,
    ),
    State(
        "a name",
        _fixed("targets", "test", "ssh://x@nowhere.example"),
        patch="replaced('socket', 'getaddrinfo', waits_in_c)",
    ),
    State(
        "a password",
        _fixed("targets", "test", "mysql://someone@127.0.0.1:1"),
        marker="Password for",
        patch="from app.cli.shown.prompts import TerminalPrompts\n"
        "replaced('advisor.runs.session', 'test_connection',"
        " lambda spec, prompts, token: prompts.password('mysql x', ''))",
        terminal=True,
    ),
    State(
        "bringing the agent",
        lambda at: ["probe", "redo", at.ssh_url, "--dir", str(at.directory), "--json"],
        patch="replaced('probes.targets.ssh.target', 'SshTarget.put_file', waits_for_a_lock)",
        ssh=True,
    ),
    State(
        "measuring over SSH",
        lambda at: ["probe", "redo", at.ssh_url, "--dir", str(at.directory), "--json"],
        marker="[1/",
        ssh=True,
    ),
    State(
        "a command on the target",
        _probe("redo", "local"),
        patch="replaced('probes.targets.local', 'LocalTarget.run', waits_for_a_child)",
    ),
    State("making a server", _probe("mysql", "local", "--sandbox"), marker="Starting a private"),
    State("filling a table", _probe("mysql", "local", "--sandbox"), marker="Preparing"),
    State(
        "judging",
        _probe("redo", "local"),
        plan=SHORTEN,
        patch="import advisor.judging.engine\nreplaced('advisor.runs.session', 'judge', computes)",
    ),
    State(
        "a report",
        _probe("redo", "local"),
        plan=SHORTEN,
        patch="replaced('app.cli.shown.measuring', 'to_json', computes)",
    ),
    State(
        "a chart",
        _fixed("runs"),
        patch="replaced('app.cli.commands.runs', 'opened_store', computes)",
    ),
    State(
        "the database",
        _fixed("runs"),
        patch="replaced('app.cli.commands.runs', 'opened_store', asks_the_database)",
    ),
    State(
        "an import",
        lambda at: ["import", str(at.home / "endless.json")],
        patch="replaced('app.cli.commands.collecting.import_', 'import_files', computes)",
    ),
    State(
        "a reader who does not read",
        _fixed("runs"),
        patch="def shouts(*_):\n"
        "    reached()\n"
        "    while True:\n"
        "        sys.stdout.write('x' * 65536)\n"
        "replaced('app.cli.commands.runs', 'opened_store', shouts)",
        unread=True,
    ),
)


@dataclass(frozen=True)
class Stopped:
    """How it ended: the code, after how many seconds, its words."""

    code: int
    seconds: float
    said: str


@contextmanager
def silent_servers() -> Iterator[tuple[int, int]]:
    """A port that takes connections and says nothing, and one that is full."""
    with socket.create_server(("127.0.0.1", 0), backlog=50) as silent:
        port = free_port()
        with socket.socket() as full:
            full.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            full.bind(("127.0.0.1", port))
            full.listen(0)
            waiting = []
            for _ in range(4):
                line = socket.socket()
                line.setblocking(False)
                line.connect_ex(("127.0.0.1", port))
                waiting.append(line)
            try:
                yield silent.getsockname()[1], port
            finally:
                for line in waiting:
                    line.close()


def stop(
    state: State, stage: Stage, number: int = signal.SIGINT, *, really: bool = False
) -> Stopped:
    """Bring the program into ``state`` and stop it there; ``really``: one started for it."""
    environment = {
        **os.environ,
        "LEADLINE_HOME": str(stage.home),
        "PYTHONIOENCODING": "utf-8",
        "SSH_AUTH_SOCK": "",
        **({"HOME": str(stage.ssh_home)} if state.ssh else {}),
        **state.environment,
    }
    ours, theirs = pty.openpty() if state.terminal else os.pipe()
    reading, stdout = os.pipe() if state.unread else (None, os.open(os.devnull, os.O_RDWR))
    stdin = theirs if state.terminal else os.open(os.devnull, os.O_RDONLY)
    process = _begin(state, stage, environment, (stdin, stdout, theirs), really or state.started)
    for descriptor in {stdin, stdout, theirs}:
        os.close(descriptor)
    try:
        said = _until(ours, state.marker, process)
        asked = time.monotonic()
        os.kill(process.pid, number)
        code = process.wait(HANG_S)
        took_s = time.monotonic() - asked
        return Stopped(code, took_s, said + _rest(ours))
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        os.close(ours)
        if reading is not None:
            os.close(reading)


def _begin(
    state: State,
    stage: Stage,
    environment: Mapping[str, str],
    streams: tuple[int, int, int],
    really: bool,
) -> Process:
    before = state.plan + _PATCHES.format(patch=state.patch)
    if not really:
        return fork_server().start_on(
            streams, state.args(stage), environment=environment, before=before
        )
    return subprocess.Popen(
        [sys.executable, "-c", before + _MAIN, *state.args(stage)],
        cwd=ROOT,
        env=environment,
        stdin=streams[0],
        stdout=streams[1],
        stderr=streams[2],
        start_new_session=True,
    )


def _until(readable: int, marker: str, process: Process) -> str:
    said = b""
    ends = time.monotonic() + HANG_S
    while not _waits(process) if marker == CONNECTED else marker.encode() not in said:
        if time.monotonic() > ends:
            raise AssertionError(said.decode("utf-8", "replace"))
        if select.select([readable], [], [], 0.05)[0]:
            with suppress(OSError):
                part = os.read(readable, 1 << 16)
                if not part and process.poll() is not None:
                    raise AssertionError(said.decode("utf-8", "replace"))
                said += part
    return said.decode("utf-8", "replace")


def _waits(process: Process) -> bool:
    """Whether it has a TCP connection, be it half made."""
    for link in Path(f"/proc/{process.pid}/fd").glob("*"):
        with suppress(OSError):
            if _is_tcp(str(link.readlink())):
                return True
    return False


def _is_tcp(link: str) -> bool:
    inode = link.removeprefix("socket:[").rstrip("]")
    lines = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return any(line.split()[9] == inode for line in lines)


def _rest(readable: int) -> str:
    said = b""
    while select.select([readable], [], [], 0.2)[0]:
        try:
            part = os.read(readable, 1 << 16)
        except OSError:
            break
        if not part:
            break
        said += part
    return said.decode("utf-8", "replace")
