"""Records the sample that ships: a watch and a check of a real MySQL server under a steady load.

Writes resources/sample/. A machine that does nothing else gives the sample that explains most.
"""

from __future__ import annotations

import argparse
import gzip
import sys
import tempfile
from pathlib import Path

from benchmarks.shared.loaded_server import Place, Tables, build_of, leadline, target
from benchmarks.shared.report import ROOT

SAMPLE = ROOT / "resources" / "sample"
SERVER = "mysql-8.0.33"
TABLES = Tables(4, 1_000_000)
"""About 1 GB of data: eight times the pool that the server has by default."""

TRACED = Path("/sys/kernel/tracing/events/block")

THREADS, LONGEST_S = 16, 600
WATCHED_S, COUNTED_S = 30, 20


def main() -> int:
    """Start the server, load it, look at it, measure it, and keep both runs as case files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=int, default=0, help="transactions/s; 0: all it can")
    parser.add_argument("--directory", default="/srv/shop", help="where the server keeps its data")
    chosen = parser.parse_args()
    if not TRACED.is_dir():
        sys.exit(
            "Requests can't be traced here, and the sample shows them: "
            "mount -t tracefs nodev /sys/kernel/tracing, as root."
        )
    build = build_of(SERVER)
    directory = Path(chosen.directory)
    if directory.exists():
        sys.exit(f"{directory} is there already: choose another place.")
    directory.mkdir(parents=True)
    place = Place(build, directory, TABLES)
    place.fill()
    load = (f"--threads={THREADS}", f"--rate={chosen.rate}", f"--time={LONGEST_S}")
    with tempfile.TemporaryDirectory() as temporary, place.started() as server:
        home = Path(temporary)
        with place.running(server, "oltp_read_write", *load):
            leadline(home, "watch", *target(server), "--seconds", str(WATCHED_S))
            asked = ("--plan", "quick", "--window", str(COUNTED_S))
            print(leadline(home, "check", *target(server), *asked))
        for number, kind in enumerate(("watch", "check"), start=1):
            made = home / f"{number}-{kind}.leadline"
            leadline(home, "case", "export", str(number), str(made))
            packed = gzip.compress(made.read_bytes(), mtime=0)
            (SAMPLE / f"{made.name}.gz").write_bytes(packed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
