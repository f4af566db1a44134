"""A lab while it works, on a terminal: a line for each thing that happens."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from pathlib import Path

from rich.console import Console

from advisor.report.json.lab import to_json
from advisor.report.sections.lab import lab_blocks
from advisor.runs.events import Progressed
from advisor.runs.lab.events import LabDropped, LabEvent, LabPlanned, StartBegun, TurnDone
from advisor.store.store import Store
from app.cli.shown.measuring import give, plan_lines, shown_events
from probes.cancel import CancelToken
from probes.figures import duration_us, rate
from probes.targets.address import Prompts

Start = Callable[[Prompts, CancelToken], Iterator[LabEvent]]


def shown_lab(console: Console, start: Start) -> Iterator[LabEvent]:
    """Run a lab to its end with its events on ``console``; Ctrl-C cancels it.

    Yields each event after it was shown. Raises what the lab raises.
    """
    return shown_events(console, start, _lines)


def _lines(event: LabEvent) -> list[str] | None:
    """What is said of a lab's own events; None of those that every run has."""
    match event:
        case LabPlanned():
            return plan_lines(event.lines)
        case StartBegun():
            return [f"Start {event.number + 1} of all servers."]
        case TurnDone():
            turn = event.turn
            done = rate(turn.turn.per_s, "transactions")
            p95_us = turn.turn.p95_us
            late = f", 95 of 100 within {duration_us(p95_us)}" if math.isfinite(p95_us) else ""
            return [
                f"  round {turn.round + 1}, {turn.variant}, {turn.level} connections: {done}{late}"
            ]
        case LabDropped():
            return [f"Left out: {event.variant}. {event.because}"]
        case Progressed():
            return []
    return None


def give_lab(store: Store, run_id: int, *, as_json: bool, file: Path | None) -> None:
    """Give what came of a lab, in the form that was asked for."""
    record = store.lab(run_id)
    give(
        lambda: to_json(record, run_id),
        lambda: lab_blocks(record, run_id),
        as_json=as_json,
        file=file,
    )
