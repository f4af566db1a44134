"""All servers as a table: its columns, what each cell says, and what a search finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from advisor.fleet.server_row import ServerRow
from advisor.fleet.sorting import sorted_by
from advisor.fleet.summary import named_few
from advisor.run import RunKind, RunSummary
from advisor.target_names import SAMPLE
from app.controllers.stored_runs import LOCAL
from app.presenters.texts.times import moment
from app.runtime.translation import tr
from probes.figures import UNKNOWN, listed, percent, rate, size


@dataclass(frozen=True, slots=True)
class ServerColumn:
    """A column: its heading, what it sorts by (of ``SORTS``), whether it has figures."""

    title: str
    sort: str
    figures: bool
    tip: str = ""


COLUMNS = (
    ServerColumn("Server", "target", False),
    ServerColumn("Limited by", "limit", False, "What most of a query's time goes to"),
    ServerColumn("Risks", "risks", True, "What could lose data or stop the server"),
    ServerColumn("Changes", "changes", True, "What Leadline would change"),
    ServerColumn("Saves", "gain", True, "The share of a query's time that the plan saves"),
    ServerColumn("Seen", "taken", False, "How and when it was looked at"),
    ServerColumn("Kept", "kept", True, "Changes that trials have kept on it"),
    ServerColumn("Spare", "spare", True, "What is left of processors or the drive, the lesser"),
    ServerColumn("Queries", "queries", True, "Queries a second while it was watched"),
    ServerColumn("Data", "data", True),
    ServerColumn("Version", "server", False),
    ServerColumn("Differs in", "role", False, "From most servers of its role"),
)
"""What is needed most stands first: in a low window the last are scrolled to."""

RISKS = 2

_WATCHED = {RunKind.WATCH: "watch", RunKind.CHECK: "check"}


@dataclass(frozen=True, slots=True)
class ServerLine:
    """A server as the table shows it, a text for each of ``COLUMNS``."""

    row: ServerRow
    cells: tuple[str, ...]
    odd: tuple[str, ...]

    @property
    def risky(self) -> bool:
        """Whether it has risks."""
        return bool(self.row.risks)

    @property
    def spoken(self) -> str:
        """The line as a screen reader says it."""
        named = zip(COLUMNS, self.cells, strict=True)
        return listed([f"{column.title} {cell}" for column, cell in named if cell])


class ServerLines:
    """Makes the lines; what a run's figures say is written once a day, not with each new server."""

    def __init__(self) -> None:
        self._day: date | None = None
        self._made: dict[int, ServerLine] = {}

    def of(
        self,
        rows: Sequence[ServerRow],
        odd: Mapping[str, Sequence[str]],
        runs: Mapping[int, RunSummary],
        now: datetime,
    ) -> list[ServerLine]:
        """A line for each server.

        ``odd`` is what each differs in from its role, ``runs`` are those of the store by number.
        """
        if now.date() != self._day:
            self._day, self._made = now.date(), {}
        return [self._line(row, tuple(odd.get(row.target, ())), runs, now) for row in rows]

    def _line(
        self, row: ServerRow, odd: tuple[str, ...], runs: Mapping[int, RunSummary], now: datetime
    ) -> ServerLine:
        made = self._made.get(row.run_id)
        if made is None or made.row is not row or made.odd != odd:
            cells = _cells(row, odd, runs.get(row.run_id), now)
            made = self._made[row.run_id] = ServerLine(row, cells, odd)
        return made


def sorted_lines(
    lines: Sequence[ServerLine], column: int, *, backwards: bool = False
) -> list[ServerLine]:
    """The lines by a column; what wants the most comes first, unless it goes backwards."""
    of = {line.row.target: line for line in lines}
    rows = sorted_by([line.row for line in lines], COLUMNS[column].sort, backwards=backwards)
    return [of[row.target] for row in rows]


def found_lines(lines: Sequence[ServerLine], text: str) -> list[ServerLine]:
    """Those in which every word of ``text`` stands: a name, a limit, a version, a setting."""
    words = text.casefold().split()
    return [line for line in lines if all(word in _words(line) for word in words)]


def fitted(widths: Sequence[tuple[int, int]], words: Sequence[bool], room: int) -> list[int]:
    """How wide columns become: all that they want, or the widest words cut so that all have room.

    ``widths`` are what each needs at least and what it wants; ``words`` is whether it may be cut.
    """
    cap = max(wanted for _, wanted in widths)
    found = [wanted for _, wanted in widths]
    while sum(found) > room and cap > 0:
        cap -= 1
        found = [
            max(least, min(wanted, cap)) if cut else wanted
            for (least, wanted), cut in zip(widths, words, strict=True)
        ]
    return found


def title_of_server(target: str) -> str:
    """How a server is called in the window."""
    if target == SAMPLE:
        return tr("The sample")
    return tr("This computer") if target == LOCAL.name else target


def _words(line: ServerLine) -> str:
    return " ".join((*line.cells, *line.odd, *line.row.changes, *line.row.risks)).casefold()


def _cells(
    row: ServerRow, odd: Sequence[str], run: RunSummary | None, now: datetime
) -> tuple[str, ...]:
    return (
        title_of_server(row.target),
        _limit(row),
        str(len(row.risks)),
        str(len(row.changes)),
        _or_unknown(row.gain, percent),
        _seen(row, run, now),
        str(len(row.kept)),
        _or_unknown(row.spare, percent),
        _or_unknown(row.queries_per_s, rate),
        _or_unknown(row.data_bytes, size),
        row.server or UNKNOWN,
        named_few(odd),
    )


def _limit(row: ServerRow) -> str:
    if row.limit:
        return row.limit
    return tr("idle while watched") if row.idle else tr("not watched yet")


def _seen(row: ServerRow, run: RunSummary | None, now: datetime) -> str:
    when = moment(row.taken_at if run is None else run.started_at, now, inside=True)
    if run is None:
        return when
    how = tr("texts") if run.from_texts else _WATCHED.get(run.kind, run.kind.value)
    return tr("{how}, {when}", how=how, when=when)


def _or_unknown(value: float | None, written: Callable[[float], str]) -> str:
    return UNKNOWN if value is None else written(value)
