"""Versions and values as people write them: ``mysql-8.4``, ``mariadb-10.11.19``, ``16 GiB``."""

from __future__ import annotations

import re

from advisor.variables.catalogue import SETTINGS
from advisor.variables.entry import OPEN, numbers
from advisor.variables.sheets import SHEETS
from probes.figures import setting, size
from probes.version import Flavour, ServerVersion, dotted


def version_named(text: str) -> ServerVersion:
    """Read a version; raises ValueError with a sentence when it is none.

    Without a patch number it is the newest release of the series of which the catalogue knows
    anything: a series is asked for as it is today, and not as its first release was.
    """
    match = re.fullmatch(r"(mysql|mariadb)-(\d+)\.(\d+)(?:\.(\d+))?", text.strip().lower())
    if match is None:
        raise ValueError(f"{text!r} names no version. Write mysql-8.4, say, or mariadb-11.8.6.")
    flavour = Flavour(match[1])
    series = (int(match[2]), int(match[3]))
    patch = int(match[4]) if match[4] else _newest_patch(flavour, series)
    return ServerVersion(flavour, (*series, patch), f"{series[0]}.{series[1]}.{patch}")


def _newest_patch(flavour: Flavour, series: tuple[int, int]) -> int:
    patches = {0}
    for spans in SETTINGS.values():
        for span in spans:
            if span.flavour is flavour:
                known = (span.since, span.before, *map(numbers, span.measured))
                patches |= {each[2] for each in known if each[:2] == series and len(each) > 2}
    return max(patches)


def span_text(since: tuple[int, ...], before: tuple[int, ...]) -> str:
    """Write a span of versions: "8.0.30 to before 9.0", "from 8.4"."""
    first = dotted(since)
    if before == OPEN:
        return f"from {first}"
    return f"{first} to before {dotted(before)}"


def value_text(name: str, value: str) -> str:
    """``16 GiB`` for a size in bytes; what is no plain number stays as it is."""
    sheet = SHEETS.get(name)
    if sheet is not None and sheet.unit == "bytes" and value.isdigit():
        return size(int(value))
    return setting(value)


def change_text(name: str, now: str, proposed: str, *, named: bool = True) -> str:
    """``innodb_io_capacity: 200 → 2000``, or ``innodb_io_capacity = 2000`` where none is known now.

    Without its name ``200 → 2000``, or ``2000``.
    """
    before, after = value_text(name, now), value_text(name, proposed)
    change = f"{before} → {after}" if before else after
    if not named:
        return change
    return f"{name}: {change}" if before else f"{name} = {change}"
