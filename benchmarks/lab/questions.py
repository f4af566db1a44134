"""The lab's questions with names on several servers, beside what was published of them.

Each lab runs as users run it (``leadline lab --ask``), and is kept in benchmarks/lab/asked/ with
its machine; a further call measures what is missing and writes the page from all that is there.
Status 1 while anything that was asked for is missing.
"""

from __future__ import annotations

import argparse
import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from advisor.lab.costs import Cost, changes
from advisor.lab.presets import PRESETS
from advisor.wording.measured.lab import amount, cost_name, difference, signed
from benchmarks.shared.loaded_server import build_of
from benchmarks.shared.report import ROOT, keep, machine, page, table
from probes.figures import percent
from probes.statistics.ranges import Range

KEPT = Path(__file__).parent / "asked"
SERVERS = (
    "mysql-5.6.14",
    "mysql-8.0.33",
    "mysql-unstable",
    "mariadb-installed",
    "mariadb-trixie",
)
"""Of the eleven; mysql-unstable is MySQL 9.7 or newer, mariadb-trixie MariaDB 11.8."""

QUESTIONS = tuple(PRESETS)
BUDGET = "5min"
READ = ("servers", "levels", "dropped", "ended")
"""What is kept of a lab's document: how it was asked has the paths of the machine."""

SHOWN_COSTS = 2
"""Of each row: the largest changes of what a transaction takes."""


class Published(NamedTuple):
    """What was published of a question: the finding, in its figures, and the ratio it would have.

    ``low`` and ``high`` bound what was seen of the last value against the first; None where the
    finding has none for a load like the lab's.
    """

    finding: str
    figures: str
    low: float | None = None
    high: float | None = None


PUBLISHED: Mapping[str, Published] = {
    "page-size": Published("F02, F36", "4 KiB: 1.1 to over 2 times the reads", 1.1, 2.2),
    "doublewrite": Published("F37", "without it up to 1.4 times, pool small", 1.0, 1.45),
    "pool-instances": Published("F05, F76", "5.5: 1.7 to 2.3; 8.0: the mean stays", 0.95, 1.05),
    "io-capacity": Published("F64", "beyond what keeps up it costs some per cent to ten", 0.9, 1.0),
    "lru-depth": Published("F72", "1024 to 256 where page cleaners report long loops"),
    "engine": Published("F18", "MyISAM CPU-bound at about half of the drive's requests"),
    "pool-size": Published("F35", "-20 to -80 % from 128 to 32 GB, by the drive"),
}


class Asked(NamedTuple):
    """A question of a server."""

    server: str
    question: str

    @property
    def file(self) -> Path:
        """Where its result is kept."""
        return KEPT / f"{self.server}-{self.question}.json"


def main() -> int:
    """Measure what is missing, and write the page from all that is there."""
    chosen = _arguments()
    KEPT.mkdir(parents=True, exist_ok=True)
    asked = [Asked(server, name) for name in chosen.questions for server in chosen.servers]
    ends_s = time.monotonic() + chosen.minutes * 60
    for each in asked:
        if not each.file.is_file() and not chosen.take and time.monotonic() < ends_s:
            _measure(each, chosen)
    known = [each for each in _all() if each.file.is_file()]
    keep("LAB", page("What settings are worth on this machine", "lab", _lines(known)))
    return 0 if all(each.file.is_file() for each in asked) else 1


def _all() -> Iterator[Asked]:
    for name in QUESTIONS:
        for server in SERVERS:
            yield Asked(server, name)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("questions", nargs="*", metavar="QUESTION", help=f"of {', '.join(PRESETS)}")
    parser.add_argument("--servers", nargs="+", default=[*SERVERS])
    parser.add_argument("--minutes", type=float, default=1e6, help="begin nothing after this")
    parser.add_argument("--budget", default=BUDGET, help="of each lab")
    parser.add_argument("--directory", default="/var/tmp", help="where the data lies")
    parser.add_argument("--take", action="store_true", help="measure nothing, write the page")
    chosen = parser.parse_args()
    chosen.questions = chosen.questions or [*QUESTIONS]
    if unknown := set(chosen.questions) - set(PRESETS):
        parser.error(f"no such question: {', '.join(sorted(unknown))}")
    return chosen


