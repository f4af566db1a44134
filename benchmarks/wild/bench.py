"""The model where it was not tuned: forecasts from a watch, beside what the lab's servers then do.

Servers, loads, pools, connections and changes are drawn once (drawn.py), half of them kept for
judging. A further call measures what is missing and writes the page from all that is there. The
status is 1 while anything is missing, or where the kept half misses a bar.
"""

from __future__ import annotations

import argparse
import math
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import median

from benchmarks.shared.process import BenchmarkError
from benchmarks.shared.report import Bar, bars_table, keep, page, save_raw, table
from benchmarks.wild.drawn import Drawn, drawn
from benchmarks.wild.held import Held, apart, held
from benchmarks.wild.measured import data_of, measure, turns
from probes.errors import LeadlineError
from probes.figures import percent

LEAST_INSIDE, MOST_INSIDE = 0.85, 0.95
LEAST_OF_A_KIND = 0.75
MOST_ERROR, MOST_P95_ERROR, LEAST_SIGNS = 0.15, 0.20, 0.97


def main() -> int:
    """Measure what is missing, and write the page from all that is there."""
    chosen = _arguments()
    # Ended politely, it leaves no server behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    asked = [each for each in drawn() if not chosen.names or each.name in chosen.names]
    if not chosen.take:
        _measure(asked, chosen)
    known = [each for each in drawn() if turns(each)]
    now = held(known)
    before = held(known, chosen.tree) if chosen.tree else []
    keep("WILD", page("Forecasts where the model was not tuned", "wild", _lines(now, before)))
    judged = [each for each in now if each.of.kept]
    save_raw("wild", {"held": [_raw(each) for each in now]}, _bars(judged))
    whole = all(turns(each) for each in asked)
    return 0 if whole and all(bar.met for bar in _bars(judged)) else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="of what is drawn; else all")
    parser.add_argument("--minutes", type=float, default=1e6, help="begin nothing after this")
    parser.add_argument("--take", action="store_true", help="measure nothing, write the page")
    parser.add_argument("--tree", type=Path, help="hold the Leadline of this tree beside it")
    parser.add_argument("--directory", default="/var/tmp", help="where the servers keep their data")
    return parser.parse_args()


def _measure(asked: Sequence[Drawn], chosen: argparse.Namespace) -> None:
    ends_s = time.monotonic() + chosen.minutes * 60
    # Those of one server and kind of tables share what is filled.
    missing = sorted(
        (each for each in asked if not turns(each)), key=lambda each: (each.server, each.load)
    )
    for server in dict.fromkeys(each.server for each in missing):
        with data_of(chosen.directory) as (target, place, data):
            for each in (one for one in missing if one.server == server):
                if time.monotonic() > ends_s:
                    return
                began_s = time.monotonic()
                try:
                    gone = measure(each, target, place, data, chosen.directory)
                except LeadlineError as error:
                    gone = [error.sentence]
                except BenchmarkError as error:
                    gone = [str(error)]
                took = time.monotonic() - began_s
                print(f"{each.name}: {took:.0f} s", *gone, sep="\n    ", flush=True)


def _lines(now: Sequence[Held], before: Sequence[Held]) -> Iterator[str]:
    yield (
        "Each row of the last table is one change of one server under load: it was watched for "
        "12 s as it is, forecasts were made from that watch alone, and then configurations that "
        "differ in the one change worked in turns of 2 s while the others were frozen. Times are "
        "of today's transactions per second; an error of 15 % is 1.15 times too high or too low. "
        "A band is meant to hold nine of ten. A sign counts where all rounds agreed on it."
    )
    servers = {each.of.name: each.of for each in now}
    far = [abs(math.log(ratio)) for each in servers.values() if (ratio := apart(each))]
    if far:
        yield (
            f"Two equal servers were {percent(math.exp(median(far)) - 1)} apart in the median of "
            f"{len(far)} servers: what is measured may be off by that much."
        )
    for title, half in (("Kept for judging", True), ("Chosen on", False)):
        yield from ("", f"## {title}", "")
        yield from _kinds([each for each in now if each.of.kept == half])
        if before:
            yield from ("", "Before:", "")
            yield from _kinds([each for each in before if each.of.kept == half])
    yield from ("", *bars_table(_bars([each for each in now if each.of.kept])))
    yield from ("", "## All", "")
    heads = ("server under load", "half", "change", "measured", "forecast", "band", "p95")
    yield from table(heads, map(_row, now), words=3)


