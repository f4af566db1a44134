"""What the page of a lab says first in each of its phases, and what stands below."""

from __future__ import annotations

from advisor.wording.measured.lab import conditions, headline, resolution
from app.controllers.asides.lab import LabPhase, LiveLab
from app.presenters.texts.run_text import RunText
from app.runtime.translation import tr, tr_n
from probes.figures import seconds

BEFORE = (
    "Throwaway servers that differ in this alone take turns of seconds on copies of the same data. "
    "The live server is not touched, and nothing is left behind."
)


def lab_text(lab: LiveLab | None) -> RunText:
    """What is to be said of a lab now; before one, what a lab is."""
    if lab is None:
        return RunText(tr("Measure what a setting is worth on this machine"), tr(BEFORE))
    if lab.seen is not None and lab.phase is not LabPhase.STOPPING:
        return RunText(headline(lab.seen.record, lab.seen.outcome), _doing(lab), _rows(lab))
    planned = () if lab.planned is None else lab.planned.lines
    return {
        LabPhase.LOOKING: RunText(tr("Nothing is begun: what it takes is found out."), lab.doing),
        LabPhase.PLANNED: RunText(tr("Nothing is begun. This is what it takes."), rows=planned),
        LabPhase.WORKING: RunText(
            tr("The servers and their data are being made."), _doing(lab), planned
        ),
        LabPhase.STOPPING: RunText(tr("It ends: its servers and data go."), rows=_rows(lab)),
        LabPhase.ENDED: _without_figures(lab),
    }[lab.phase]


def _without_figures(lab: LiveLab) -> RunText:
    if lab.error is not None:
        return RunText(lab.error.sentence, lab.error.advice)
    return RunText(tr("It was ended before there was anything to say."))


def _doing(lab: LiveLab) -> str:
    if lab.phase is not LabPhase.WORKING:
        return "" if lab.error is None else lab.error.sentence
    parts = [] if lab.turns else [lab.doing]
    if lab.turns:
        parts.append(tr_n("1 turn so far.", "{n} turns so far.", len(lab.turns)))
    if lab.seconds_left is not None:
        left = seconds(round(lab.seconds_left))
        parts.append(tr("At most {left} left.", left=left))
    return " ".join(filter(None, parts))


def _rows(lab: LiveLab) -> tuple[tuple[str, str], ...]:
    if lab.seen is None:
        return ()
    record, outcome = lab.seen.record, lab.seen.outcome
    found = tuple((tr("resolution"), resolution(level)) for level in outcome.levels)
    return (*found, *conditions(record, outcome))
