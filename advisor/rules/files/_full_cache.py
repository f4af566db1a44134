"""What the rules on caches of tables and files share: how large one becomes that is full.

Twice as large; where it is known how many tables there are, large enough for those that come soon.
"""

from __future__ import annotations

from typing import Unpack

from advisor.facts.server.pool import INNODB_FILES
from advisor.facts.server.status import status
from advisor.facts.server.variables import variable
from advisor.model.server.round_figures import round_down, round_up
from advisor.rulekit import Card, Facts, Judged, Says
from advisor.variables.standing import Standing
from probes.figures import count

ALL, SOON_S = 1.2, 600.0
"""Room for all tables and for some that come, as far as they are asked for within ten minutes (our
choices): a cache for tables that nobody uses is memory lost."""

FEW_PER_S = 1.0
"""Tables or files that are opened again: fewer cost nothing that is felt (our choice)."""

EVICTED = status("Table_open_cache_overflows")
OPENED, DEFINED = status("Opened_tables"), status("Opened_table_definitions")
DEFINITIONS = variable("table_definition_cache")
USES = (INNODB_FILES, OPENED, DEFINED, DEFINITIONS)


def asked_for(facts: Facts, kept: float, per_s: float) -> float:
    """How many would be kept open; ``kept`` are, and ``per_s`` are opened again."""
    tables, twice = facts.find(INNODB_FILES), 2 * kept
    if tables is None:
        return twice
    return max(twice, min(ALL * tables, kept + SOON_S * per_s))


def larger(
    facts: Facts,
    card: Card,
    *,
    gains: str,
    wanted: float,
    least: float,
    most: int,
    room: float | None = None,
    first: tuple[tuple[Standing, str], ...] = (),
    **says: Unpack[Says],
) -> Judged:
    """Ask for ``wanted``, as far as descriptors leave ``room`` (None: no limit), or for ``least``.

    ``gains`` is what a larger one brings, ``most`` the largest that it may be, ``first`` what is
    set with it; ``says`` is for the recommendation alone.
    """
    value = min(round_up(wanted), most)
    if room is not None and least <= room < value:
        value = round_down(room)
    if value <= facts.now.number:
        return card.watch("It is at its maximum: check whether all of them are needed.")
    if room is not None and value > room:
        return card.watch(
            f"open_files_limit leaves descriptors for {count(room)} of them: raise it first.",
        )
    return card.recommend(facts.to(str(value), first=first), effect=gains, **says)
