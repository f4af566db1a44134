"""Labs small enough for a test: real servers, little data, turns of a moment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from advisor.lab.asked import Asked, varied
from advisor.runs.lab import session
from advisor.runs.lab.events import LabDropped, LabEvent, TurnDone
from advisor.runs.lab.request import LabRequest
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.lab.variant import LabLoad, LoadKind, Variant
from probes.targets.address import TargetSpec
from tests.prompts import Unasked

MIB = 1 << 20


def asked(*vary: str, budget_s: float = 5.0) -> Asked:
    """A question about options, with turns of a moment."""
    return question_of(*varied(vary, (), ()), budget_s=budget_s)


def question_of(*variants: Variant, budget_s: float = 5.0) -> Asked:
    """A question about variants, with turns of a moment."""
    return Asked(
        variants,
        LabLoad(LoadKind.UPDATE, data_bytes=16 * MIB),
        levels=(2,),
        pool_bytes=24 * MIB,
        redo_bytes=16 * MIB,
        budget_s=budget_s,
        turn_s=0.3,
        settle_s=0.1,
    )


def request(
    question: Asked,
    *directories: Path,
    target: TargetSpec | None = None,
    servers: Sequence[tuple[str, ...]] = (),
) -> LabRequest:
    """A lab that answers it in these directories."""
    return LabRequest(
        target or TargetSpec(),
        lambda _: question,
        servers=tuple(servers),
        directories=tuple(map(str, directories)),
        start_anyway=True,
    )


def events_of(
    store: Store, wanted: LabRequest, token: CancelToken | None = None
) -> Iterator[LabEvent]:
    """What a lab reports until its end."""
    return session.lab(store, wanted, Unasked(), token or CancelToken())


def left_out(events: Sequence[LabEvent]) -> dict[str, str]:
    """Why variants were left out."""
    return {each.variant: each.because for each in events if isinstance(each, LabDropped)}


def turns(events: Sequence[LabEvent]) -> list[TurnDone]:
    """The turns among events."""
    return [each for each in events if isinstance(each, TurnDone)]
