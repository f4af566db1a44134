"""Readers at the boundary, fed with what nobody would write: ``make fuzz`` runs each for a while.

A reader may refuse with its own fault, and nothing else: any other exception, and what takes longer
than ``SLOWEST_S``, is a finding, kept in build/fuzz/ with what led there. Files of the tests are
what readers of files begin with.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from benchmarks.shared.report import ROOT
from probes.boundary.json_text import decode
from probes.boundary.malformed import Malformed
from probes.errors import ImportRefused, LeadlineError, UsageError
from probes.imports import read_import
from probes.inventory.facts import RawInventory
from probes.inventory.read import read as read_inventory
from probes.statistics.histogram import read_histogram
from probes.targets.parse import parse_target
from probes.texts.collection import collect
from probes.texts.sent import sent_texts
from probes.texts.typed import Typed

FOUND = ROOT / "build" / "fuzz"

SLOWEST_S = 20
LARGEST_BYTES = 1 << 14
TAKEN_AT = "2026-01-01T00:00:00+00:00"

Reader = Callable[[bytes], object]


class Target(NamedTuple):
    """A reader, the faults that are its own, and folders of what it reads."""

    read: Reader
    refuses: tuple[type[Exception], ...]
    seeds: tuple[str, ...] = ()


def _as_file(read: Callable[[Path], object], ending: str = "") -> Reader:
    """A reader of files, which gets what it is to read as one."""

    def of(data: bytes) -> object:
        file = Path(tempfile.gettempdir(), f"sent{ending}")
        file.write_bytes(data)
        return read(file)

    return of


def _read_texts(file: Path) -> object:
    """All facts of a text that somebody sent."""
    typed = Typed(version="8.0.36")
    return read_inventory(collect(sent_texts([file]).texts, typed, 0.0).raw)


def _inventory(data: bytes) -> object:
    """Answers of a server and its machine, as a JSON object of texts."""
    answers = decode(data, LARGEST_BYTES)
    if not isinstance(answers, dict) or not all(isinstance(each, str) for each in answers.values()):
        raise Malformed("these are no answers")
    return read_inventory(RawInventory(TAKEN_AT, answers))


TARGETS: Mapping[str, Target] = {
    "import": Target(
        _as_file(read_import), (ImportRefused, UsageError), ("tests/probes/imports/recordings",)
    ),
    "texts": Target(
        _as_file(_read_texts), (ImportRefused, UsageError), ("tests/probes/texts/recordings",)
    ),
    "archive": Target(
        _as_file(lambda file: sent_texts([file]), ".tar.gz"), (ImportRefused, UsageError)
    ),
    "inventory": Target(_inventory, (Malformed,)),
    "histogram": Target(lambda data: read_histogram(data.decode("latin-1")), (Malformed,)),
    "json": Target(lambda data: decode(data, LARGEST_BYTES), (Malformed,)),
    "target": Target(lambda data: parse_target(data.decode("utf-8", "replace")), (LeadlineError,)),
}


def main() -> int:
    """Run the chosen readers one after the other; 1 where one found something."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="READER", help=f"of {', '.join(TARGETS)}")
    parser.add_argument("--minutes", type=float, default=10.0, help="for all of them together")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=int, help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        _fuzz(chosen.one, chosen.seconds)
        return 0
    names = chosen.names or [*TARGETS]
    seconds = max(1, int(chosen.minutes * 60 / len(names)))
    return max(_apart(name, seconds) for name in names)


def _apart(name: str, seconds: int) -> int:
    """Fuzz a reader in a process of its own: what it finds ends that."""
    FOUND.mkdir(parents=True, exist_ok=True)
    argv = [sys.executable, "-m", "benchmarks.safety.fuzz"]
    argv += ["--one", name, "--seconds", str(seconds)]
    # It ends without cleaning up: its files lie in a folder that goes with it.
    with tempfile.TemporaryDirectory(prefix="leadline-fuzz-") as scratch:
        own = os.environ | {"TMPDIR": scratch}
        done = subprocess.run(
            argv, cwd=ROOT, env=own, stderr=subprocess.PIPE, text=True, check=False
        )
    said = [line for line in done.stderr.splitlines() if line.startswith("stat::number")]
    found = "found something" if done.returncode else "nothing found"
    print(f"{name}: {found}. {' '.join(said)}", flush=True)
    if done.returncode:
        print(done.stderr[-3000:])
    return int(done.returncode != 0)


def _fuzz(name: str, seconds: int) -> None:
    import atheris  # type: ignore[import-untyped]

    target = TARGETS[name]
    atheris.instrument_all()

    def once(data: bytes) -> None:
        try:
            target.read(data)
        except target.refuses:
            return

    grown = FOUND / name
    grown.mkdir(parents=True, exist_ok=True)
    options = [
        f"-max_total_time={seconds}",
        f"-timeout={SLOWEST_S}",
        f"-max_len={LARGEST_BYTES}",
        f"-artifact_prefix={FOUND}/{name}-",
        "-print_final_stats=1",
    ]
    seeds = [str(ROOT / folder) for folder in target.seeds]
    atheris.Setup([name, *options, str(grown), *seeds], once)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.exit(main())
