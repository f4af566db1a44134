"""A server with pools of all sizes on one drive and on another, measured and forecast.

What is kept is not measured again.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

from loaded_server import Place, Tables, leadline
from model_kept import (
    CALIBRATED,
    KEPT,
    OTHER,
    OWN,
    SHARES,
    THREADS,
    Forecast,
    Kept,
    held,
    page,
    passes,
)
from model_turns import in_turns
from process import BenchmarkError, run
from report import HERE, machine

from tests.servers.eleven import servers

BYTES_OF_A_ROW = 230
"""What a row of sysbench takes of its table's file."""

PAGE = HERE / "MODEL.md"

RAM = "ram"
"""Another drive that every machine has: a file in memory behind a loop device, as root."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What can be asked of it."""
    parser.add_argument("--server", default="mariadb-installed")
    parser.add_argument("--gib", type=float, default=2.0, help="how much data, about")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--warm", type=int, default=20, help="seconds, after each start")
    parser.add_argument("--seconds", type=int, default=4, help="of each turn")
    parser.add_argument("--directory", default="/var/tmp", help="where the data lies")
    parser.add_argument(
        "--other",
        default="",
        help=f"a directory on another drive, or {RAM}: a file system in memory",
    )
    parser.add_argument(
        "--minutes", type=float, default=1e6, help="begin nothing after this; go on another time"
    )
    parser.add_argument(
        "--take", action="store_true", help="measure nothing, write the page from what is there"
    )
    parser.add_argument("--kept", type=Path, default=KEPT, help="where the pieces are kept")


def measure(chosen: argparse.Namespace) -> int:
    """Measure what is missing, forecast all, write the page; 1 where a bar is missed."""
    # Ended politely, it leaves no server and no mount behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    kept = Kept(f"{chosen.server}-{chosen.gib:g}GiB-turns-of-{chosen.seconds}s", chosen.kept)
    if not chosen.take:
        _measure_missing(chosen, kept)
    found = [*_forecasts(kept)]
    said = [f"- {name}: {value}" for name, value in machine().items()]
    said += [f"- server: {chosen.server}, about {chosen.gib:g} GiB of data"]
    text = page(found, kept, said)
    print(text)
    if chosen.kept == KEPT:
        PAGE.write_text(text, encoding="utf-8")
    drives = [OWN, *([OTHER] if chosen.other else [])]
    return 0 if all(passes(found, drive) for drive in drives) else 1


def _measure_missing(chosen: argparse.Namespace, kept: Kept) -> None:
    ends = time.monotonic() + 60 * chosen.minutes
    rows = max(1000, round(chosen.gib * 2**30 / BYTES_OF_A_ROW / 4))
    drives = [OWN, *([OTHER] if chosen.other else [])]
    missing = kept.missing(drives, chosen.rounds)
    if not missing:
        return
    place = _place(chosen.server, Path(chosen.directory), Tables(4, rows))
    place.fill()
    with ExitStack() as stack:
        own = stack.enter_context(tempfile.TemporaryDirectory(dir=place.directory))
        directories = {OWN: Path(own)}
        if chosen.other:
            directories[OTHER] = stack.enter_context(_other_drive(chosen))
        turns = in_turns(directories, place, chosen.warm, chosen.seconds, missing)
        for found in stack.enter_context(closing(turns)):
            kept.add(found)
            print(*found, sep="\n", flush=True)
            if time.monotonic() > ends:
                return


@contextmanager
def _other_drive(chosen: argparse.Namespace) -> Iterator[Path]:
    """The directory that was asked for; what lies in memory is gone with the context."""
    if chosen.other != RAM:
        yield Path(chosen.other)
        return
    # A copy of the data for each pool, the file that is probed, and some room.
    size_bytes = round((1.3 * len(SHARES) * chosen.gib + 2) * 2**30)
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        image, mounted = Path(folder) / "drive", Path(folder) / "mounted"
        mounted.mkdir()
        with image.open("wb") as file:
            file.truncate(size_bytes)
        run(["mkfs.ext4", "-q", "-F", str(image)])
        run(["mount", "-o", "loop", str(image), str(mounted)])
        try:
            yield mounted
        finally:
            run(["umount", str(mounted)])


def _place(name: str, directory: Path, tables: Tables) -> Place:
    build = next((each for each in servers() if each.name == name), None)
    if build is None:
        raise BenchmarkError(f"no such server: {name}")
    folder = directory / f"leadline-bench-model-{name}"
    folder.mkdir(exist_ok=True)
    return Place(build, folder, tables)


def _forecasts(kept: Kept) -> Iterator[Forecast]:
    """Those of all pools on both drives, as far as what they are made from is there."""
    read_cpu_at = kept.reads(OWN, CALIBRATED[0])
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        (home / "cached.csv").write_text(kept.cached)
        for drive in kept.drives:
            (home / f"{drive}.csv").write_text(kept.curve(drive))
            read_cpu_us = kept.read_kept_us(drive, os.cpu_count() or 1)
            if read_cpu_us is None or read_cpu_at is None:
                return
            for share in SHARES:
                reads = kept.reads(drive, share)
                if reads is None:
                    continue
                said = leadline(
                    home,
                    *("forecast", "--complement", str(home / "cached.csv")),
                    *("--drive", str(home / f"{drive}.csv")),
                    *("--reads-per-query", f"{reads:.6f}"),
                    *("--read-cpu", f"{read_cpu_us:.1f}us", "--cores", str(os.cpu_count())),
                    *("--read-cpu-at", f"{read_cpu_at:.6f}"),
                    *("--threads", ",".join(map(str, THREADS)), "--json"),
                )
                yield from held(kept, drive, share, json.loads(said))
