"""All servers in one table: what limits each, its risks, what is to be gained, what differs."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QGuiApplication,
    QKeyEvent,
    QKeySequence,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSplitter,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from advisor.fleet.summary import summed
from advisor.report.document.endings import CSV, HTML, JSON, MARKDOWN, PDF
from advisor.run import Voice
from app.controllers.asides.servers import ServersController
from app.controllers.selection import Choice
from app.controllers.stored_runs import StoredRuns
from app.presenters.servers.table import COLUMNS, ServerLine, ServerLines, fitted, found_lines
from app.runtime.debounce import Debounce
from app.runtime.save_file import ask_where
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance, ui_font
from app.views.servers.details import ServerDetails
from app.views.servers.model import ServersModel
from app.views.widgets.buttons import Button
from app.views.widgets.callout import Callout, Empty
from app.views.widgets.layouts import Pile, row
from app.views.widgets.page_head import AsidePage, Offer, PageHead
from app.views.widgets.search_field import SearchField

BESIDE_TEXT = 16
"""What a cell takes beside its text."""

GATHER_MS = 200
"""Servers come one by one: the table is filled no more often than anybody can look."""

GAIN = next(at for at, column in enumerate(COLUMNS) if column.sort == "gain")
EMPTY, TABLE = range(2)
KINDS = {
    "Web page": HTML,
    "PDF": PDF,
    "Table for a spreadsheet": CSV,
    "Values for programs": JSON,
    "Markdown": MARKDOWN,
}
SEARCH_WIDTH = 320
LEAST_WIDE, MOST_WIDE = 100, 240
"""A text that needs more is cut with an ellipsis, and whole in its tip: where there is not room for
all columns down to the first, else at the second."""

DETAILS_HEIGHT, DETAILS_SHARE = 230, 0.3
"""Of the chosen server's card: at most so high, and that share of the page."""


