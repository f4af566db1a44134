"""One server over time: its queries and the time of one, and where settings changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from advisor.fleet.history import PastLook, before_after
from advisor.report.history import change_sentence, changes_text
from app.presenters.texts.times import moment
from app.runtime.translation import tr, tr_n
from probes.figures import duration_us, rate

NO_PROOF = (
    "Looks before and after are no proof: whatever else changed is in it. A trial on the live "
    "server is one."
)


@dataclass(frozen=True, slots=True)
class HistoryMark:
    """A look: when (seconds since 1970), its figures, what changed before it, and all as a text.

    Figures are None where no query was at work.
    """

    run_id: int
    at_s: float
    queries_per_s: float | None
    query_us: float | None
    changed: str
    text: str


@dataclass(frozen=True, slots=True)
class HistoryPicture:
    """Looks from the oldest on, what is said of changes between them, and what comes first."""

    marks: tuple[HistoryMark, ...]
    sentence: str
    since: tuple[str, ...]


def history_picture(looks: Sequence[PastLook], now: datetime) -> HistoryPicture:
    """What the page shows of a server's looks."""
    marks = tuple(_mark(each, now) for each in looks)
    changes = [change_sentence(each) for each in before_after(tuple(looks))]
    if not looks:
        return HistoryPicture((), tr("Nobody has looked at this server yet."), ())
    first = moment(looks[0].at, now, inside=True)
    sentence = tr_n("1 look, {first}.", "{n} looks since {first}.", len(looks), first=first)
    if changes:
        # What was found last is what a reader asks about first.
        sentence = f"{sentence} {changes[-1]}"
    return HistoryPicture(marks, sentence, (*changes[-2::-1], tr(NO_PROOF)) if changes else ())


def _mark(look: PastLook, now: datetime) -> HistoryMark:
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
    rate_per_s = None if load is None else load.queries_per_s
    query_us = None if load is None else load.per_query.time_us
    return HistoryMark(look.run_id, at_s, rate_per_s, query_us, changed, text)
