"""Two looks at one server side by side, which can be chosen."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QVBoxLayout, QWidget

from app.presenters.history.before_after import BeforeAfterPicture
from app.runtime.translation import tr
from app.theme import tokens
from app.views.widgets.labels import label
from app.views.widgets.layouts import row
from app.views.widgets.turned import DropDown

LEAST_LIST = 260


class BeforeAfterView(QWidget):
    """Signals: ``picked(one, other)`` with the runs of two looks."""

    picked = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.before, self.after = DropDown(), DropDown()
        for chosen, name in ((self.before, tr("Before")), (self.after, tr("After"))):
            chosen.setAccessibleName(name)
            chosen.setMinimumWidth(LEAST_LIST)
            chosen.activated.connect(self._pick)
        self.sentence = label("", "heading", wrap=True, select=True)
        self.texts = label("", wrap=True, select=True)
        self.no_proof = label("", "quiet", wrap=True, select=True)
        self._figures = QWidget()
        self._grid = QGridLayout(self._figures)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_XL)
        self._grid.setVerticalSpacing(tokens.SPACE_XS)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_M)
        layout.addWidget(label(tr("Before and after"), "group"))
        layout.addLayout(row(self.before, label(tr("and"), "quiet"), self.after, None))
        for text in (self.sentence, self.texts):
            layout.addWidget(text)
        layout.addLayout(row(self._figures, None))
        layout.addWidget(self.no_proof)

    def offer(self, looks: Sequence[tuple[int, str]], pair: tuple[int, int] | None) -> None:
        """Offer these looks, two of them chosen."""
        for at, chosen in enumerate((self.before, self.after)):
            chosen.clear()
            for run_id, text in looks:
                chosen.addItem(text, run_id)
            if pair is not None:
                chosen.setCurrentIndex(chosen.findData(pair[at]))

    def show_picture(self, picture: BeforeAfterPicture | None) -> None:
        """Show what two looks say; None while it is made."""
        self.sentence.setText(tr("Reading both.") if picture is None else "")
        for text in (self.texts, self.no_proof, self._figures):
            text.setVisible(picture is not None)
        if picture is None:
            return
        self.sentence.setText(picture.sentence)
        self.texts.setText("\n".join(picture.texts))
        self.no_proof.setText(picture.no_proof)
        self._clear()
        for line, cells in enumerate((picture.heads, *picture.rows)):
            for at, figure in enumerate(cells):
                cell = label(figure, "quiet" if line == 0 else "", select=True)
                side = Qt.AlignmentFlag.AlignLeft if at == 0 else Qt.AlignmentFlag.AlignRight
                self._grid.addWidget(cell, line, at, side)

    def _clear(self) -> None:
        while (item := self._grid.takeAt(0)) is not None:
            cell = item.widget()
            if cell is not None:
                cell.hide()
                cell.deleteLater()

    def _pick(self) -> None:
        self.picked.emit(self.before.currentData(), self.after.currentData())
