"""What was measured of Leadline itself, in short: rows made of the pages in benchmarks/.

A row quotes its page: what a page no longer says is a fault, so that README and
docs/right-about.md can't fall behind what was measured last.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from docs.build.tree_pages import ROOT

README = ROOT / "README.md"
PAGE = ROOT / "docs" / "right-about.md"
_MEASURED = ROOT / "benchmarks"


@dataclass(frozen=True, slots=True)
class Proof:
    """A claim, the page that has its figures, where they stand there, and how a row shows them.

    ``found`` names the groups of ``pattern`` by their numbers; ``wanted`` is the bar, "" for none.
    """

    claim: str
    page: str
    pattern: str
    found: str
    wanted: str = ""

    def row(self, folder: str) -> str:
        """A row of a table whose page lies beside ``folder``; raises ValueError."""
        text = _text(self.page)
        at = re.search(self.pattern, text, re.DOTALL)
        if at is None:
            raise ValueError(f"benchmarks/{self.page}.md no longer says: {self.claim}")
        dates = re.findall(r"\d{4}-\d{2}-\d{2}", text[at.end() :].partition("\n")[0])
        date = dates[0] if dates else _date(text)
        found = self.found.format("", *at.groups())
        link = f"[{date}]({folder}benchmarks/{self.page}.md)"
        return f"| {self.claim} | {found} | {self.wanted} | {link} |"


FIRST = (
    Proof(
        "The first plan's share of what hand-tuned settings bring",
        "ADVICE",
        r"by hand: (\d+%) at least, (\d+%) in the median, of (\d+) cases",
        "{2} in the median of {3} loads, {1} at least",
        "≥ 95%",
    ),
    Proof(
        "Forecast of how many times the queries that plan brings",
        "ADVICE",
        r"\| transactions/s \| (\d+) \| (\d+%) \| \d+ \((\d+%)\)",
        "{2} off in the median of {1} loads, {3} within the band",
        "≤ 15%, ≥ 80%",
    ),
    Proof(
        "What is decided on noisy machines whose truth is known",
        "JUDGING",
        r"\| all \| ([\d,]+) \| \S+ \| \S+ \| (\S+) \| (\S+) \| (\S+) \| (\S+) \|",
        "{2} of {1} questions, {3} of these wrong; surely {4}, {5} wrong",
    ),
    Proof(
        "A trial of a setting that brings nothing, and is kept",
        "TRY",
        r"no effect: kept \| (\d+) of (\d+) \| 2 % \|.*?no effect: kept \| (\d+) of (\d+) \|",
        "{1} of {2} simulated, {3} of {4} real",
        "≤ 2%",
    ),
    Proof(
        "A lab's 95 % intervals that hold the truth, at every look",
        "LAB_TRUTH",
        r"\| recorded: intervals that hold at every look \| ([\d.]+) \| ≥ ([\d.]+)",
        "{1}, of recorded servers",
        "≥ 0.93",
    ),
    Proof(
        "A load that ends once a live server becomes slower",
        "SUMMARY",
        r"guard`: (\d+) trials: (\d+%) stopped within 1 s .*?, at most ([\d.]+ s)",
        "{2} of {1} within a second, {3} at most",
        "≥ 95%",
    ),
)
"""What README shows."""
FURTHER = (
    Proof(
        "Forecast of how late the latest statements are with that plan (p95)",
        "ADVICE",
        r"\| p95 \| (\d+) \| (\d+%) \| \d+ \((\d+%)\)",
        "{2} off in the median of {1} loads, {3} within the band",
        "≤ 15%, ≥ 80%",
    ),
    Proof(
        "Forecast of a server with less memory, 1 to 256 connections",
        "MODEL",
        r"## The same drive.*?Median error ([\d.]+%) \(bar \d+%\), largest (\d+%), (\d+%) within",
        "{1} off in the median, {2} at worst, {3} within the band",
        "≤ 10%",
    ),
    Proof(
        "The same, on another drive",
        "MODEL",
        r"## Another drive.*?Median error ([\d.]+%) \(bar \d+%\), largest (\d+%), (\d+%) within",
        "{1} off in the median, {2} at worst, {3} within the band",
        "≤ 12%",
    ),
    Proof(
        "Forecast of one change of a server that the model was not tuned on",
        "WILD",
        r"## Kept for judging.*?\| all \| (\d+) \| \d+ \| ([\d.]+)\W% "
        r"\|[^|]*\| ([\d.]+)\W% \| ([\d.]+)",
        "{2}% off in the median of {1} changes, {3}% within the band, {4}% with the right sign",
        "≤ 15%, ≥ 85%, ≥ 97%",
    ),
    Proof(
        "Forecast of what a larger buffer pool misses",
        "MISSES",
        r"Median error ([\d.]+%), worst ([\d.]+%); (\d+%) lie inside",
        "{1} off in the median, {2} at worst, {3} inside the range",
    ),
    Proof(
        "A read's rate measured in seconds, against fio's minute",
        "ACCURACY",
        r"median deviation of the rate \| ([\d.]+) \|",
        "{1} in the median",
        "≤ 0.04",
    ),
    Proof(
        "A watch's own processor time, as a share of a core at 20,000 events/s",
        "WATCH",
        r"share of a core at 20,000 events/s \| ([\d.]+) \|",
        "{1}",
        "≤ 0.03",
    ),
    Proof(
        "Archives of 500 servers taken in and judged, on two processors",
        "FLEET",
        r"500 archives taken in, s \| (\d+)[.\d]* \|.*?memory at its most, MiB \| (\d+)",
        "{1} s, {2} MiB at most",
        "≤ 60 s, ≤ 500 MiB",
    ),
    Proof(
        "Kills at any moment that left or lost something",
        "SUMMARY",
        r"kills`: (\d+) kills.*?: (\d+) left or lost something",
        "{2} of {1}",
        "0",
    ),
)
_CONNECTIONS = ("pool", "1", "2", "4", "8", "16", "32", "64", "128", "256")
_COLUMNS = {
    "advice": (
        "ADVICE",
        (
            *("server", "load", "captured", "plan, times by hand", "plan, times defaults"),
            *("forecast before", "plan's p95, times defaults"),
        ),
    ),
    "lab": (
        "LAB",
        ("server", "value", "against the first", "verdict", "the lab sees", "published"),
    ),
    "same drive": ("MODEL#The same drive", _CONNECTIONS),
    "another drive": ("MODEL#Another drive", _CONNECTIONS),
    "judging": (
        "JUDGING",
        (
            *("noise", "questions", "undoubted points: decided", "wrong"),
            *("quick plan: decided", "wrong", "surely", "wrong"),
        ),
    ),
    "try": ("TRY", ("world", "effect", "kept", "median pairs", "of it within the minutes named")),
}
"""Tables that are shown in part: their page, with a heading where one is meant, and columns."""


def parts(path: Path) -> dict[str, str]:
    """What stands between the marks of README or of the page; raises ValueError."""
    if path == README:
        return {"proofs": _proofs(FIRST, "")}
    shown = {name: "\n".join(_chosen(*what)) for name, what in _COLUMNS.items()}
    dated = {name: f"{shown[name]}\n\n{_source(what[0])}" for name, what in _COLUMNS.items()}
    return {"proofs": _proofs((*FIRST, *FURTHER), "../"), "bars": "\n".join(_bars())} | dated


def _proofs(proofs: Sequence[Proof], folder: str) -> str:
    head = ["| what | found | wanted | measured |", "| --- | --- | --- | --- |"]
    return "\n".join([*head, *(each.row(folder) for each in proofs)])


def _bars() -> Iterator[str]:
    """Every bar of every page that has a table of them."""
    yield "| bar | found | limit | met | measured |"
    yield "| --- | ---: | ---: | --- | --- |"
    for path in sorted(_MEASURED.glob("*.md")):
        for cells in _rows(path.stem, ("bar", "found", "limit", "met")):
            yield f"| {' | '.join(cells)} | [{path.stem}](../benchmarks/{path.name}) |"


def _chosen(page: str, columns: Sequence[str]) -> Iterator[str]:
    yield f"| {' | '.join(columns)} |"
    yield "| --- |" + " ---: |" * (len(columns) - 1)
    for cells in _rows(page, columns):
        yield f"| {' | '.join(cells)} |"


def _rows(page: str, columns: Sequence[str]) -> Iterator[list[str]]:
    """These columns of all the page's tables that have them."""
    at: list[int] = []
    for line in _text(page).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("|"):
            at = []
        elif not at:
            at = _places(cells, columns) if {*columns} <= {*cells} else []
        elif not line.startswith("| ---"):
            yield [cells[each] for each in at]


def _places(cells: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Where the columns are, from left to right: of one name there may be several."""
    at: list[int] = []
    for name in columns:
        after = at[-1] + 1 if at and name in cells[at[-1] + 1 :] else 0
        at.append(cells.index(name, after))
    return at


def _source(page: str) -> str:
    page = page.partition("#")[0]
    text = _text(page)
    machine = re.search(r"- processor: (.*)", text)
    where = f", on {machine[1]}" if machine else ""
    return f"[benchmarks/{page}.md](../benchmarks/{page}.md), {_date(text)}{where}."


def _date(text: str) -> str:
    found = re.search(r"- date: (\S+)", text)
    return found[1] if found else "its page"


def _text(page: str) -> str:
    """A page of benchmarks/, or with ``#`` what stands below a heading of it."""
    name, _, heading = page.partition("#")
    text = (_MEASURED / f"{name}.md").read_text(encoding="utf-8")
    return text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0] if heading else text
