"""A bench that goes on: whose turn it is, and the figures that each directory has so far."""

from __future__ import annotations

from PySide6.QtWidgets import (
    QHeaderView,
    QProgressBar,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from advisor.runs.bench.progress import BenchProgress
from app.presenters.compare.bench_form import COLUMNS, rows, standing
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.callout import Callout
from app.views.widgets.labels import label
from app.views.widgets.layouts import RIGHT


class BenchView(QWidget):
    """Shows a bench's progress."""

    def __init__(self, appearance: Appearance) -> None:
        super().__init__()
        self.notes = Callout(appearance)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName(tr("How much is measured"))
        self.table = QTreeWidget()
        self.table.setProperty("role", "table")
        self.table.setAccessibleName(tr("Directories that are measured"))
        self.table.setHeaderLabels(list(COLUMNS))
        self.table.setRootIsDecorated(False)
        header = self.table.header()
        header.setStretchLastSection(False)
        for column in range(len(COLUMNS)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.ResizeToContents)
            if column > 1:
                self.table.headerItem().setTextAlignment(column, RIGHT)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        self.now = label("", wrap=True, select=True)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, tokens.SPACE_L)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(self.bar)
        layout.addWidget(self.now)
        layout.addWidget(self.notes)
        layout.addWidget(self.table, 1)
        layout.addWidget(
            label(
                tr("The Measure page shows the turn that is measured; Ctrl+. stops them all."),
                "small",
            )
        )

    def show_progress(self, progress: BenchProgress) -> None:
        """Bring the rows up to date."""
        self.bar.setValue(round(1000 * progress.share))
        notes = () if progress.seen is None else progress.seen.notes
        self.notes.setVisible(bool(notes))
        if notes:
            self.notes.display("warn", notes[0], "\n".join(notes[1:]))
        self.now.setText(standing(progress))
        known = rows(progress)
        while self.table.topLevelItemCount() < len(known):
            self.table.addTopLevelItem(QTreeWidgetItem())
        for at, texts in enumerate(known):
            item = self.table.topLevelItem(at) or QTreeWidgetItem()
            for column, text in enumerate(texts):
                item.setText(column, text)
                if column > 1:
                    item.setTextAlignment(column, RIGHT)
                item.setToolTip(column, plain_tip(text))
        while self.table.topLevelItemCount() > len(known):
            self.table.takeTopLevelItem(len(known))
