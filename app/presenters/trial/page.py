"""What the page of a trial says first, and what its button does, in each of its phases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.trial.looked import trial_outcome
from advisor.wording.measured.trial import conditions, effect, headline, why
from advisor.wording.measured.trial_plan import GUARD
from app.controllers.asides.trial import LiveTrial, TrialPhase
from app.presenters.frame.sidebar_rows import title_of
from app.presenters.texts.run_text import RunText
from app.presenters.trial.pairs_picture import PairsPicture, pairs_picture
from app.runtime.translation import tr, tr_n
from probes.figures import seconds
from probes.targets.address import TargetSpec

LONGEST_WORD = 24
"""Nobody types more letters to agree."""

BEFORE = (
    "One setting of the live server is switched back and forth until its gain is sure. It is kept "
    "if it gains, and else taken back."
)


def trial_text(trial: LiveTrial | None) -> RunText:
    """What is to be said of a trial now; before one, what a trial is."""
    if trial is None:
        return RunText(tr("Try a change on the live server"), tr(BEFORE))
    planned = () if trial.planned is None else tuple(_briefly(trial.planned.lines))
    target = trial.request.target.name
    match trial.phase:
        case TrialPhase.LOOKING:
            return RunText(tr("Nothing is set yet: the server is looked at."), trial.doing)
        case TrialPhase.ASKING:
            return RunText(
                tr("Nothing is set yet. This is what will be done on {target}.", target=target),
                rows=planned,
            )
        case TrialPhase.SWITCHING | TrialPhase.BY_HAND:
            return RunText(_so_far(trial), _beside(trial), planned)
        case TrialPhase.STOPPING:
            return RunText(tr("The old values are being set."), rows=planned)
    return _ended(trial)


def _briefly(lines: Sequence[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """What will be done, with what a guard does in its one sentence."""
    for heading, text in lines:
        yield heading, GUARD if text.startswith(GUARD) else text


def guard_limits(trial: LiveTrial | None) -> str:
    """When each limit is passed, to be read on demand; "" where nobody guards."""
    lines = () if trial is None or trial.over or trial.planned is None else trial.planned.lines
    return next((text.removeprefix(GUARD).strip() for _, text in lines if GUARD in text), "")


def consent_word(target: TargetSpec) -> str:
    """What a person types to agree: the target's title, of a path its end, in few letters."""
    return title_of(target).rstrip("/").rpartition("/")[2][:LONGEST_WORD].strip()


def picture(trial: LiveTrial) -> PairsPicture:
    """Its pairs so far, as a chart shows them."""
    forecast = trial.request.forecast
    left_out = {pair.number: pair for pair in trial.record.pairs} if trial.record else {}
    pairs = [(left_out.get(each.pair.number, each.pair), each.outcome) for each in trial.pairs]
    return pairs_picture(pairs, forecast)


def _so_far(trial: LiveTrial) -> str:
    if not trial.pairs:
        planned = trial.planned
        if trial.phase is TrialPhase.BY_HAND:
            return trial.doing or tr("Nothing is set from here.")
        if planned is not None and any(each.path for each in planned.asked.settings):
            return trial.doing
        return tr("The first pair of blocks is under way.")
    outcome = trial.pairs[-1].outcome
    if outcome.times is None:
        return tr_n(
            "1 pair: nothing can be said yet.",
            "{n} pairs: nothing can be said yet.",
            len(trial.pairs),
        )
    return tr_n(
        "After 1 pair the time per statement is {effect}.",
        "After {n} pairs the time per statement is {effect}.",
        outcome.pairs,
        effect=effect(outcome),
    )


def _beside(trial: LiveTrial) -> str:
    parts: list[str] = []
    outcome = trial.pairs[-1].outcome if trial.pairs else None
    if outcome is not None and outcome.left_out:
        parts.append(tr_n("1 pair does not count.", "{n} pairs do not count.", outcome.left_out))
    if trial.settle_s is not None:
        parts.append(
            tr(
                "The value still moved within its blocks: they count after {settle} now.",
                settle=seconds(trial.settle_s),
            )
        )
    return " ".join(parts)


def _ended(trial: LiveTrial) -> RunText:
    record = trial.record
    if record is None:
        if trial.error is not None:
            return RunText(trial.error.sentence, trial.error.advice)
        reading = trial.run_id is not None
        return RunText(tr("It has ended.") if reading else tr("Not started: nothing was set."))
    outcome = trial_outcome(record)
    rows: Sequence[tuple[str, str]] = tuple(conditions(record, outcome))
    return RunText(headline(record, outcome), f"{why(record)}.", tuple(rows))
