"""One report of iostat: its rows, and the figures of one row in the units of their columns."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from probes.imports.figures import figure

Row = Mapping[str, float]
"""Figures by the heads of their columns, without percent signs."""

COARSE = "coarse "
"""Stands before the name of a column whose bytes were rounded to a tenth of a mebibyte or more."""

_VALUE = re.compile(r"(\d{1,20}(?:[.,]\d{1,9})?)([sBkMGTP]?)%?")
_UNITS = {"s": 512, "B": 1} | {unit: 1024**power for power, unit in enumerate("kMGTP", 1)}


@dataclass(slots=True)
class IostatReport:
    """One moment: shares of the processors in percent, and the columns of each device.

    ``groups`` are those of the devices that add up others (``iostat -g``).
    """

    at: datetime | None = None
    cpu: Row = field(default_factory=dict)
    devices: dict[str, dict[str, float]] = field(default_factory=dict)
    groups: set[str] = field(default_factory=set)


def is_value(word: str) -> bool:
    """Whether it is a figure as iostat writes them: ``0.50``, ``12,5``, ``640.0k``, ``3.2%``."""
    return _VALUE.fullmatch(word) is not None


def values(head: str, word: str) -> dict[str, float]:
    """The figure under one head, in the unit of that head, by the head without its percent sign.

    ``640.0k`` (``--human``) is 640 under ``rkB/s`` and 0.625 under ``rMB/s``. Where it is rounded
    to so much that small rates become 0, a mark stands beside it. Raises ImportRefused.
    """
    name, own = head.removeprefix("%"), _unit_of(head)
    found = _VALUE.fullmatch(word)
    unit = found[2] if found else ""
    if found is None or (unit and not own):
        return {name: figure(word.replace(",", "."), f"iostat's {head}")}
    number = figure(found[1].replace(",", "."), f"iostat's {head}")
    figures = {name: number * _UNITS[unit] / own if unit else number}
    if unit in ("M", "G", "T", "P") or (own == 1 << 20 and not unit):
        figures[COARSE + name] = 1.0
    return figures


def _unit_of(head: str) -> int:
    """The bytes that a head counts in; 0 where it counts something else."""
    for mark, unit in (("MB/s", 1 << 20), ("kB/s", 1024), ("sec/s", 512)):
        if head.endswith(mark):
            return unit
    return 1024 if head.endswith("req-sz") else 0
