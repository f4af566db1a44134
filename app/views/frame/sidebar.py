"""The list of targets and their runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date, datetime
from operator import ne

from PySide6.QtCore import QItemSelection, QModelIndex, QPoint, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QStandardItem
from PySide6.QtWidgets import (
    QAbstractItemView,
    QMenu,
    QTreeView,
    QVBoxLayout,
    QWidget,
)

from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.controllers.stored_runs import Shelf, StoredRuns
from app.presenters.frame.sidebar_rows import MonthRow, RunRow, TargetRow, projects, rows, with_live
from app.runtime.debounce import Debounce
from app.runtime.translation import tr
from app.theme import icons, tokens
from app.theme.appearance import Appearance
from app.views.frame.sidebar_delegate import ROW, SidebarDelegate
from app.views.frame.sidebar_model import CHOICE, SidebarModel, item_of
from app.views.widgets.buttons import Button
from app.views.widgets.layouts import row
from app.views.widgets.search_field import SearchField
from app.views.widgets.turned import DropDown

REFILL_MS = 250

SAMPLE_TIP = "Every page with a real MySQL server's check and watch; no server is needed"


class Sidebar(QWidget):
    """Signals: ``add_wanted()``, ``edit_wanted(name)``, ``compare_wanted(run_id)``.

    ``export_wanted(run_id, target)`` asks for the run as a case file, ``name_wanted(RunRow)`` for
    what it is called, ``sample_wanted()`` for the sample, ``servers_wanted()`` for all servers.
    """

    sample_wanted = Signal()
    servers_wanted = Signal()
    name_wanted = Signal(RunRow)
    add_wanted = Signal()
    edit_wanted = Signal(str)
    compare_wanted = Signal(int)
    export_wanted = Signal(int, str)

    def __init__(
        self,
        appearance: Appearance,
        stored_runs: StoredRuns,
        run_controller: RunController,
        selection: Selection,
    ) -> None:
        super().__init__()
        self._appearance, self._stored_runs = appearance, stored_runs
        self._run_controller, self._selection = run_controller, selection
        self._filling = self._aside = False
        self.shown: list[TargetRow] = []
        self._listed: list[TargetRow] = []
        self._listed_for: tuple[Shelf, str, str, date] | None = None
        self._items: dict[Choice, QStandardItem] = {}
        self._opened: set[tuple[str, str]] = set()
        self._projects: list[str] = []
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self._build()
        stored_runs.changed.connect(self.fill)
        selection.chosen.connect(self._select)
        run_controller.advanced.connect(Debounce(self, REFILL_MS, self.fill).ask)
        appearance.changed.connect(self.tree.viewport().update)
        self.fill()

    def _build(self) -> None:
        self._model = SidebarModel(self)
        self.tree = QTreeView()
        self.tree.setAccessibleName(tr("Targets and runs"))
        self.tree.setModel(self._model)
        self.tree.setHeaderHidden(True)
        self.tree.setRootIsDecorated(False)
        self.tree.setIndentation(0)
        self.tree.setMouseTracking(True)
        self.tree.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.tree.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.tree.setItemDelegate(SidebarDelegate(self._appearance, self.tree))
        self.tree.selectionModel().selectionChanged.connect(self._chosen)
        self.tree.clicked.connect(self._fold)
        self.tree.activated.connect(self._fold)
        self.tree.expanded.connect(lambda index: self._remember_fold(index, opened=True))
        self.tree.collapsed.connect(lambda index: self._remember_fold(index, opened=False))
        self.tree.setExpandsOnDoubleClick(False)
        self.tree.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.tree.customContextMenuRequested.connect(self._menu)
        delete = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.tree)
        delete.setContext(Qt.ShortcutContext.WidgetShortcut)
        delete.activated.connect(self.delete_chosen)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, tokens.SPACE_M, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        self._build_head(layout)
        layout.addWidget(self.tree, 1)
        self.sample = Button(self._appearance, tr("Try the sample"), "play", "", SAMPLE_TIP)
        self.sample.clicked.connect(self.sample_wanted)
        self.sample.hide()
        last = row(self.sample)
        last.setContentsMargins(tokens.SPACE_M, 0, tokens.SPACE_M, tokens.SPACE_M)
        layout.addLayout(last)

    def _build_head(self, layout: QVBoxLayout) -> None:
        """What stands over the list: the search, all servers, and the projects."""
        self.search = SearchField(self._appearance, tr("Search"), tr("Search targets and runs"))
        self.search.textChanged.connect(self.fill)
        self.add = Button(self._appearance, "", "plus", "quiet", tr("Add a target (Ctrl+N)"))
        self.add.setFixedWidth(30)
        self.add.clicked.connect(self.add_wanted)
        self.servers = Button(
            self._appearance, tr("All servers"), "layers", "quiet", tr("All servers (Ctrl+0)")
        )
        self.servers.setEnabled(False)
        self.servers.clicked.connect(self.servers_wanted)
        self.projects = DropDown()
        self.projects.setAccessibleName(tr("Show the runs of one project"))
        self.projects.activated.connect(self.fill)
        top = row(self.search, self.add, space=tokens.SPACE_XS)
        top.setContentsMargins(tokens.SPACE_M, 0, tokens.SPACE_S, 0)
        layout.addLayout(top)
        every = row(self.servers, None)
        every.setContentsMargins(tokens.SPACE_S, 0, tokens.SPACE_S, 0)
        layout.addLayout(every)
        below = row(self.projects)
        below.setContentsMargins(tokens.SPACE_M, 0, tokens.SPACE_S, 0)
        layout.addLayout(below)

    def fill(self) -> None:
        """List what there is; only what differs from before is touched."""
        now, shelf = datetime.now().astimezone(), self._stored_runs.shelf
        self._offer(projects(shelf))
        self.sample.setVisible(self._stored_runs.known and not shelf.runs)
        text, project = self.search.text(), self.projects.currentData() or ""
        asked = (shelf, text, project, now.date())
        if self._listed_for is None or any(map(ne, asked, self._listed_for)):
            # While a run goes on, the rows of a thousand others stay as they are.
            self._listed, self._listed_for = rows(shelf, text, now, project), asked
        wanted = with_live(self._listed, shelf, self._run_controller.measuring(), now)
        if wanted == self.shown:
            return
        before, self.shown = self.shown, wanted
        self._filling = True
        if len(wanted) == len(before) and all(map(_alike, wanted, before)):
            self._update(before)
        else:
            self._rebuild()
        self._filling = False
        self._select()

    def _offer(self, known: list[str]) -> None:
        """Let one of the projects be chosen; where there is none, nothing is asked."""
        self.projects.setVisible(bool(known))
        if known != self._projects:
            self._projects, chosen = known, self.projects.currentData()
            self.projects.clear()
            self.projects.addItem(tr("All projects"), "")
            for name in known:
                self.projects.addItem(name, name)
            self.projects.setCurrentIndex(max(0, self.projects.findData(chosen)))

    def _rebuild(self) -> None:
        self._model.clear()
        self._items = {}
        for target in self.shown:
            choice = Choice(target.name) if target.name else None
            item = item_of(target, choice, f"{target.title} {target.detail}")
            if choice is not None:
                self._items[choice] = item
            months = Counter(run.month for run in target.runs)
            headings = {"": item}
            for run in target.runs:
                text = tr("Run {title}, {detail}", title=run.title, detail=run.detail)
                below = item_of(run, Choice(run.target, run.run_id), text)
                self._items[Choice(run.target, run.run_id)] = below
                if run.month not in headings:
                    heading = MonthRow(run.month, months[run.month])
                    headings[run.month] = item_of(
                        heading, None, f"{heading.title}: {heading.count}"
                    )
                    item.appendRow(headings[run.month])
                headings[run.month].appendRow(below)
            self._model.appendRow(item)
        self._unfold()

    def _unfold(self) -> None:
        """Targets stand open; months that have passed when they were opened, or searched."""
        searched = bool(self.search.text().strip())
        for at in range(self._model.rowCount()):
            target = self._model.item(at)
            self.tree.expand(target.index())
            for below in range(target.rowCount()):
                child = target.child(below)
                row = child.data(ROW)
                if isinstance(row, MonthRow):
                    opened = searched or (target.data(ROW).name, row.title) in self._opened
                    self.tree.setExpanded(child.index(), opened)

    def _fold(self, index: QModelIndex) -> None:
        """A press on a month shows its runs, or hides them."""
        if isinstance(index.data(ROW), MonthRow):
            self.tree.setExpanded(index, not self.tree.isExpanded(index))

    def _remember_fold(self, index: QModelIndex, *, opened: bool) -> None:
        row, above = index.data(ROW), index.parent().data(ROW)
        if isinstance(row, MonthRow) and isinstance(above, TargetRow) and not self._filling:
            (self._opened.add if opened else self._opened.discard)((above.name, row.title))

    def _update(self, before: Sequence[TargetRow]) -> None:
        """Tell the rows that differ; each target and run stands where it stood."""
        for index, (target, old) in enumerate(zip(self.shown, before, strict=True)):
            if target == old:
                continue
            self._model.item(index).setData(target, ROW)
            for run, shown in zip(target.runs, old.runs, strict=True):
                if run is not shown and run != shown:
                    self._items[Choice(run.target, run.run_id)].setData(run, ROW)

    def show_aside(self, *, aside: bool) -> None:
        """Mark no row while a page of no target is in front, though one stays chosen."""
        self._aside = aside
        if aside:
            self._filling = True
            self.tree.selectionModel().clear()
            self._filling = False
        self._select()

    def _select(self) -> None:
        """Mark the chosen row."""
        item = None if self._aside else self._items.get(self._selection.choice)
        if item is not None:
            self._filling = True
            self.tree.setCurrentIndex(item.index())
            self._filling = False

    def _chosen(self, selected: QItemSelection) -> None:
        indexes = selected.indexes()
        choice = indexes[0].data(CHOICE) if indexes else None
        if choice is not None and not self._filling:
            self._selection.choose(choice)

    def delete_chosen(self) -> None:
        """Delete the chosen run, or the chosen target unless it is this computer."""
        found = self.tree.currentIndex().data(ROW)
        if isinstance(found, RunRow) and found.share is None:
            text = tr("Run of {title} deleted.", title=found.title)
            self._stored_runs.delete_run(found.run_id, text)
        elif isinstance(found, TargetRow) and found.removable:
            self._stored_runs.delete_target(found.name)

    def name_chosen(self) -> None:
        """Have the chosen run named, or the chosen target changed."""
        found = self.tree.currentIndex().data(ROW)
        if isinstance(found, RunRow):
            self.name_wanted.emit(found)
        elif isinstance(found, TargetRow) and found.removable:
            self.edit_wanted.emit(found.name)

    def _menu(self, where: QPoint) -> None:
        found = self.tree.indexAt(where).data(ROW)
        menu = QMenu(self)
        colour = self._appearance.palette.quiet
        if isinstance(found, TargetRow):
            if found.removable:
                edit = menu.addAction(icons.icon("pencil", colour), tr("&Edit…"))
                edit.triggered.connect(lambda: self.edit_wanted.emit(found.name))
                remove = menu.addAction(icons.icon("trash-2", colour), tr("&Remove with its runs"))
                remove.triggered.connect(self.delete_chosen)
                menu.addSeparator()
        elif isinstance(found, RunRow):
            rename = menu.addAction(icons.icon("pencil", colour), tr("&Name this run…\tF2"))
            rename.triggered.connect(lambda: self.name_wanted.emit(found))
            compare = menu.addAction(icons.icon("scale", colour), tr("&Compare this run…"))
            compare.triggered.connect(lambda: self.compare_wanted.emit(found.run_id))
            export = menu.addAction(icons.icon("download", colour), tr("&Export as a case…"))
            export.setEnabled(found.share is None)
            export.triggered.connect(lambda: self.export_wanted.emit(found.run_id, found.target))
            remove = menu.addAction(icons.icon("trash-2", colour), tr("&Delete this run"))
            remove.setEnabled(found.share is None)
            remove.triggered.connect(self.delete_chosen)
            menu.addSeparator()
        add = menu.addAction(icons.icon("plus", colour), tr("&Add a target…"))
        add.triggered.connect(self.add_wanted)
        menu.exec(self.tree.viewport().mapToGlobal(where))


def _alike(row: TargetRow, before: TargetRow) -> bool:
    """Whether it is the same target, with the same runs at their places."""
    if (row.name, bool(row.detail)) != (before.name, bool(before.detail)):
        return False
    return len(row.runs) == len(before.runs) and all(
        run is old or (run.run_id, run.month) == (old.run_id, old.month)
        for run, old in zip(row.runs, before.runs, strict=True)
    )
