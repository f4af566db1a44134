"""sysbench's oltp tests: lookups and updates by primary key, or whole transactions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from probes.errors import ImportRefused
from probes.imports.apart import PER_TRANSACTION, statements_words
from probes.imports.figures import count, figure
from probes.imports.imported import ImportNotes
from probes.imports.little import CLOSED, NOT_ASKED
from probes.imports.points import Figures, make_point
from probes.imports.sysbench.run import COARSE, SysbenchRun, interval_of, standstills
from probes.points import Point, Probe, Setting

ENGINE = "sysbench"

RESULT = re.compile(r"^[ \t]*queries performed:", re.MULTILINE)
"""What only the result of a database test has."""

_QUERIES = {
    what: re.compile(rf"^[ \t]*{what}:\s+(\d{{1,18}})\s*$", re.MULTILINE)
    for what in ("read", "write", "other")
}
_TRANSACTIONS = re.compile(
    r"^[ \t]*transactions:\s+(\d{1,18})\s*\(([\d.]{1,20}) per sec", re.MULTILINE
)
_ERRORS = re.compile(r"^[ \t]*ignored errors:\s+(\d{1,18})", re.MULTILINE)
_REPORT = re.compile(
    r"^\[\s*\d{1,9}s\s*\] (?:thds: \d{1,9}|threads: \d{1,9},) tps: ([\d.]{1,20})", re.MULTILINE
)
_UNIFORM = "Using Uniform distribution"
_SIMPLE = "Running simple OLTP test"

PREPARED = (
    "sysbench prepares its statements unless --db-ps-mode=disable is given: so it is assumed."
)
SPECIAL = (
    "sysbench asks for 1 % of the keys in 75 % of the cases, unless --rand-type=uniform is given: "
    "caches hold more than their share."
)
LOOKUPS = (
    "A run of one read per transaction is taken for lookups by primary key: sysbench does not "
    "print which test ran."
)
UPDATES = (
    "A run of one write per transaction is taken for updates by primary key: sysbench does not "
    "print which test ran."
)


UNKNOWN_SCRIPT = (
    "A transaction was {}: none of sysbench's own scripts as they ship. Which keys it asks for is "
    "not known."
)

NO_STATEMENTS = (
    "sysbench counted neither reads nor writes: what a transaction was made of is not known."
)

_OWN = frozenset({("14", "4"), ("14", "5"), ("14", "0"), ("0", "4"), ("1", "0"), ("0", "1")})
"""Reads and writes per transaction of sysbench's own scripts, 0.4 to 1.1."""


@dataclass(frozen=True, slots=True)
class _Counts:
    """What a run did."""

    read: int
    write: int
    other: int
    transactions: int
    per_s: float

    def each(self, what: str) -> str:
        """Statements of a kind in one transaction, to two digits: ``14``, ``1.5``."""
        number = getattr(self, what) / max(1, self.transactions)
        return f"{float(f'{number:.1e}'):g}"

    @property
    def statements(self) -> str:
        """As a setting's option keeps it: ``14_reads_and_4_writes``."""
        counts = ((self.each(kind), kind) for kind in ("read", "write"))
        return "_and_".join(
            f"{number}_{kind}{'' if number == '1' else 's'}"
            for number, kind in counts
            if number != "0"
        )

    def one_each(self, statements: int) -> bool:
        """Whether each transaction was one such statement; some were under way at the end."""
        return abs(statements - self.transactions) <= max(2, 0.002 * self.transactions)


def read_run(run: SysbenchRun, notes: ImportNotes) -> Iterator[Point]:
    """The point of one run. Raises ImportRefused."""
    counts = _counts(run)
    setting = _setting(run, counts, notes.warnings)
    if _UNIFORM not in run.text and counts.statements:
        notes.warnings.append(_keys(counts))
    if run.coarse:
        notes.warnings.append(COARSE)
    errors = _ERRORS.search(run.text)
    ignored = count(errors[1], "the number of errors") if errors else 0
    reported = [figure(found[1], "a rate") for found in _REPORT.finditer(run.text)]
    doubts = [*run.doubts(counts.per_s, "connection"), *standstills(reported)]
    if ignored > 0.01 * counts.transactions:
        doubts.append(f"sysbench ignored {ignored} errors of the server.")
    latency, histogram = run.latency()
    figures = Figures(
        rate_per_s=counts.per_s,
        seconds=run.seconds,
        operations=counts.transactions,
        ci95_per_s=interval_of(counts.per_s, reported),
        latency=latency,
        histogram=histogram,
        doubts=doubts,
        details={"warm_up_s": run.warm_up_s} if run.warm_up_s else {},
        loop=NOT_ASKED if run.held_to_a_rate else CLOSED,
    )
    yield make_point(setting, ENGINE, figures)


def _keys(counts: _Counts) -> str:
    """What is known of the keys that were asked for, by what a transaction was made of."""
    if (counts.each("read"), counts.each("write")) in _OWN:
        return SPECIAL
    return UNKNOWN_SCRIPT.format(statements_words(counts.statements))


def _counts(run: SysbenchRun) -> _Counts:
    transactions = _TRANSACTIONS.search(run.text)
    found = {what: pattern.search(run.text) for what, pattern in _QUERIES.items()}
    if transactions is None or None in found.values():
        raise ImportRefused(
            "The result of a sysbench run is cut off.", "Import all that sysbench wrote."
        )
    numbers = {
        what: count(match[1], "a number of statements") for what, match in found.items() if match
    }
    return _Counts(
        **numbers,
        transactions=count(transactions[1], "the number of transactions"),
        per_s=figure(transactions[2], "the rate of transactions"),
    )


def _setting(run: SysbenchRun, counts: _Counts, warnings: list[str]) -> Setting:
    threads = run.threads
    if not counts.statements:
        warnings.append(NO_STATEMENTS)
        return Setting(Probe.OLTP, threads)
    if not counts.write and counts.one_each(counts.read):
        simple = _SIMPLE in run.text
        if simple or not counts.other:
            warnings.extend([PREPARED] if simple else [PREPARED, LOOKUPS])
            return Setting(Probe.POINT_SELECT, threads, options={"protocol": "prepared"})
    if not counts.read and not counts.other and counts.one_each(counts.write):
        warnings.extend([PREPARED, UPDATES])
        return Setting(Probe.PK_UPDATE, threads, options={"protocol": "prepared"})
    statements = "both" if counts.read and counts.write else "reads" if counts.read else "writes"
    options = {"statements": statements, PER_TRANSACTION: counts.statements}
    return Setting(Probe.OLTP, threads, options=options)
