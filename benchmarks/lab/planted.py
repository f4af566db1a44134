"""Real labs of servers that are slowed by a known part; and sysbench by hand in the same minutes.

A variant is planted by freezing its server (a control group's freezer) for a set part of each
tenth of a second: with all data in the pool and few clients it then does less by that part. The
lab does not know which. By hand is what people do without one: the base and the slowest variant
are started one after the other, each with a run of sysbench, as often as the time allows. What is
found is kept in build/bench-planted/; a further call measures what is missing. Root is needed.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import shlex
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import mean, median, stdev
from typing import Any

from benchmarks.shared.loaded_server import Place, Tables, build_of
from benchmarks.shared.report import ROOT, Bar, bars_table, keep, page, table
from probes.figures import percent

KEPT = ROOT / "build" / "bench-planted"
MARK, BASE_VALUE = "net_retry_count", 10
"""A setting that changes nothing for clients of a socket: its value says which variant it is."""

PLANTED = (0.0, 0.03, 0.05, 0.10)
"""The parts of the time that variants' servers are frozen: each lab has the first and another."""

SLICE_S = 0.1
FREEZER = Path("/sys/fs/cgroup/freezer")
_GROUP = "leadline-bench-planted"
_VALUE = re.compile(rf"--{MARK.replace('_', '-')}=(\d+)")

