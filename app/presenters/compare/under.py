"""Drives under a watched server, as sentences and rows of the Compare page."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.compare.comparison import LETTERS
from advisor.forecasts.under import UnderServer
from advisor.run import Voice, looks, voice_of
from advisor.wording.forecasts.under import row
from app.controllers.stored_runs import LOCAL, Shelf
from app.runtime.translation import tr
from probes.figures import UNKNOWN, price


@dataclass(frozen=True, slots=True)
class UnderRow:
    """One drive; ``index`` is its place among the contenders.

    ``texts``: the drive, queries, their price, what is expected, mean time, p95, what limits.
    """

    index: int
    texts: tuple[str, ...]


def watched_servers(shelf: Shelf) -> list[tuple[Voice, str]]:
    """Of each target that was looked at what speaks for it, and its name; those at work first.

    One that was idle says why nothing can be forecast.
    """
    seen = dict.fromkeys(run.target for run in sorted(looks(shelf.runs), key=lambda run: run.idle))
    voices = ((voice_of(shelf.of(name)), name) for name in seen)
    return [
        (voice, tr("this computer's server") if name == LOCAL.name else name)
        for voice, name in voices
        if voice is not None
    ]


def rows(found: UnderServer) -> list[UnderRow]:
    """The drives, the fastest first; those that can't be forecast last."""
    order = [*found.ranked]
    order += [at for at in range(len(found.entrants)) if at not in order]
    return [UnderRow(at, _texts(found, at)) for at in order]


def _texts(found: UnderServer, at: int) -> tuple[str, ...]:
    entrant = found.entrants[at]
    cost = entrant.price_per_thousand
    queries, *others = row(found, at)
    return (
        f"{LETTERS[at]}  {entrant.contender.name}",
        queries,
        UNKNOWN if cost is None else price(cost),
        *others,
    )
