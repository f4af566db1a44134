"""From names and values to what a server printed: its variables, and each sample of its counters.

Where does a second sample begin? At a head, a time or a name that comes again, if most names behind
it came before: heads repeat in one table, too, and somebody who types gives a value twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from probes.texts.reading import amounts, names
from probes.texts.reading.pieces import Piece, SettingsPiece, StatedPiece, StatusPiece
from probes.texts.reading.rows import DATA_BYTES, NameValue, rows
from probes.variable_sheets import numbers

WHOLE = 60
"""That many variables are an answer of the server's (it has 300 and more), no list that somebody
typed (our choice)."""

_MOSTLY = 0.5
_LEAST_ALIKE = 3
_FEW = 0.02

_TIME_IN_NAME = re.compile(
    r"(?<!\d)(20\d\d)[-_.]?(\d\d)[-_.]?(\d\d)[-_.T ]?(\d\d)[-_.:h]?(\d\d)(?:[-_.:m]?(\d\d))?(?!\d)"
)
_SMALL = re.compile(r"[a-z][a-z0-9_.]{1,80}")
_DATE_FORMS = ("%a %b %d %H:%M:%S %Z %Y", "%a %b %d %H:%M:%S %Y", "%a %d %b %Y %I:%M:%S %p %Z")


@dataclass(slots=True)
class _Block:
    """Rows that belong together, in the order of the text."""

    clock: str = ""
    rows: list[NameValue] = field(default_factory=list)

    @property
    def names(self) -> set[str]:
        return {row.name for row in self.rows}


@dataclass(slots=True)
class _Sample:
    values: dict[str, str] = field(default_factory=dict)
    at_s: float | None = None
    rounded: bool = False


def read_server(lines: Sequence[str], named_s: float | None = None) -> Iterator[Piece]:
    """Variables as one piece, and a piece for each sample of the counters.

    ``named_s`` is the time that the text's name says: that of its only sample.
    """
    settings: dict[str, str] = {}
    origins: dict[str, tuple[str, str]] = {}
    twice: list[str] = []
    samples: list[_Sample] = []
    for block in _blocks(rows(lines)):
        variables, counters = _apart(block)
        for name, row in variables:
            if row.origin[0]:
                origins[name] = row.origin
            if row.value == "\0":
                continue
            value = setting_value(name, row.value)
            if settings.get(name, value) != value:
                twice.append(name)
            settings[name] = value
        _take_counters(samples, counters, block.clock)
        yield from _sizes(block)
    if settings or origins:
        yield SettingsPiece(
            settings, origins, tuple(dict.fromkeys(twice)), whole=len(settings) >= WHOLE
        )
    for at, sample in enumerate(_absolute(samples)):
        at_s = named_s if sample.at_s is None and len(samples) == 1 else sample.at_s
        yield StatusPiece(sample.values, at_s, sample.rounded, follows=at > 0)


def _sizes(block: _Block) -> Iterator[Piece]:
    for row in block.rows:
        if row.name.lower() == DATA_BYTES and row.value.isdecimal() and len(row.value) < 19:
            yield StatedPiece(data_bytes=int(row.value))


def _blocks(found: Iterable[NameValue]) -> Iterator[_Block]:
    """Rows up to the next head, time, or return of the block's first name."""
    block = _Block()
    for row in found:
        again = bool(block.rows) and row.name == block.rows[0].name and len(block.rows) > 1
        if (row.begins or again) and block.rows:
            yield block
            block = _Block()
        if row.clock:
            block.clock = row.clock
        block.rows.append(row)
    if block.rows:
        yield block


def _apart(block: _Block) -> tuple[list[tuple[str, NameValue]], dict[str, str]]:
    """The variables' rows with their names, and the counters, each with its last value.

    The letters of a name say which it is. In capitals, as the information schema has them, what
    most names of the block are decides.
    """
    variables: list[tuple[str, NameValue]] = []
    counters: dict[str, str] = {}
    plain = [row for row in block.rows if not row.name.isupper()]
    capitals = [row for row in block.rows if row.name.isupper()]
    sure = sum(bool(names.variable(row.name)) for row in capitals)
    as_variables = sure * 2 > len(capitals)
    for row in (*plain, *capitals):
        plain_name = row.name.replace(" ", "_")
        of_status = names.is_counter_as_written(plain_name, listed=row.listed)
        if row.name.isupper():
            of_status = not as_variables
        if row.name.isupper() and as_variables:
            # The information schema has plugins' variables in capitals, too.
            variables.append((names.variable(row.name) or row.name.lower(), row))
        elif of_status or not names.variable(row.name):
            counter = names.counter(row.name, listed=row.listed)
            if counter and (of_status or not row.name.islower() or counter.startswith("wsrep")):
                counters[counter] = row.value
            elif row.listed and row.name != DATA_BYTES and _SMALL.fullmatch(row.name):
                # A variable of a plugin or of another build: the server printed it in its table.
                variables.append((row.name, row))
        else:
            variables.append((names.variable(row.name), row))
    # MariaDB's SHOW STATUS has a few names that options have, too.
    if len(variables) < _FEW * len(counters):
        variables = []
    return variables, counters