class _Table(QTreeView):
    """Enter opens; what is copied is a table of the chosen rows. Signals: ``resized()``."""

    resized = Signal()

    @property
    def chosen(self) -> list[QModelIndex]:
        """The chosen rows, from the top down."""
        return sorted(self.selectionModel().selectedRows(), key=lambda index: index.row())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Have the columns fitted to another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.resized.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the chosen rows below the headings, tab by tab."""
        chosen = self.chosen
        if event.matches(QKeySequence.StandardKey.Copy) and chosen:
            rows = [[column.title for column in COLUMNS]]
            columns = range(len(COLUMNS))
            rows += [[str(line.siblingAtColumn(at).data()) for at in columns] for line in chosen]
            QGuiApplication.clipboard().setText("\n".join(map("\t".join, rows)))
            return
        super().keyPressEvent(event)


class ServersPage(AsidePage):
    """Signals: ``open_wanted(Choice)`` for a server's pages.

    ``report_wanted(Choice)`` asks for its report, ``reports_wanted(voices)`` for one of several,
    each by what speaks for it; ``add_wanted()`` for a new one,
    ``here_wanted()`` for one of this computer, ``import_wanted()`` for one known from texts;
    ``written(Path)`` comes with a file of them, ``filled()`` when all were read and are listed.
    """

    name, picture = "All servers", "layers"
    open_wanted = Signal(Choice)
    report_wanted = Signal(Choice)
    reports_wanted = Signal(tuple)
    add_wanted = Signal()
    here_wanted = Signal()
    import_wanted = Signal()
    written = Signal(Path)
    filled = Signal()

    def __init__(
        self, appearance: Appearance, controller: ServersController, stored_runs: StoredRuns
    ) -> None:
        super().__init__()
        self._controller, self._stored_runs = controller, stored_runs
        self._lines, self._found = ServerLines(), list[ServerLine]()
        self._shared = False
        self.head = PageHead(appearance)
        self.callout = Callout(appearance, closable=True)
        self.search = SearchField(
            appearance, tr("Search names, limits, versions, settings"), tr("Search the servers")
        )
        self.search.setFixedWidth(SEARCH_WIDTH)
        self.search.textChanged.connect(self.fill)
        self.texts = Button(appearance, tr("Import a server's texts…"), "file-input")
        self.texts.clicked.connect(self.import_wanted)
        self.save = Button(appearance, tr("Save the table…"), "download")
        self.save.clicked.connect(self._ask_file)
        self.model = ServersModel(appearance, self)
        self.table = _Table()
        self._dress_table()
        self.details = ServerDetails(appearance)
        self.details.open_wanted.connect(self._open)
        self.details.report_wanted.connect(self._report)
        self.empty = Empty(appearance, "server")
        self._first = Offer("", "", self.add_wanted.emit)
        self.empty.pressed.connect(self._add_first)
        self.empty.other_pressed.connect(self.import_wanted)
        self.empty.last_pressed.connect(stored_runs.take_sample)
        self._stack = Pile()
        self._stack.addWidget(self.empty)
        self._stack.addWidget(self._listed())
        layout = QVBoxLayout(self)
        layout.setContentsMargins(tokens.SPACE_XL, tokens.SPACE_L, tokens.SPACE_XL, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.head)
        layout.addWidget(self.callout)
        layout.addWidget(self._stack, 1)
        controller.changed.connect(Debounce(self, GATHER_MS, self.fill).ask)
        controller.failed.connect(self.callout.tell_error)
        controller.written.connect(self.written)
        controller.changed.connect(self._all_read)
        stored_runs.changed.connect(self._shelf_changed)

    def _dress_table(self) -> None:
        table = self.table
        table.setProperty("role", "table")
        table.setAccessibleName(tr("All servers"))
        table.setModel(self.model)
        table.setRootIsDecorated(False)
        table.setUniformRowHeights(True)
        table.setAllColumnsShowFocus(True)
        table.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSortingEnabled(True)
        table.sortByColumn(GAIN, Qt.SortOrder.AscendingOrder)
        table.header().setStretchLastSection(True)
        table.header().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        table.activated.connect(self._open)
        table.resized.connect(self._fit)
        table.selectionModel().currentRowChanged.connect(self._show_details)
        table.selectionModel().selectionChanged.connect(self._count_chosen)

    def _listed(self) -> QWidget:
        above = QWidget()
        column = QVBoxLayout(above)
        column.setContentsMargins(0, 0, 0, tokens.SPACE_M)
        column.setSpacing(tokens.SPACE_S)
        column.addLayout(row(self.search, None, self.texts, self.save))
        column.addWidget(self.table, 1)
        self._halves = halves = QSplitter(Qt.Orientation.Vertical)
        halves.setChildrenCollapsible(False)
        halves.addWidget(above)
        halves.addWidget(self.details)
        halves.setStretchFactor(0, 1)
        return halves

    def showEvent(self, event: QShowEvent) -> None:
        """Read what has changed while another page was in front."""
        super().showEvent(event)
        if not self._shared:
            self._shared = True
            # In a low window the table keeps most of the height.
            height = self.height()
            details = min(DETAILS_HEIGHT, round(DETAILS_SHARE * height))
            self._halves.setSizes([height - details, details])
        self._controller.want()
        self._controller.look_here()
        self.fill()

    def take_focus(self) -> None:
        """To the table, where there is one."""
        rows = bool(self._controller.rows)
        (self.table if rows else self.empty.button).setFocus()

    def _shelf_changed(self) -> None:
        if self.isVisible():
            self._controller.want()
            self.fill()

    def _all_read(self) -> None:
        if not self._controller.reading:
            self.fill()
            self.filled.emit()

    def fill(self) -> None:
        """List what is known; the chosen server stays chosen."""
        if not self.isVisible():
            return
        rows = self._controller.rows
        self._display_head()
        self._turn(TABLE if rows else EMPTY)
        runs = {run.id: run for run in self._stored_runs.shelf.runs}
        now = datetime.now().astimezone()
        lines = self._lines.of(rows, self._controller.odd, runs, now)
        found, chosen = found_lines(lines, self.search.text()), self._chosen()
        if found == self._found:
            return
        self._found = found
        self.model.show_lines(found)
        self._fit()
        index = self.model.index_of(chosen.target if chosen is not None else "")
        if not index.isValid():
            index = self.model.index(0, 0)
        self.table.selectionModel().setCurrentIndex(
            index,
            QItemSelectionModel.SelectionFlag.ClearAndSelect
            | QItemSelectionModel.SelectionFlag.Rows,
        )
        self._show_details()

    def _turn(self, place: int) -> None:
        """Show the table or what stands in its place; the keyboard comes along."""
        if place == self._stack.currentIndex():
            return
        here = self.focusWidget()
        follows = here is None or self.isAncestorOf(here)
        self._stack.setCurrentIndex(place)
        if follows:
            self.take_focus()

    def _display_head(self) -> None:
        rows, reading = self._controller.rows, self._controller.reading
        add = Offer(tr("Add a server"), "plus", self.add_wanted.emit)
        here = self._offer_here()
        if rows:
            still = tr(" More are being read.") if reading else ""
            self.head.offer_other(here)
            self.head.display(summed(rows) + still, add)
            return
        # What runs here is the first that one would add.
        self._first = here or add
        self.head.offer_other(None)
        self.head.display(tr("Your servers"), add if here is not None else None)
        if reading:
            self.empty.display(tr("The servers are being read."), "")
            return
        self.empty.display(
            tr("No server yet"),
            tr(
                "Add one that you can reach, or import what somebody sent of one: variables, "
                "status, option files, an archive of the collecting script."
            ),
            self._first.text,
            self._first.icon,
        )
        self.empty.offer_other(tr("Import a server's texts…"), "file-input")
        self.empty.offer_last(tr("Try the sample"), "play")

    def _add_first(self) -> None:
        self._first.do()

    def _offer_here(self) -> Offer | None:
        """What runs on this computer, and was not looked at yet."""
        found = self._controller.new_here
        if not found:
            return None
        text = tr("Add this computer's {program}", program=found[0].program)
        if len(found) > 1:
            text = tr("Add one of this computer's {number} servers", number=len(found))
        return Offer(text, "monitor", self.here_wanted.emit)

    def _fit(self) -> None:
        """Each column as wide as its texts need; words are cut where there is not room for all."""
        metrics = QFontMetrics(ui_font(weight=600))
        widths = []
        for at in range(len(COLUMNS)):
            # Of texts in one font, the longest is the widest but for a letter or two: to ask each
            # for its width would take half a second for some hundred servers.
            longest = max((line.cells[at] for line in self.model.lines), key=len, default="")
            wanted = metrics.horizontalAdvance(f"{longest}m") + BESIDE_TEXT
            heading = metrics.horizontalAdvance(COLUMNS[at].title) + BESIDE_TEXT
            whole = min(max(wanted, heading), MOST_WIDE)
            widths.append((min(whole, LEAST_WIDE), whole))
        words = [not column.figures for column in COLUMNS]
        room = self.table.viewport().width()
        for at, width in enumerate(fitted(widths, words, room)):
            self.table.setColumnWidth(at, width)

    def _chosen(self) -> Choice | None:
        line = self.model.line_at(self.table.currentIndex())
        return None if line is None else Choice(line.row.target)

    def _show_details(self) -> None:
        line = self.model.line_at(self.table.currentIndex())
        self.details.setVisible(line is not None)
        if line is not None:
            self.details.show_server(line.row, self._controller.rows)

    def _open(self) -> None:
        chosen = self._chosen()
        if chosen is not None:
            self.open_wanted.emit(chosen)

    def _voices(self) -> tuple[Voice, ...]:
        """Those of the chosen rows, from the top down."""
        lines = map(self.model.line_at, self.table.chosen)
        return tuple(line.row.voice for line in lines if line is not None)

    def _count_chosen(self) -> None:
        """With several rows chosen, the report is of all of them."""
        number = len(self._voices())
        text = tr("Report…") if number < 2 else tr("Report of {number}…", number=number)
        self.details.report.display(text, "book-open", "")

    def _report(self) -> None:
        voices = self._voices()
        if len(voices) > 1:
            self.reports_wanted.emit(voices)
            return
        chosen = self._chosen()
        if chosen is not None:
            self.report_wanted.emit(chosen)

    def _ask_file(self) -> None:
        path = ask_where(self, tr("Save the table of servers"), f"leadline-servers{HTML}", KINDS)
        if path is not None:
            self._controller.write(path, [line.row for line in self.model.lines])
