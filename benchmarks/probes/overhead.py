"""What measuring costs the program that measures: a read, a point select, a thousand threads."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

from benchmarks.probes.outcome import (
    OWN,
    RATE,
    Figure,
    Measured,
    Outcome,
    paired_ratio,
    threads_text,
)
from benchmarks.probes.programs import (
    AGENT,
    FIO,
    SYSBENCH,
    fio_reads,
    noise_file,
    of_agent,
    of_fio,
    sysbench,
)
from benchmarks.shared import agent
from benchmarks.shared.loaded_server import SCHEMA, Place, Tables, build_of
from benchmarks.shared.report import Bar
from tests.servers.eleven import RunningServer

ROUNDS = 7

FILE_BYTES = 256 << 20
OWN_TIME_BYTES = 4096
# The kernel's part of a read, which nobody can spare, is smallest here.
PEAK_BYTES = 512
THREADS = (1, 2)
SECONDS = 2.0

CONNECTIONS, ROWS = 64, 100_000
SELECTS_S = 4.0
SERVER = (
    "innodb_buffer_pool_size = 128M",
    "innodb_log_file_size = 32M",
    "innodb_flush_log_at_trx_commit = 0",
    "max_connections = 200",
)
SELECTS = f"{CONNECTIONS} connections"

MANY_THREADS, MANY_BYTES, MANY_S = 1024, 16384, 1.0
DIRECTORIES = {"on a drive": "/var/tmp", "in memory": "/dev/shm"}
MOST_RESIDENT_MIB, LONGEST_LAUNCH_MS = 128.0, 300.0


def of_reads(rounds: int) -> Outcome:
    """Interleave agent, fio and sysbench on a file in memory, the order turning with each round."""
    rows: list[Measured] = []
    with (
        tempfile.TemporaryDirectory(prefix="leadline-bench-", dir="/dev/shm") as folder,
        # The name is the one that sysbench looks for.
        noise_file(Path(folder) / "test_file.0", FILE_BYTES) as file,
    ):
        for number in range(rounds):
            programs = [_agent_reads, _fio_reads, _sysbench_reads]
            turned = programs[number % 3 :] + programs[: number % 3]
            for block_bytes, threads in product((OWN_TIME_BYTES, PEAK_BYTES), THREADS):
                rows += [program(file, block_bytes, threads, number) for program in turned]

    def ratio(block_bytes: int, threads: int, other: str, figure: Figure) -> float:
        return paired_ratio(rows, _setting(block_bytes, threads), AGENT, other, figure)

    bars = []
    for threads in THREADS:
        own, peak = _setting(OWN_TIME_BYTES, threads), _setting(PEAK_BYTES, threads)
        bars += [
            Bar(f"own time per read / fio, {own}", ratio(OWN_TIME_BYTES, threads, FIO, OWN), 0.4),
            Bar(
                f"own time per read / sysbench, {own}",
                ratio(OWN_TIME_BYTES, threads, SYSBENCH, OWN),
                0.7,
            ),
            Bar(f"peak rate / fio, {peak}", ratio(PEAK_BYTES, threads, FIO, RATE), 1.2, True),
        ]
    times = " and ".join(f"{ratio(OWN_TIME_BYTES, each, FIO, RATE):.2f}" for each in THREADS)
    return Outcome(
        name="overhead",
        title="Own processor time per read, and peak rate, on a file in memory",
        method=(
            f"Random reads, O_DIRECT flag set, one file of {FILE_BYTES >> 20} MiB of noise in "
            f"/dev/shm, {SECONDS:.0f} s per run, {rounds} interleaved rounds; ratios are medians "
            "of those within a round. Own time is user time: the read itself is the kernel's. The "
            "agent reports its own; fio its jobs'; sysbench's is that of its process less that of "
            f"a run with one event. The peak rate is that of {PEAK_BYTES} B, where the kernel "
            "copies least."
        ),
        rows=rows,
        bars=bars,
        notes=[f"With {OWN_TIME_BYTES} B the rate was {times} times fio's, at 1 and 2 threads."],
    )


def _setting(block_bytes: int, threads: int) -> str:
    return f"{block_bytes} B, {threads_text(threads)}"


def _agent_reads(file: Path, block_bytes: int, threads: int, number: int) -> Measured:
    point = agent.reads(threads, block_bytes, SECONDS, number, buffers="huge")
    found, _ = agent.measured(file.parent, FILE_BYTES, point)
    return of_agent(found, _setting(block_bytes, threads), number)


def _fio_reads(file: Path, block_bytes: int, threads: int, number: int) -> Measured:
    job = fio_reads(file, block_bytes, threads, SECONDS)
    return of_fio(job, "read", _setting(block_bytes, threads), number)


def _sysbench_reads(file: Path, block_bytes: int, threads: int, number: int) -> Measured:
    arguments = ["fileio", "--file-num=1", f"--file-total-size={FILE_BYTES}"]
    arguments += ["--file-test-mode=rndrd", "--file-io-mode=sync", "--file-extra-flags=direct"]
    arguments += [f"--file-block-size={block_bytes}", "--rand-type=uniform"]
    arguments += [f"--threads={threads}"]
    return sysbench(arguments, SECONDS, _setting(block_bytes, threads), number, file.parent)


def of_selects(rounds: int) -> Outcome:
    """Interleave agent and sysbench on one private server, the first one turning."""
    rows: list[Measured] = []
    with tempfile.TemporaryDirectory(prefix="leadline-bench-") as folder:
        place = Place(build_of("mariadb-installed"), Path(folder), Tables(1, ROWS))
        place.fill()
        with place.started(SERVER) as server:
            for number in range(rounds):
                programs = [_sysbench_selects, _agent_selects][:: -1 if number % 2 else 1]
                rows += [program(place, server, number) for program in programs]
    own, total, rate = (
        paired_ratio(rows, SELECTS, AGENT, SYSBENCH, figure)
        for figure in (OWN, lambda row: row.user_us + row.system_us, RATE)
    )
    return Outcome(
        name="point_select",
        title="Processor time of the client per point select",
        method=(
            f"oltp_point_select of sysbench and point_select of the agent, both with prepared "
            f"statements, {CONNECTIONS} connections over a unix socket to one private MariaDB, "
            f"one cached table of {ROWS} rows, {SELECTS_S:.0f} s per run, {rounds} interleaved "
            "pairs; ratios are medians of those within a pair. sysbench's time is that of its "
            "process less that of a run with one event."
        ),
        rows=rows,
        bars=[Bar(f"own time per query / sysbench, {SELECTS}", own, 0.8)],
        notes=[
            f"With the kernel's part (sockets, switches) the ratio is {total:.2f}.",
            f"The rate was {rate:.2f} times that of sysbench.",
        ],
    )


def _sysbench_selects(place: Place, server: RunningServer, number: int) -> Measured:
    arguments = [*place.arguments(server, "oltp_point_select"), "--rand-type=uniform"]
    return sysbench([*arguments, f"--threads={CONNECTIONS}"], SELECTS_S, SELECTS, number)


def _agent_selects(_place: Place, server: RunningServer, number: int) -> Measured:
    table = {"name": "sbtest1", "key": "id", "column": "c", "min": 1, "max": ROWS}
    address = {"network": "unix", "address": server.socket, "user": "root", "password": ""}
    address |= {"tls": "off", "database": SCHEMA}
    asked = {"table": "cached", "protocol": "prepared"}
    point = agent.point("point_select", CONNECTIONS, SELECTS_S, number, **asked)
    plan = {"mysql": {**address, "tables": {"cached": table}}, "points": [point]}
    return of_agent(agent.carry_out(plan)[0][0], SELECTS, number)


@dataclass(frozen=True)
class Crowd(Measured):
    """One run of many threads; ``resident_mib`` is the process at its largest."""

    launch_ms: float = 0.0
    resident_mib: float = 0.0


def of_threads(rounds: int) -> Outcome:
    """Start an agent with a thousand threads for each run, in turn on a drive and in memory."""
    rows = [
        _crowd(where, directory, number)
        for number in range(rounds)
        for where, directory in DIRECTORIES.items()
    ]
    bars = []
    for where in DIRECTORIES:
        some = [row for row in rows if row.setting == where]
        resident = median(row.resident_mib for row in some)
        launch = median(row.launch_ms for row in some)
        bars += [
            Bar(f"resident memory in MiB, {where}", resident, MOST_RESIDENT_MIB),
            Bar(f"time to start all threads in ms, {where}", launch, LONGEST_LAUNCH_MS),
        ]
    return Outcome(
        name="many_threads",
        title="A thousand threads",
        method=(
            f"{MANY_BYTES >> 10} KiB random reads by {threads_text(MANY_THREADS)} on one file of "
            f"{FILE_BYTES >> 20} MiB, {MANY_S:g} s per run, {rounds} runs on a drive and in "
            "memory, each by a new agent. The time to start is its own reading, from before the "
            "first thread until the last is there; the memory is the kernel's, of the process at "
            f"its largest, with {MANY_THREADS * MANY_BYTES >> 20} MiB of buffers. Medians count."
        ),
        rows=rows,
        bars=bars,
    )


def _crowd(where: str, directory: str, number: int) -> Crowd:
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=directory) as folder:
        point = agent.reads(MANY_THREADS, MANY_BYTES, MANY_S, number)
        found, process = agent.measured(folder, FILE_BYTES, point)
    return Crowd(
        **vars(of_agent(found, where, number)),
        launch_ms=found["details"]["launch_s"] * 1000,
        resident_mib=process.resident_bytes / 2**20,
    )