def setting_value(name: str, value: str) -> str:
    """A value as the server would print it: of numbers the digits, whoever shortened them."""
    if value in ("NULL", "\\N"):
        return ""
    if name not in numbers():
        return value
    digits = amounts.exact(value)
    if digits.lstrip("+-").replace(".", "", 1).isdecimal():
        return digits
    size = amounts.size_bytes(digits)
    return value if size is None else str(size)


def _take_counters(samples: list[_Sample], counters: Mapping[str, str], clock: str) -> None:
    """Add a block's counters to the last sample, or begin another one with them."""
    if not counters:
        return
    last = samples[-1] if samples else None
    known = set() if last is None else last.values.keys() & counters.keys()
    alike = len(known) >= max(_LEAST_ALIKE, _MOSTLY * len(counters))
    if last is None or alike or (clock and last.at_s is not None):
        last = _Sample(at_s=moment_s(clock))
        samples.append(last)
    elif clock and last.at_s is None:
        last.at_s = moment_s(clock)
    for name, value in counters.items():
        digits = amounts.exact(value)
        shortened = None
        if not digits.lstrip("+-").replace(".", "", 1).isdecimal():
            shortened = amounts.spelled_out(digits)
        last.rounded |= shortened is not None and name != "Uptime"
        last.values[name] = digits if shortened is None else shortened


def moment_s(clock: str) -> float | None:
    """Seconds since 1970 of a line that says a time; without a zone it is taken for UTC."""
    text = clock.strip().removeprefix("#").strip()
    if text.startswith("TS "):
        number = text.split()[1]
        return float(number) if re.fullmatch(r"\d{9,11}(\.\d{1,9})?", number) else None
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except ValueError:
        pass
    words = re.sub(r"\b(?!UTC|GMT)[A-Z]{3,5}\b(?= \d{4}$)", "UTC", " ".join(text.split()))
    for form in _DATE_FORMS:
        try:
            return datetime.strptime(words, form).replace(tzinfo=UTC).timestamp()
        except ValueError:
            continue
    return None


def time_of_name(name: str) -> float | None:
    """When a text was taken by its name, as pt-stalk and many scripts write it; None for none."""
    found = _TIME_IN_NAME.search(name)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(each or 0) for each in found.groups())
    try:
        return datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _absolute(samples: Sequence[_Sample]) -> Sequence[_Sample]:
    """Samples of ``mysqladmin -r``, which are differences from the second one on, added up.

    They are known by an uptime that is shorter than the first one and grows no more.
    """
    if len(samples) < 2 or not all(_is_step(samples[0], each) for each in samples[1:]):
        return samples
    added = [samples[0]]
    for sample in samples[1:]:
        before = added[-1].values
        values = {name: _sum(before.get(name), step) for name, step in sample.values.items()}
        added.append(_Sample({**before, **values}, sample.at_s, sample.rounded))
    return added


def _is_step(first: _Sample, later: _Sample) -> bool:
    up, step = (each.values.get("Uptime", "") for each in (first, later))
    if not (up.isdecimal() and step.isdecimal()) or len(up) > 15 or len(step) > 15:
        return False
    asked = ("Questions", "Queries", "Innodb_buffer_pool_read_requests")
    pairs = ((first.values.get(name, ""), later.values.get(name, "")) for name in asked)
    less = [int(b) < int(a) for a, b in pairs if a.isdecimal() and b.isdecimal() and len(a) < 20]
    return int(step) < int(up) and int(step) <= 3600 and all(less)


def _sum(before: str | None, step: str) -> str:
    try:
        return str(int(before or "0") + int(step))
    except ValueError:
        return step
