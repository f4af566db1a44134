"""Which names a target may have, on the command line and in the window."""

from __future__ import annotations

import re

from probes.errors import UsageError
from probes.targets.address import TargetSpec

CASE_SUFFIX = ".leadline"
"""How a case file's name ends: that is how commands tell it from a run or a target."""

LOCAL = TargetSpec().name
"""What this computer is called."""

SAMPLE = "sample"
"""What the target of the runs that ship is called."""

_NUMBER, _DIGITS = re.compile(r"\d+"), 20

_CHOOSE = "Take a word such as db7"


def check_name(name: str) -> None:
    """Refuse names that could be taken for something else later; raises UsageError."""
    unclear = "://" in name or name.startswith("-")
    if not name.strip() or name != name.strip() or unclear or not name.isprintable():
        raise UsageError(
            f"{name!r} can't be a target's name.",
            f"{_CHOOSE}, without :// and with no space at its ends.",
        )
    if name.isdecimal() or name.endswith(CASE_SUFFIX):
        raise UsageError(
            f"{name!r} would be taken for a run's number or a case file.", f"{_CHOOSE}."
        )
    if name == LOCAL:
        raise UsageError("The name 'local' always means this computer.", "Take another name.")


def in_order(name: str) -> str:
    """What names are sorted by, as people do it: db2 comes before db10."""
    return _NUMBER.sub(lambda found: found[0].zfill(_DIGITS), name.casefold())
