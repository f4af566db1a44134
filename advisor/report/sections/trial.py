"""A trial for people: the answer first, then how sure it is; and all trials of a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.report.document.blocks import (
    GAP,
    Block,
    Document,
    ParagraphRole,
    pairs,
    table,
    text,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.of_run import document_of_run, shown_again
from advisor.run import RunSummary
from advisor.trial.looked import trial_outcome
from advisor.trial.record import TrialRecord, TrialVerdict
from advisor.wording.measured import trial as words
from probes.figures import listed

_HEADS = ("day", "tried", "verdict", "time of a statement", "why")


def trial_document(record: TrialRecord, run: RunSummary, cover: Cover = NO_COVER) -> Document:
    """The report of a trial for a client."""
    return document_of_run(f"What was tried on {run.target}", run, trial_answer(record), cover)


def trial_blocks(record: TrialRecord, run_id: int) -> Iterator[Block]:
    """The same on a terminal, with the way back to it."""
    yield from trial_answer(record)
    yield shown_again(run_id)


def tried_table(trials: Sequence[tuple[str, TrialRecord]]) -> Block:
    """What was tried on a target: each trial with its day, its verdict and its interval."""
    return table(_HEADS, [_row(day, record) for day, record in trials], (0, 1, 2, 3, 4))


def trial_answer(record: TrialRecord) -> Iterator[Block]:
    """What became of it and why, then how sure it is and how it was made."""
    outcome = trial_outcome(record)
    yield text(words.headline(record, outcome), ParagraphRole.LEAD)
    if record.verdict is TrialVerdict.KEPT:
        yield text(f"{words.why(record)}.")
    yield GAP
    yield from pairs(words.conditions(record, outcome))


def _row(day: str, record: TrialRecord) -> tuple[str, ...]:
    outcome = trial_outcome(record)
    effect = words.effect(outcome) if outcome.times is not None else ""
    # What was not set back, or what the next start forgets, is work for whoever reads this.
    left = ""
    if record.stays:
        left = f". Not set back: {listed(record.stays)}"
    elif record.verdict is TrialVerdict.KEPT:
        left = f". Next start: {words.next_start(record)}"
    why = f"{words.why(record)}{left}."
    return day, words.what(record), words.verdict(record), effect, why
