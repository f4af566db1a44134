"""The figures of all curves at the cursor, as rows of a table that is the legend too."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from advisor.wording.measured.cells import half_width, rate_cell
from app.presenters.charts.curves import Picture, Series
from app.presenters.charts.point_text import TRUSTS, circumstances, doubt_text, spread
from app.presenters.charts.scene import SceneOptions
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr, tr_n
from probes.figures import UNKNOWN, duration_us, rate
from probes.points import Point, Trust

Index = QModelIndex | QPersistentModelIndex

COLUMNS = ("Curve", "Rate", "p95", "p99")
SERIES_ROLE = Qt.ItemDataRole.UserRole + 1

DOUBTFUL_SIGN = "○"
"""Before the figures of a doubtful point, whose marker is hollow."""


class ReadoutModel(QAbstractTableModel):
    """One row a curve; its check box hides the curve.

    Signals: ``hidden_changed()`` when the user has shown or hidden a curve.
    """

    hidden_changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._picture: tuple[Series, ...] = ()
        self._series: tuple[Series, ...] = ()
        self._texts: list[tuple[str, ...]] = []
        self._position: float | None = None
        self._hidden: set[tuple[object, ...]] = set()

    @property
    def hidden(self) -> frozenset[tuple[object, ...]]:
        """Keys of the curves that shall not be drawn."""
        return frozenset(self._hidden)

    @property
    def position(self) -> float | None:
        """Where the figures are given; None for each curve's peak."""
        return self._position

    def show_picture(self, picture: Picture | None) -> None:
        """List the curves of a picture."""
        drawn = picture.series if picture is not None else ()
        if drawn == self._picture:
            return
        self._picture = drawn
        series = picture.listed if picture is not None else ()
        if [one.key for one in series] == [one.key for one in self._series]:
            self._series = series
            self._refresh()
            return
        self.beginResetModel()
        self._series = series
        self._write()
        self.endResetModel()

    def show_position(self, position: float | None) -> None:
        """Give the figures at a position; None gives each curve's peak."""
        if position != self._position:
            self._position = position
            self._refresh()

    def column(self, at: int) -> list[str]:
        """The texts of a column, row by row."""
        return [texts[at] for texts in self._texts]

    def _refresh(self) -> None:
        self._write()
        if self._series:
            last = self.index(len(self._series) - 1, len(COLUMNS) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def point(self, row: int) -> Point | None:
        """The point that a row shows."""
        series = self._series[row]
        if self._position is not None:
            return series.at(self._position)
        return max(series.line, key=lambda point: point.rate_per_s, default=None)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's signature)
        """One row a curve."""
        return 0 if parent.isValid() else len(self._series)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Curve, rate, p95 and p99."""
        return 0 if parent.isValid() else len(COLUMNS)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """Column titles; figures right-aligned."""
        if orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return COLUMNS[section]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(section)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        """The first column has a check box."""
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """A cell's text, check state or tool tip."""
        series = self._series[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._texts[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _alignment(index.column())
        if role == SERIES_ROLE:
            return series.index
        if role == Qt.ItemDataRole.CheckStateRole and index.column() == 0:
            shown = series.key not in self._hidden
            return Qt.CheckState.Checked if shown else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole:
            point = self.point(index.row())
            return plain_tip((doubt_text(point) if point is not None else "") or series.name)
        return None

    def show_all(self) -> None:
        """Hide no curve."""
        if self._hidden:
            self._hidden.clear()
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, 0))
            self.hidden_changed.emit()

    def setData(self, index: Index, value: object, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Show or hide a curve."""
        if role != Qt.ItemDataRole.CheckStateRole:
            return False
        key = self._series[index.row()].key
        if Qt.CheckState(value) is Qt.CheckState.Checked:
            self._hidden.discard(key)
        else:
            self._hidden.add(key)
        self.dataChanged.emit(index, index)
        self.hidden_changed.emit()
        return True

    def _write(self) -> None:
        """Put all cells into words: a table asks for each of them many times."""
        self._texts = [(one.name, *self._figures(at)) for at, one in enumerate(self._series)]

    def _figures(self, row: int) -> tuple[str, str, str]:
        point = self.point(row)
        if point is None:
            text = TRUSTS[Trust.REJECTED] if self._was_rejected(row) else UNKNOWN
            return (text, UNKNOWN, UNKNOWN)
        latency, text = point.latency, rate(point.rate_per_s)
        if point.trust is Trust.DOUBTFUL:
            text = f"{DOUBTFUL_SIGN} {text}"
        return (text, duration_us(latency.p95_us), duration_us(latency.p99_us))

    def _was_rejected(self, row: int) -> bool:
        """Whether a row has no figure because the points that it could be of were rejected."""
        series = self._series[row]
        return bool(series.points) and (
            self._position is None or series.rejected_at(self._position)
        )

    @property
    def doubts(self) -> list[tuple[str, str]]:
        """For each curve that is not hidden: its name, and why its point is doubted."""
        return self._of_points(doubt_text)

    @property
    def ends(self) -> list[tuple[str, str]]:
        """For each curve that is not hidden: its name, and what ended and limited its point."""
        return self._of_points(circumstances)

    def _of_points(self, say: Callable[[Point], str]) -> list[tuple[str, str]]:
        found = []
        for row, series in enumerate(self._series):
            point = self.point(row)
            text = say(point) if point is not None else ""
            if text and series.key not in self._hidden:
                found.append((series.name, text))
        return found


def position_title(picture: Picture | None, position: float | None) -> str:
    """``At 16 threads``, or what the figures are when there is no cursor."""
    if picture is None or position is None:
        return tr("At each curve's peak")
    return picture.axis.where(position)


def trust_key(picture: Picture, options: SceneOptions) -> str:
    """What hollow points and crosses mean, and how many there are; "" where all are ok."""
    doubtful = sum(point.trust is Trust.DOUBTFUL for point in picture.points)
    rejected = sum(point.trust is Trust.REJECTED for point in picture.points)
    return doubts_key(doubtful, rejected, drawn=options.show_rejected)


def doubts_key(doubtful: int, rejected: int, *, drawn: bool) -> str:
    """``○ 7 doubtful    × 4 rejected``; ``drawn`` is whether the rejected can be seen."""
    parts = []
    if doubtful:
        parts.append(f"{DOUBTFUL_SIGN} " + tr_n("1 doubtful", "{n} doubtful", doubtful))
    if rejected and drawn:
        parts.append("× " + tr_n("1 rejected", "{n} rejected", rejected))
    elif rejected:
        parts.append("× " + tr_n("1 rejected, hidden", "{n} rejected, hidden", rejected))
    return "  ".join(parts)


POINT_COLUMNS = ("Point", "Rate", "95\u202f%", "p95", "Trust")


def point_texts(series: Series, point: Point, picture: Picture) -> list[tuple[str, float]]:
    """A point as cells: text, and the number to sort by."""
    position = picture.axis.place(point.setting)
    return [
        (f"{series.name} · {picture.axis.tick(position)}", series.index * 1e6 + position),
        (rate_cell(point, rate), _sortable(point.rate_per_s)),
        (spread(point), _sortable(half_width(point))),
        (duration_us(point.latency.p95_us), _sortable(point.latency.p95_us)),
        (TRUSTS[point.trust], list(TRUSTS).index(point.trust)),
    ]


def _sortable(value: float) -> float:
    """Unknown figures stand below all others."""
    return -1.0 if math.isnan(value) else value


def _alignment(column: int) -> int:
    side = Qt.AlignmentFlag.AlignLeft if column == 0 else Qt.AlignmentFlag.AlignRight
    return int(side | Qt.AlignmentFlag.AlignVCenter)
