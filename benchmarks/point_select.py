"""What a point select costs the client: agent and sysbench against the same server."""

from __future__ import annotations

import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import agent
import sysbench
from outcome import Bar, Measured, Outcome, paired_ratio
from process import BenchmarkError, run

CONNECTIONS = 64
ROWS = 100_000
SECONDS = 4.0
ROUNDS = 7
SETTING = f"{CONNECTIONS} connections"
_START_S = 30.0


def compare(rounds: int = ROUNDS) -> Outcome:
    """Interleave the two programs on one private server, the first one turning."""
    rows: list[Measured] = []
    with private_server() as server:
        run(["sysbench", *_arguments(server), "prepare"])
        for number in range(rounds):
            programs = [_agent, _sysbench] if number % 2 else [_sysbench, _agent]
            rows += [program(server, number) for program in programs]
    programs_compared = (agent.NAME, sysbench.NAME)
    own = paired_ratio(rows, SETTING, programs_compared, lambda row: row.user_us)
    total = paired_ratio(rows, SETTING, programs_compared, lambda row: row.user_us + row.system_us)
    rate = paired_ratio(rows, SETTING, programs_compared, lambda row: row.rate_per_s)
    return Outcome(
        name="point_select",
        title="Processor time of the client per point select",
        method=(
            f"oltp_point_select of sysbench and point_select of the agent, both with prepared "
            f"statements, {CONNECTIONS} connections over a unix socket to one private MariaDB, "
            f"one cached table of {ROWS} rows, {SECONDS:.0f} s per run, {rounds} interleaved "
            "pairs; ratios are medians of those within a pair. sysbench's time is that of its "
            "process less that of a run with one event."
        ),
        rows=rows,
        bars=[Bar(f"own time per query / sysbench, {SETTING}", own, 0.8)],
        notes=[
            f"With the kernel's part (sockets, switches) the ratio is {total:.2f}.",
            f"The rate was {rate:.2f} times that of sysbench.",
        ],
    )


@contextmanager
def private_server() -> Iterator[Path]:
    """A MariaDB without accounts and network; yields its socket."""
    program = shutil.which("mariadbd") or shutil.which("mariadbd", path="/usr/sbin")
    if program is None:
        raise BenchmarkError("mariadbd is not installed.")
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as folder:
        data = Path(folder) / "data"
        data.mkdir()
        place = Path(folder) / "s"
        options = [
            "--no-defaults",
            "--user=root",
            f"--datadir={data}",
            f"--socket={place}",
            f"--pid-file={folder}/pid",
            f"--log-error={folder}/log",
            "--skip-networking",
            "--skip-grant-tables",
            "--innodb-buffer-pool-size=128M",
            "--innodb-log-file-size=32M",
            "--innodb-flush-log-at-trx-commit=0",
            "--max-connections=200",
            "--aria-log-file-size=8M",
            f"--aria-log-dir-path={data}",
        ]
        server = subprocess.Popen([program, *options])
        try:
            _await(server, place)
            run(["mariadb", "--no-defaults", f"--socket={place}", "-e", "CREATE DATABASE leadline"])
            yield place
        finally:
            server.terminate()
            server.wait()


def _await(server: subprocess.Popen[bytes], place: Path) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket(socket.AF_UNIX) as trial:
            if trial.connect_ex(str(place)) == 0:
                return
        time.sleep(0.05)
    raise BenchmarkError("mariadbd does not start.")


def _arguments(place: Path) -> list[str]:
    return [
        "oltp_point_select",
        f"--mysql-socket={place}",
        "--mysql-user=root",
        "--mysql-db=leadline",
        "--tables=1",
        f"--table-size={ROWS}",
        "--rand-type=uniform",
    ]


def _sysbench(place: Path, number: int) -> Measured:
    arguments = [*_arguments(place), f"--threads={CONNECTIONS}"]
    return sysbench.measure(arguments, seconds=SECONDS, setting=SETTING, number=number)


def _agent(place: Path, number: int) -> Measured:
    table = {"name": "sbtest1", "key": "id", "column": "c", "min": 1, "max": ROWS}
    plan: dict[str, object] = {
        "mysql": {
            "network": "unix",
            "address": str(place),
            "user": "root",
            "password": "",
            "tls": "off",
            "database": "leadline",
            "tables": {"cached": table},
        },
        "points": [
            {
                "id": "p",
                "probe": "point_select",
                "table": "cached",
                "protocol": "prepared",
                "threads": CONNECTIONS,
                "seconds": SECONDS,
                "warmup_seconds": 0.3,
                "seed": number,
            }
        ],
    }
    return agent.measure(plan, settings=[SETTING], number=number)[0]
