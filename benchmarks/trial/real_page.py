"""The part of TRY.md on trials of real servers, from the file that keeps what came of each."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

PAGE = Path("benchmarks/TRY.md")
HEAD = "## Real"
BACK_MS, BACK_S = 1000.0, 15.0
KINDS = {
    "nothing": "no effect: `innodb_read_ahead_threshold`, with all data in the pool",
    "planted": "better: a delay of commits goes",
    "worse": "worse: commits are delayed",
    "harmful": "harmful: threads stopped, commits halted, flushing starved",
}
_ABOUT = (
    "Each is the command as its user types it, on a throwaway server under sysbench's read-write "
    "load at a fixed rate or as fast as it goes, on two processors that other such servers share "
    "at the same time: the usual case, and a noisy one. All of them are kept in "
    "`benchmarks/trial/tried.jsonl`; `make bench SUBJECT=try ARGS=--page` writes this part anew."
)
_BY_HAND = (
    "Tried by hand before, on a busy machine: harmful values (commits halted for half a second, "
    "one thread at a time) were taken back 7 to 53 ms after the guard had seen the limit passed; "
    "20 ms of commit delay taken away were kept after 8 pairs, 60 % less time per statement (31 "
    "to 77 %); with an account alone the old value was back 0.09 s after kill -9; a frozen desktop "
    "took 10 s, a frozen agent 15 s. While the first limit that was passed ended a trial, it ended "
    "two of four without any effect."
)

Result = Mapping[str, Any]


def written(file: Path, page: Path = PAGE) -> None:
    """Write the part anew."""
    results = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    before = page.read_text("utf-8").partition(HEAD)[0]
    page.write_text(
        before + "\n".join([HEAD, "", _ABOUT, "", *_lines(results), "", _BY_HAND, ""]), "utf-8"
    )


def _lines(results: Sequence[Result]) -> Iterator[str]:
    yield (
        "| server | what is set | trials | kept | ended by the guard | went on after a limit | "
        "median pairs |"
    )
    yield "| --- | --- | ---: | ---: | ---: | ---: | ---: |"
    # Those of before a limit could be passed without an end have no count of that.
    trials = [each for each in results if each["kind"] in KINDS and "passings" in each]
    for (kind, server), found in sorted(_by(trials, "kind", "server").items(), key=_order):
        kept = sum(each["verdict"] == "kept" for each in found)
        guarded = sum(each.get("guard") is not None for each in found)
        went_on = sum(each["passings"] > 0 and each.get("guard") is None for each in found)
        pairs = median(each["pairs"] for each in found)
        yield (
            f"| {server} | {KINDS[kind]} | {len(found)} | {kept} | {guarded} | {went_on} | "
            f"{pairs:.0f} |"
        )
    backs = [each["back_ms"] for each in trials if each["back_ms"] is not None]
    yield ""
    yield "| killed with -9 in a trial | times | old value back | median s | at most s |"
    yield "| --- | ---: | ---: | ---: | ---: |"
    kills = [each for each in results if each["kind"] == "killed"]
    for (who, server), found in sorted(_by(kills, "who", "server").items()):
        times_s = [each["back_s"] for each in found]
        back = sum(each["back"] for each in found)
        yield (
            f"| {who}, {server} | {len(found)} | {back} | {median(times_s):.2f} | "
            f"{max(times_s):.2f} |"
        )
    yield ""
    yield "| bar | found | limit |"
    yield "| --- | ---: | ---: |"
    yield from _bars(trials, kills, backs)


def _bars(
    trials: Sequence[Result], kills: Sequence[Result], backs: Sequence[float]
) -> Iterator[str]:
    kinds = Counter(each["kind"] for each in trials)
    kept = Counter(each["kind"] for each in trials if each["verdict"] == "kept")
    ended = sum(each.get("guard") is not None for each in trials if each["kind"] == "nothing")
    yield f"| no effect: ended by the guard | {ended} of {kinds['nothing']} | none |"
    yield f"| no effect: kept | {kept['nothing']} of {kinds['nothing']} | 2 % |"
    yield f"| worse: kept | {kept['worse']} of {kinds['worse']} | none |"
    yield f"| harmful: kept | {kept['harmful']} of {kinds['harmful']} | none |"
    agree = sum(bool(each["server_agrees"]) for each in trials)
    yield f"| the server has what the verdict says | {agree} of {len(trials)} | all |"
    if backs:
        soon = sum(each <= BACK_MS for each in backs)
        yield (
            f"| back after the guard's limit within 1 s | {soon} of {len(backs)}, "
            f"{max(backs):.0f} ms at most | all |"
        )
    if kills:
        soon = sum(each["back"] and each["back_s"] <= BACK_S for each in kills)
        yield f"| back after kill -9 within 15 s | {soon} of {len(kills)} | all |"


def _by(results: Sequence[Result], *names: str) -> dict[tuple[str, ...], list[Result]]:
    found: dict[tuple[str, ...], list[Result]] = {}
    for each in results:
        found.setdefault(tuple(each[name] for name in names), []).append(each)
    return found


def _order(item: tuple[tuple[str, ...], list[Result]]) -> tuple[int, str]:
    (kind, server), _ = item
    return list(KINDS).index(kind), server
