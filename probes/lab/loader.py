"""The load program beside one server: it works in turns, and freezes its server between them.

Its PROTOCOL.md says what it reads and what it answers.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import whole
from probes.cancel import CancelToken
from probes.engines.agent.plan import mysql_part
from probes.errors import AgentFailed, ConnectionLost, MySQLError
from probes.events import Preparing
from probes.figures import seconds
from probes.lab.server import ROWS
from probes.lab.turn import LoadTurn, read_turn
from probes.lab.variant import ClientGroup, Keys, LabLoad, LoadKind
from probes.mysql.lookup_table import row_count
from probes.mysql.work import MySQLWork
from probes.targets.target import LINE_LIMIT_BYTES, Stream, Target

PROTOCOL = 1

STATUS = (
    "Com_commit",
    "Com_delete",
    "Com_insert",
    "Com_select",
    "Com_update",
    "Innodb_buffer_pool_pages_flushed",
    "Innodb_buffer_pool_read_requests",
    "Innodb_buffer_pool_reads",
    "Innodb_buffer_pool_wait_free",
    "Innodb_data_fsyncs",
    "Innodb_data_read",
    "Innodb_data_reads",
    "Innodb_data_writes",
    "Innodb_data_written",
    "Innodb_dblwr_pages_written",
    "Innodb_dblwr_writes",
    "Innodb_log_waits",
    "Innodb_os_log_fsyncs",
    "Innodb_os_log_written",
    "Innodb_pages_read",
    "Innodb_pages_written",
    "Innodb_row_lock_waits",
    "Innodb_row_lock_time",
    "Key_reads",
    "Key_writes",
    "Questions",
)
"""The server's counters that say what a transaction took."""

PAGES_FREE, PAGES_ALL = "Innodb_buffer_pool_pages_free", "Innodb_buffer_pool_pages_total"
GAUGES = (PAGES_FREE, PAGES_ALL, "Innodb_buffer_pool_pages_dirty")
"""Those of which the value counts: how full the pool is."""

_POLL_S = 0.25
_SILENT_S = 30.0
_READY_S = 120.0
_PREPARING_S = 3600.0
_LATE_S = 120.0
"""How long after its seconds a turn may end: the last transactions, on a drive that is busy."""

_LETTERS = 400
_ENDING_S = 5.0