def _row(each: Held) -> Sequence[str]:
    what = f"{each.change.name}={each.change.value}"
    half = "kept" if each.of.kept else "chosen on"
    truth = f"{each.truth:.2f}"
    if each.refused:
        return (each.of.name, half, what, truth, "", each.refused[:60], "")
    star = "" if each.inside else " *"
    late = "" if each.p95_error is None else f"{each.p95_truth:.2f} {each.p95:.2f}"
    band = f"{each.low:.2f} to {each.high:.2f}{star}"
    return (each.of.name, half, what, truth, f"{each.value:.2f}", band, late)


def _kinds(found: Sequence[Held]) -> list[str]:
    kinds = sorted({each.change.kind for each in found})
    rows = [_summary(kind, [each for each in found if each.change.kind == kind]) for kind in kinds]
    heads = ("change", "forecasts", "refused", "median error", "p95", "bands hold", "signs right")
    return table(heads, [*rows, _summary("all", found)])


def _summary(name: str, found: Sequence[Held]) -> Sequence[object]:
    made = [each for each in found if not each.refused]
    return (
        name,
        len(made),
        len(found) - len(made),
        _percent(_error(made)),
        _percent(_p95_error(made)),
        _percent(_inside(made)),
        _percent(_signs(made)),
    )


def _bars(judged: Sequence[Held]) -> list[Bar]:
    made = [each for each in judged if not each.refused]
    if not made:
        return []
    kinds = {each.change.kind for each in made}
    worst = min(_inside([each for each in made if each.change.kind == kind]) for kind in kinds)
    return [
        Bar("median error of the rate", _error(made), MOST_ERROR),
        Bar("median error of the 95th percentile", _p95_error(made), MOST_P95_ERROR),
        Bar("bands that hold", _inside(made), LEAST_INSIDE, at_least=True),
        Bar("bands that hold, at most", _inside(made), MOST_INSIDE),
        Bar("bands that hold, of the worst kind", worst, LEAST_OF_A_KIND, at_least=True),
        Bar("signs that are right", _signs(made), LEAST_SIGNS, at_least=True),
    ]


def _error(found: Sequence[Held]) -> float:
    return _median([each.error for each in found])


def _p95_error(found: Sequence[Held]) -> float:
    return _median([each.p95_error for each in found if each.p95_error is not None])


def _inside(found: Sequence[Held]) -> float:
    return _share(found, lambda each: each.inside)


def _signs(found: Sequence[Held]) -> float:
    return _share([each for each in found if each.sign is not None], lambda each: bool(each.sign))


def _median(found: Sequence[float]) -> float:
    return median(found) if found else float("nan")


def _share(found: Sequence[Held], held: Callable[[Held], bool]) -> float:
    return sum(map(held, found)) / len(found) if found else float("nan")


def _percent(share: float) -> str:
    return "" if math.isnan(share) else percent(share)


def _raw(each: Held) -> dict[str, object]:
    return {
        "of": each.of.name,
        "kept": each.of.kept,
        "change": f"{each.change.name}={each.change.value}",
        "truth": each.truth,
        "value": each.value,
        "low": each.low,
        "high": each.high,
        "p95": each.p95,
        "p95_truth": each.p95_truth,
        "refused": each.refused,
    }


if __name__ == "__main__":
    sys.exit(main())
