"""Many servers in a sentence, and what one differs in in a few words."""

from __future__ import annotations

from collections.abc import Sequence

from advisor.fleet.server_row import ServerRow
from probes.figures import counted, first_of

_MOST_NAMED = 2


def summed(rows: Sequence[ServerRow]) -> str:
    """How many servers there are, and how many of them want something."""
    risky, changing = (
        sum(1 for row in rows if getattr(row, name)) for name in ("risks", "changes")
    )
    kinds = len({row.server for row in rows if row.server})
    versions = f" of {counted(kinds, 'version')}" if kinds > 1 else ""
    return (
        f"{counted(len(rows), 'server')}{versions}: {risky or 'none'} with risks, "
        f"{changing or 'none'} with changes to make."
    )


def named_few(odd: Sequence[str]) -> str:
    """The first of what a server differs in, and how many more there are."""
    return first_of(odd, _MOST_NAMED)
