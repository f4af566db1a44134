"""A trial for people: the answer first, then how sure it is; and all trials of a target."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.report.document.blocks import (
    GAP,
    Block,
    Document,
    ParagraphRole,
    beside,
    pairs,
    table,
    text,
)
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import redaction, telling, without_names
from advisor.run import RunState, RunSummary
from advisor.trial.looked import trial_outcome
from advisor.trial.record import TrialRecord, TrialVerdict
from advisor.wording.measured import trial as words
from probes._version import __version__

_HEADS = ("day", "tried", "", "statements", "why")


def trial_document(record: TrialRecord, run: RunSummary, cover: Cover = NO_COVER) -> Document:
    """The report of a trial for a client."""
    early = "" if run.state is RunState.DONE else f"{run.state.value.capitalize()}. {run.reason}"
    document = Document(
        title=f"What was tried on {run.target}",
        cover=cover,
        facts=(("run", f"{run.id}, {run.started_at[:10]}"), redaction(cover)),
        notice=early.strip(),
        blocks=tuple(_whole(record)),
        last=f"Reckoned by Leadline {__version__}.",
    )
    names = telling({run.target: "server"})
    return without_names(document, names) if cover.anonymous else document


def trial_blocks(record: TrialRecord, run_id: int) -> Iterator[Block]:
    """The same on a terminal, with the way back to it."""
    yield from _whole(record)
    yield beside(f"Run {run_id}: `leadline runs show {run_id}` shows it again.")


def tried_table(trials: Sequence[tuple[str, TrialRecord]]) -> Block:
    """What was tried on a target: each trial with its day, its verdict and its interval."""
    return table(_HEADS, [_row(day, record) for day, record in trials], (0, 1, 2, 3, 4))


def _whole(record: TrialRecord) -> Iterator[Block]:
    outcome = trial_outcome(record)
    yield text(words.headline(record, outcome), ParagraphRole.LEAD)
    if record.verdict is TrialVerdict.KEPT:
        yield text(f"{words.why(record)}.")
    yield GAP
    yield from pairs(words.conditions(record, outcome))


def _row(day: str, record: TrialRecord) -> tuple[str, ...]:
    outcome = trial_outcome(record)
    effect = words.effect(outcome) if outcome.times is not None else ""
    return day, words.what(record), words.verdict(record), effect, words.why(record)
