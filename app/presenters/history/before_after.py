"""Two looks at one server side by side: which can be chosen, what is said, and the figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.fleet.history import PastLook
from advisor.fleet.two_looks import TwoLooks
from advisor.report.two_looks import (
    HEADS,
    NO_PROOF,
    TwoLooksRow,
    came_sentence,
    changed_text,
    rows,
    sentences,
)
from app.presenters.texts.times import moment
from app.runtime.translation import tr
from probes.figures import rate


@dataclass(frozen=True, slots=True)
class BeforeAfterPicture:
    """What came of it first, then what else is said, a row for each figure below its heads."""

    sentence: str
    texts: tuple[str, ...]
    heads: tuple[str, ...]
    rows: tuple[TwoLooksRow, ...]
    no_proof: str = NO_PROOF


def before_after_picture(found: TwoLooks) -> BeforeAfterPicture:
    """What the page shows of two looks."""
    came = came_sentence(found)
    others = (each for each in sentences(found) if each not in (came, NO_PROOF))
    return BeforeAfterPicture(came, (changed_text(found), *others), HEADS, tuple(rows(found)))


def choices(looks: Sequence[PastLook], now: datetime) -> list[tuple[int, str]]:
    """The looks that saw a load, by their runs, each as a list offers it."""
    return [
        (
            look.run_id,
            tr(
                "{moment}, {queries}",
                moment=moment(look.at, now),
                queries=rate(look.load.queries_per_s, "queries"),
            ),
        )
        for look in looks
        if look.load is not None
    ]
