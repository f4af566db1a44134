"""Values that a person keeps, as they are typed."""

from __future__ import annotations

import re

from advisor.tried import Pinned
from advisor.variables.sheets import SHEETS
from probes.errors import UsageError

_DAY = re.compile(r"20\d\d-(0[1-9]|1[0-2])(-(0[1-9]|[12]\d|3[01]))?")
LONGEST_REASON = 200


def typed_pin(setting: str, because: str, until: str) -> Pinned:
    """A pin as it was typed; raises UsageError for an unknown setting, no reason or no day."""
    name = setting.strip().lower().replace("-", "_")
    if name not in SHEETS:
        raise UsageError(
            f"Leadline does not know {name}, and advises nothing of it.",
            "`leadline variables` lists what it knows.",
        )
    if not because.strip() or len(because) > LONGEST_REASON or not because.isprintable():
        raise UsageError(f"A pin has a reason, of {LONGEST_REASON} letters at most.")
    if not _DAY.fullmatch(until):
        raise UsageError(f"{until!r} is no day or month.", "Write it as 2027-03 or 2027-03-31.")
    return Pinned(name, because.strip(), until)