def _measure(asked: Asked, chosen: argparse.Namespace) -> None:
    program = build_of(asked.server).program
    command = shlex.join([*program.command, *program.options])
    argv = [sys.executable, "-m", "app", "lab", "--ask", asked.question, "--server", command]
    argv += ["--dir", chosen.directory, "--budget", chosen.budget, "--json"]
    print(f"{asked.server}, {asked.question}", flush=True)
    done = subprocess.run(argv, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        found = json.loads(done.stdout)
        kept = {"machine": machine(), "lab": {name: found[name] for name in READ}}
        asked.file.write_text(json.dumps(kept) + "\n", encoding="utf-8")
    else:
        print(f"    ended with {done.returncode}")


def _lines(known: Sequence[Asked]) -> Iterator[str]:
    yield (
        "Each row is one lab: throwaway servers that differ in the value, on copies of the same "
        "data, in turns of 2 s. What a value brings is in transactions per second against the "
        "first value, with its interval of 95 %; the lab sees is the smallest difference that it "
        "could tell. A transaction takes names what changed most with the value, from the first "
        "value's to its own. Published is what others saw on their servers and drives."
    )
    dates = sorted({_kept(each)["machine"]["date"] for each in known})
    yield from ("", f"{len(known)} labs, of {dates[0]} to {dates[-1]}." if dates else "None yet.")
    for name in QUESTIONS:
        of_it = [each for each in known if each.question == name]
        if not of_it:
            continue
        yield from ("", f"## {name}", "", PRESETS[name].question, "")
        if (published := PUBLISHED.get(name)) is not None:
            yield from (f"Published ({published.finding}): {published.figures}.", "")
        rows = [row for each in of_it for row in _rows(each)]
        heads = ("server", "value", "connections", "against the first", "verdict", "the lab sees")
        yield from table((*heads, "a transaction takes", "published"), rows, words=2)


def _rows(asked: Asked) -> Iterator[Sequence[str]]:
    document = _kept(asked)["lab"]
    server = next(iter(document["servers"].values()), asked.server)
    for level in document["levels"]:
        resolution = level["resolution"]
        sees = "" if resolution is None else percent(resolution)
        for effect in level["effects"]:
            yield (
                server,
                effect["variant"],
                str(level["connections"]),
                signed(_range(effect["times"])) if effect["times"] else "",
                effect["verdict"],
                sees,
                _takes(level["base"], effect),
                _agrees(asked.question, effect, last=effect is level["effects"][-1]),
            )
    for variant, because in document["dropped"].items():
        yield (server, variant, "", f"left out: {because}"[:80], "", "", "", "")


def _kept(asked: Asked) -> Mapping[str, Any]:
    kept: Mapping[str, Any] = json.loads(asked.file.read_text("utf-8"))
    return kept


def _takes(base: Mapping[str, Any], effect: Mapping[str, Any]) -> str:
    """``syncs 4.3 to 2``: what a transaction takes otherwise, the largest change first."""
    before, now = (
        {Cost(name): value for name, value in each["per_transaction"].items()}
        for each in (base, effect)
    )
    return "; ".join(
        f"{cost_name(each.cost)} {amount(each.cost, each.base)} to "
        f"{amount(each.cost, each.variant)}"
        for each in changes(before, now)[:SHOWN_COSTS]
    )


def _range(found: Mapping[str, Any]) -> Range:
    return Range(found["value"], found["low"], found["high"])


def _agrees(question: str, effect: Mapping[str, Any], *, last: bool) -> str:
    """Whether the interval of the last value holds anything of what was published."""
    published = PUBLISHED.get(question)
    if published is None or not last or not effect["times"]:
        return ""
    if published.low is None or published.high is None:
        return ""
    found = _range(effect["times"])
    agrees = found.low <= published.high and published.low <= found.high
    return "agrees" if agrees else f"does not: {difference(found)}"


if __name__ == "__main__":
    sys.exit(main())
