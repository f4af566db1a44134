"""What the rules on the caches of tables and files share: a full one becomes twice as large."""

from __future__ import annotations

from typing import Unpack

from advisor.model.server.round_figures import round_up
from advisor.rulekit import Card, Facts, Judged, Says
from probes.figures import count


def doubled(
    facts: Facts,
    card: Card,
    *,
    gains: str,
    kept: float,
    most: int,
    room: float | None = None,
    **says: Unpack[Says],
) -> Judged:
    """Ask for twice what is ``kept``, as far as descriptors leave ``room`` (None: no limit).

    ``gains`` is what a larger one brings, ``most`` the largest that it may be; ``says`` is for the
    recommendation alone.
    """
    wanted = min(round_up(2 * kept), most)
    if wanted <= facts.now.number:
        return card.watch("It is at its maximum: check whether all of them are needed.")
    if room is not None and wanted > room:
        return card.watch(
            f"open_files_limit leaves descriptors for {count(room)} of them: raise it first.",
        )
    return card.recommend(facts.to(str(wanted)), effect=gains, **says)
