"""A trial while it works, on a terminal; the question whether it may begin."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rich.console import Console

from advisor.report.json.trial import to_json
from advisor.report.sections.trial import trial_blocks, tried_table
from advisor.runs.events import Progressed
from advisor.runs.trial.events import (
    PairDone,
    SettlingLonger,
    TrialEvent,
    TrialPlanned,
)
from advisor.store.store import Store
from advisor.trial.record import TrialRecord
from advisor.wording.measured.trial import effect
from app.cli.shown.measuring import give, plan_lines, shown_events
from app.cli.shown.terminal import messages
from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.figures import seconds
from probes.targets.address import Prompts

Start = Callable[[Prompts, CancelToken], Iterator[TrialEvent]]


def shown_trial(console: Console, start: Start) -> Iterator[TrialEvent]:
    """Run a trial to its end with its events on ``console``; Ctrl-C ends it, and goes back.

    Yields each event after it was shown. Raises what the trial raises.
    """
    return shown_events(console, start, _lines)


def _lines(event: TrialEvent) -> list[str] | None:
    """What is said of a trial's own events; None of those that every run has."""
    match event:
        case TrialPlanned():
            return plan_lines(event.lines)
        case PairDone():
            outcome, pair = event.outcome, event.pair
            so_far = f": {effect(outcome)}" if outcome.times is not None else ""
            out = f" does not count ({pair.left_out.value})" if pair.left_out else ""
            return [f"  pair {pair.number + 1}, {pair.first.value} first{out}{so_far}"]
        case SettlingLonger():
            return [
                "The value still moved within its blocks: they count from "
                f"{seconds(event.settle_s)} on now, and the pairs until here don't."
            ]
        case Progressed():
            return []
    return None


def consents(target: str, typed: str) -> Callable[[TrialPlanned], bool]:
    """Asks a person, who answers with the target's name; ``typed`` is what --yes said already.

    Raises UsageError where --yes names another target, and where there is nobody to ask.
    """
    answered = bool(typed)

    def asked(_planned: TrialPlanned) -> bool:
        nonlocal answered
        if not answered:
            messages().print(f"To set this on {target}, type its name: ", end="")
            answered = sys.stdin.readline().strip() == target
        return answered

    if typed and typed != target:
        raise UsageError(
            f"--yes says {typed}, and the target is {target}.", f"Write --yes {target}."
        )
    if not typed and not (sys.stdin is not None and sys.stdin.isatty()):
        raise UsageError(
            "A trial changes a live server, and there is no terminal to ask whether it may.",
            f"Write --yes {target}, or --dry-run to see what it would do.",
        )
    return asked


def give_trial(store: Store, run_id: int, *, as_json: bool, file: Path | None) -> TrialRecord:
    """Give what came of a trial, in the form that was asked for; returns its record."""
    record = store.trial(run_id)
    give(
        lambda: to_json(record, run_id),
        lambda: trial_blocks(record, run_id),
        as_json=as_json,
        file=file,
    )
    return record


def give_trials(store: Store, run_ids: Sequence[int], *, as_json: bool, file: Path | None) -> None:
    """Give what came of several trials: one row each, or one document each."""
    records = [(run_id, store.trial(run_id)) for run_id in run_ids]
    give(
        lambda: "".join(to_json(record, run_id) for run_id, record in records),
        lambda: [tried_table([(f"run {run_id}", record) for run_id, record in records])],
        as_json=as_json,
        file=file,
    )
