"""One server over time: what each look found, where its level changed, and where settings did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.fleet.history import PastLook, before_after
from advisor.fleet.levels import HistoryFigure, NewLevel, figure_of
from advisor.report.history import NO_PROOF, change_sentence, changes_text, level_sentence
from app.presenters.texts.times import moment
from app.runtime.translation import tr, tr_n
from probes.figures import duration_us, rate


@dataclass(frozen=True, slots=True)
class HistoryMark:
    """A look: when (seconds since 1970), what changed before it, and all as a text.

    ``figures`` are those that are known, none where no query was at work; ``busy`` the share of the
    time that processors or the busiest drive were, whichever is more. On ``new_level`` begins
    another level.
    """

    run_id: int
    at_s: float
    figures: Mapping[HistoryFigure, float]
    busy: float | None
    changed: str
    text: str
    new_level: bool


@dataclass(frozen=True, slots=True)
class HistoryPicture:
    """Looks from the oldest on, what is to be read of changes between them, and what comes first.

    ``lanes`` are the figures that any look has.
    """

    marks: tuple[HistoryMark, ...]
    lanes: tuple[HistoryFigure, ...]
    sentence: str
    since: tuple[str, ...]


def history_picture(
    looks: Sequence[PastLook], levels: Sequence[NewLevel], now: datetime
) -> HistoryPicture:
    """What the page shows of a server's looks, and of the levels that they found."""
    starts = {level.run_id for level in levels}
    marks = tuple(_mark(each, now, each.run_id in starts) for each in looks)
    changes = [change_sentence(each) for each in before_after(tuple(looks))]
    changes += [level_sentence(each) for each in levels]
    if not looks:
        return HistoryPicture((), (), tr("See how the server changes over time."), ())
    first = moment(looks[0].at, now, inside=True)
    sentence = tr_n("seen once, {first}.", "seen {n} times since {first}.", len(looks), first=first)
    if changes:
        # What was found last is what a reader asks about first.
        sentence = f"{sentence} {changes[-1]}"
    lanes = tuple(each for each in HistoryFigure if any(each in mark.figures for mark in marks))
    since = (*changes[-2::-1], tr(NO_PROOF)) if changes else ()
    return HistoryPicture(marks, lanes, sentence, since)


def _mark(look: PastLook, now: datetime, new_level: bool) -> HistoryMark:
    load, when = look.load, moment(look.at, now)
    changed = changes_text(look.changed) if look.changed else ""
    figures = tr("no query at work")
    if load is not None:
        queries = rate(load.queries_per_s, "queries")
        time_us = load.per_query.time_us
        each = "" if time_us is None else duration_us(time_us)
        figures = tr("{queries}, {each} each", queries=queries, each=each) if each else queries
    text = "\n".join(filter(None, (when, figures, changed)))
    at_s = datetime.fromisoformat(look.at).timestamp()
    found = {} if load is None else {each: figure_of(load, each) for each in HistoryFigure}
    known = {figure: value for figure, value in found.items() if value is not None}
    busy = max(
        (each for each in (look.cpu_busy, look.drive_busy) if each is not None), default=None
    )
    return HistoryMark(look.run_id, at_s, known, busy, changed, text, new_level)