class Loader:
    """One load program; belongs to the thread that started it.

    Every method raises AgentFailed where the program dies or speaks nonsense, MySQLError where its
    server has refused or left it, ConnectionLost and Cancelled.
    """

    def __init__(self, stream: Stream, where: str, token: CancelToken) -> None:
        self._stream = stream
        self._where = where
        self._token = token

    def ready(self) -> None:
        """Wait until all its connections are open."""
        self._until("ready", _READY_S)

    def prepare(self) -> Iterator[Preparing]:
        """Have it fill its own tables (TPC-C's warehouses)."""
        self.send({"do": "prepare"})
        for event in self._heard(_PREPARING_S):
            if event["event"] == "preparing":
                done, total = (whole(event.get(name), name) for name in ("done", "total"))
                if total > 1:
                    yield Preparing("warehouses", done, total)
            elif event["event"] == "prepared":
                return

    def run(self, statements: Sequence[str], connections: int) -> Iterator[float]:
        """Have statements carried out, consecutive ones on each of some connections.

        Yields the share of them that is done, 0 to 1.
        """
        self.send({"do": "run", "statements": list(statements), "connections": connections})
        for event in self._heard(_PREPARING_S):
            if event["event"] == "preparing":
                yield whole(event.get("done"), "done") / len(statements)
            elif event["event"] == "ran":
                return

    def turn(self, settle_s: float, counted_s: float, *, freeze: bool = True) -> LoadTurn:
        """Let the clients work, uncounted first; the server is frozen afterwards."""
        self.send({"do": "turn", "settle_s": settle_s, "seconds": counted_s, "freeze": freeze})
        event = self._until("turn", settle_s + counted_s + _LATE_S)
        try:
            return read_turn(event)
        except Malformed as error:
            raise self._nonsense(str(error)) from error

    def freeze(self) -> None:
        """Stop its server until the next turn."""
        self.send({"do": "freeze"})
        self._until("frozen", _READY_S)

    def end(self) -> None:
        """Have it say goodbye; its server is not frozen then."""
        self.send({"do": "end"})
        self._until("done", _READY_S)

    def send(self, words: dict[str, object]) -> None:
        """Tell it something. Where it has ended, or the way to it, whoever listens hears that."""
        with suppress(ConnectionLost):
            self._stream.send(json.dumps(words).encode() + b"\n")

    def _until(self, name: str, limit_s: float) -> dict[str, object]:
        for event in self._heard(limit_s):
            if event["event"] == name:
                return event
        raise self._nonsense(f"it ended before it said {name}")

    def _heard(self, limit_s: float) -> Iterator[dict[str, object]]:
        """What it says but that it lives; ends with its output."""
        deadline = time.monotonic() + limit_s
        silent_since = time.monotonic()
        while time.monotonic() < deadline:
            line = self._stream.read_line(_POLL_S)
            self._token.check()
            if line is None:
                raise self._died()
            if not line:
                if time.monotonic() - silent_since > _SILENT_S:
                    break
                continue
            silent_since = time.monotonic()
            event = self._event(line)
            if event["event"] != "alive":
                yield event
        raise AgentFailed(
            f"The load program on {self._where} has not answered within {seconds(limit_s)}.",
            "It hangs, or its server does; look at the kernel's log there.",
        )

    def _event(self, line: bytes) -> dict[str, object]:
        try:
            event = decode_object(line, LINE_LIMIT_BYTES)
        except Malformed as error:
            raise self._nonsense(str(error)) from error
        if event.get("event") == "error":
            raise self._fault(event)
        return event | {"event": str(event.get("event"))}

    def _fault(self, event: dict[str, object]) -> AgentFailed | MySQLError:
        message = shown(event.get("message"), _LETTERS)
        sentence = f"The load program on {self._where} can't go on: {message}."
        if str(event.get("code")).startswith("mysql"):
            return MySQLError(sentence)
        return AgentFailed(sentence)

    def _nonsense(self, why: str) -> AgentFailed:
        return AgentFailed(
            f"The load program on {self._where} said what can't be: {why}.",
            "Use the one that came with this Leadline.",
        )

    def _died(self) -> AgentFailed:
        answer = self._stream.finish(_ENDING_S).stderr.decode("utf-8", "replace")
        return AgentFailed(f"The load program on {self._where} ended early.", details=answer)


@contextmanager
def loader(
    target: Target,
    clients: ClientGroup | None,
    work: MySQLWork,
    server_pid: int,
    token: CancelToken,
    *,
    options: Sequence[str] = (),
) -> Iterator[Loader]:
    """Start the load program for one server; ends it. ``work`` has the table ``rows``.

    Without ``clients`` it only carries out statements. ``options`` are further ones of sysbench's.
    The connections are open once ``ready`` was waited for. Raises AgentFailed, TargetError.
    """
    plan = {
        "protocol": PROTOCOL,
        "mysql": mysql_part(work),
        "load": {"kind": "none"} if clients is None else _load(clients, options),
        "server": {"pid": server_pid},
        "status": list(STATUS),
        "gauges": list(GAUGES),
    }
    with target.stream([target.load_program()], token=token) as stream:
        made = Loader(stream, target.name, token)
        made.send(plan)
        yield made


def _load(clients: ClientGroup, options: Sequence[str]) -> dict[str, object]:
    load = clients.load
    part: dict[str, object] = {
        "kind": load.kind.value,
        "connections": clients.connections,
        "keys": load.keys.value,
        "seed": clients.seed,
        "think_us": load.think_us,
    }
    if load.kind is LoadKind.TPCC:
        return part | {"warehouses": load.warehouses}
    if load.kind is LoadKind.SYSBENCH:
        return part | {"script": load.script, "options": [*sysbench_options(load), *options]}
    if load.kind is LoadKind.MIX:
        part |= {"mix": asdict(load.mix)}
    if load.keys is Keys.HOT:
        part |= {"hot": asdict(load.hot)}
    return part | {"table": ROWS}


_SYSBENCH_KEYS = {Keys.UNIFORM: "uniform", Keys.ZIPF: "zipfian", Keys.PARETO: "pareto"}


def sysbench_options(load: LabLoad) -> list[str]:
    """How much data the script has, in its own options: TPC-C's scripts have warehouses."""
    if load.warehouses:
        return ["--tables=1", f"--scale={load.warehouses}"]
    rows = row_count(load.data_bytes)
    return ["--tables=1", f"--table-size={rows}", f"--rand-type={_SYSBENCH_KEYS[load.keys]}"]