_STUDENT = {1: 12.7, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
"""Two-sided 95 % of Student's t, by degrees of freedom."""


def main() -> int:
    """Measure what is missing, and write the page from all that is there."""
    chosen = _arguments()
    KEPT.mkdir(parents=True, exist_ok=True)
    ends_s = time.monotonic() + chosen.minutes * 60
    for number in range(chosen.labs):
        file = KEPT / f"lab-{number:02}.json"
        if not file.is_file() and not chosen.take and time.monotonic() < ends_s:
            _lab(file, number, chosen)
    hand = KEPT / "by-hand.json"
    if not hand.is_file() and not chosen.take and time.monotonic() < ends_s:
        hand.write_text(json.dumps(_by_hand(chosen)), "utf-8")
    labs = [json.loads(file.read_text("utf-8")) for file in sorted(KEPT.glob("lab-*.json"))]
    by_hand = json.loads(hand.read_text("utf-8")) if hand.is_file() else None
    effects = [each for lab in labs for each in _effects(lab)]
    bars = _bars(effects, labs, by_hand)
    lines = [*_lines(effects, labs, by_hand), "", *bars_table(bars)]
    keep("LAB_PLANTED", page("What labs find of planted differences", "lab-planted", lines))
    return 0 if len(labs) >= chosen.labs and by_hand and all(bar.met for bar in bars) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--labs", type=int, default=20)
    parser.add_argument("--minutes", type=float, default=1e6, help="begin nothing after this")
    parser.add_argument("--budget", default="2min", help="of each lab, and of what is done by hand")
    parser.add_argument("--server", default="mysql-8.0.33", help="of the eleven")
    parser.add_argument("--directory", default="/var/tmp", help="where the data lies")
    parser.add_argument("--take", action="store_true", help="measure nothing, write the page")
    return parser.parse_args()


def _lab(file: Path, number: int, chosen: argparse.Namespace) -> None:
    program = build_of(chosen.server).program
    slowed = BASE_VALUE + 2 + number % (len(PLANTED) - 1)
    values = f"{BASE_VALUE},{BASE_VALUE + 1},{slowed}"
    argv = [sys.executable, "-m", "app", "lab", "--vary", f"{MARK}={values}"]
    argv += ["--server", shlex.join([*program.command, *program.options])]
    argv += ["--load", "point-select", "--connections", "4", "--data", "64M", "--pool", "128M"]
    argv += ["--dir", chosen.directory, "--budget", chosen.budget, "--seed", str(number), "--json"]
    print(f"lab {number + 1}", flush=True)
    with planting():
        done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        file.write_text(done.stdout, encoding="utf-8")


@contextmanager
def planting() -> Iterator[None]:
    """Meanwhile every server with a planted value is frozen for its part of the time."""
    ended = threading.Event()
    groups = [FREEZER / f"{_GROUP}-{at}" for at in range(len(PLANTED))]
    for group in groups:
        group.mkdir(exist_ok=True)
    threads = [
        threading.Thread(target=_slow, args=(group, share, ended))
        for group, share in zip(groups, PLANTED, strict=True)
        if share
    ]
    threads.append(threading.Thread(target=_sort, args=(groups, ended)))
    try:
        for each in threads:
            each.start()
        yield
    finally:
        ended.set()
        for each in threads:
            each.join()
        for group in groups:
            _give_back(group)


def _slow(group: Path, share: float, ended: threading.Event) -> None:
    state = group / "freezer.state"
    while not ended.is_set():
        began_s = time.monotonic()
        state.write_text("FROZEN")
        time.sleep(share * SLICE_S)
        state.write_text("THAWED")
        time.sleep(max(0.0, SLICE_S - (time.monotonic() - began_s)))


def _sort(groups: Sequence[Path], ended: threading.Event) -> None:
    """Put servers into the group of their value as they start."""
    known: set[int] = set()
    while not ended.wait(0.2):
        for pid, value in _servers():
            at = value - BASE_VALUE - 1
            if pid not in known and 0 <= at < len(groups):
                (groups[at] / "cgroup.procs").write_text(str(pid))
            known.add(pid)


def _servers() -> Iterator[tuple[int, int]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                words = (folder / "cmdline").read_bytes().decode(errors="replace")
                running = str((folder / "exe").readlink())
            except OSError:
                continue
            found = _VALUE.search(words)
            if found and "leadline-agent" not in running:
                yield int(folder.name), int(found[1])


def _give_back(group: Path) -> None:
    (group / "freezer.state").write_text("THAWED")
    for pid in (group / "cgroup.procs").read_text().split():
        (FREEZER / "cgroup.procs").write_text(pid)
    group.rmdir()


def _by_hand(chosen: argparse.Namespace) -> dict[str, list[float]]:
    """Rates of two equal configurations, started one after the other with a run of sysbench each.

    For as long as a lab, so that both had the same minutes.
    """
    minutes = float(chosen.budget.removesuffix("min"))
    found: dict[str, list[float]] = {"one": [], "other": []}
    with tempfile.TemporaryDirectory(prefix="leadline-bench-", dir=chosen.directory) as folder:
        place = Place(build_of(chosen.server), Path(folder), Tables(1, 300_000))
        place.fill()
        ends_s = time.monotonic() + 60 * minutes
        while time.monotonic() < ends_s or len(found["other"]) < 2:
            for arm, rates in found.items():
                lines = ("innodb_buffer_pool_size = 128M", "innodb_flush_method = O_DIRECT")
                with place.started_and_read("oltp_point_select", lines) as server:
                    asked = ("--threads=4", "--time=10", "run")
                    said, _ = place.sysbench(server, "oltp_point_select", *asked).communicate()
                rate = re.search(r"queries:\s+\d+\s+\(([\d.]+) per sec", said)
                assert rate is not None, said
                rates.append(float(rate[1]))
                print(f"by hand, {arm}: {rates[-1]:.0f} queries/s", flush=True)
    return found


def _effects(lab: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for level in lab["levels"]:
        for effect in level["effects"]:
            value = int(re.findall(r"\d+", effect["variant"])[-1])
            planted = PLANTED[value - BASE_VALUE - 1]
            times = effect["times"]
            if times:
                yield {
                    "planted": planted,
                    **{end: times[end] for end in ("value", "low", "high")},
                    "verdict": effect["verdict"],
                    "holds": times["low"] <= 1 - planted <= times["high"],
                    "different": not times["low"] <= 1 <= times["high"],
                }


def _half_width_by_hand(found: Mapping[str, Sequence[float]]) -> float:
    """Half of the 95 % interval of the ratio, from the starts of each, as a share."""
    one, other = ([math.log(each) for each in found[arm]] for arm in ("one", "other"))
    free = len(one) + len(other) - 2
    spread = math.sqrt(stdev(one) ** 2 / len(one) + stdev(other) ** 2 / len(other))
    return math.expm1(_STUDENT.get(free, 2.1) * spread)


def _half_width(labs: Sequence[Mapping[str, Any]]) -> float:
    found = [level["resolution"] for lab in labs for level in lab["levels"] if level["resolution"]]
    return median(found) if found else float("nan")


def _bars(
    effects: Sequence[Mapping[str, Any]],
    labs: Sequence[Mapping[str, Any]],
    by_hand: Mapping[str, Sequence[float]] | None,
) -> list[Bar]:
    if not effects:
        return []
    alike = [each for each in effects if not each["planted"]]
    bars = [
        Bar("intervals that hold", mean(each["holds"] for each in effects), 0.93, at_least=True),
        Bar("equal servers called different", mean(each["different"] for each in alike), 0.03),
    ]
    if by_hand:
        times = _half_width_by_hand(by_hand) / _half_width(labs)
        bars.append(Bar("times as narrow as by hand", times, 5.0, at_least=True))
    return bars


def _lines(
    effects: Sequence[Mapping[str, Any]],
    labs: Sequence[Mapping[str, Any]],
    by_hand: Mapping[str, Sequence[float]] | None,
) -> Iterator[str]:
    budget = labs[0]["asked"]["budget_s"] if labs else 0
    yield (
        f"{len(labs)} labs of {budget / 60:.0f} minutes, each with a base, its twin, an equal "
        "server and one that is frozen for a part of each tenth of a second: point selects of 4 "
        "clients, all data in the pool."
    )
    yield ""
    rows = []
    for planted in PLANTED:
        of_it = [each for each in effects if each["planted"] == planted]
        if of_it:
            rows.append(
                (
                    percent(planted),
                    len(of_it),
                    f"{median(1 - each['value'] for each in of_it):+.1%}",
                    percent(mean(each["holds"] for each in of_it)),
                    percent(mean(each["different"] for each in of_it)),
                )
            )
    yield from table(("planted", "variants", "found", "intervals hold", "seen"), rows)
    yield ""
    yield f"The labs see {percent(_half_width(labs))} in the median."
    if by_hand:
        count = len(by_hand["one"])
        yield (
            f"By hand, {count} starts of each of two equal configurations with 10 s of sysbench "
            f"each: the ratio's 95 % interval is {percent(_half_width_by_hand(by_hand))} to either "
            "side."
        )


if __name__ == "__main__":
    sys.exit(main())
