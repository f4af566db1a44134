"""The way from each directory down to its disks, as rows of boxes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from app.presenters.overview import Box, Chain
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import column, row

BOX_WIDTH, LAYER_WIDTH = 118, 80
"""The least, also of what lies between filesystem and disk: its name is short."""

MOST_WIDTH = 300
WITH_FIGURES = 170
"""The stretch of the last boxes, where others have 100: their lines make the row high."""

MOST_DETAILS = 3
"""The rest is in the tool tip."""


class StorageChains(QWidget):
    """All chains under each other, box below box: roles, filesystem, layers, disks."""

    def __init__(self, appearance: Appearance, chains: Sequence[Chain]) -> None:
        super().__init__()
        self._appearance = appearance
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_M)
        for line, chain in enumerate(chains):
            self._chain(line, chain)
        columns = self._grid.columnCount()
        for place in range(0, columns, 2):
            self._grid.setColumnStretch(place, WITH_FIGURES if place == columns - 1 else 100)
        # What is left when all boxes are as wide as they may be; else they would stand apart.
        self._grid.setColumnStretch(columns, 1)

    def _chain(self, line: int, chain: Chain) -> None:
        self._grid.addWidget(self._roles(chain), line, 0)
        steps: list[QWidget] = [self._box(box) for box in chain.boxes[:1]]
        steps += [self._box(box, least=LAYER_WIDTH) for box in chain.boxes[1:]]
        disks = chain.disks or (Box(tr("Disk"), tr("not known"), (), "hard-drive"),)
        below = QWidget()
        below.setLayout(column(*(self._box(box, "disk") for box in disks)))
        # As wide as the boxes in it: its height is what their texts take in that width.
        below.setMaximumWidth(MOST_WIDTH)
        for index, step in enumerate((*steps, below)):
            arrow = IconLabel(self._appearance, "arrow-right", "strong_line")
            self._grid.addWidget(arrow, line, 2 * index + 1, Qt.AlignmentFlag.AlignVCenter)
            self._grid.addWidget(step, line, 2 * index + 2)

    def _roles(self, chain: Chain) -> QFrame:
        frame = self._box(Box(tr("Role"), ", ".join(chain.roles), chain.paths[:1], "database"))
        frame.setToolTip("\n".join(chain.paths))
        return frame

    def _box(self, box: Box, role: str = "card", *, least: int = BOX_WIDTH) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", role)
        frame.setMinimumWidth(least)
        frame.setMaximumWidth(MOST_WIDTH)
        frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        frame.setToolTip("\n".join(box.details))
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        layout.setSpacing(2)
        layout.addLayout(
            row(IconLabel(self._appearance, box.icon), label(box.kind, "small"), None, space=6)
        )
        layout.addWidget(label(box.name, "heading", wrap=True, select=True))
        for figure in box.figures:
            layout.addWidget(label(figure, wrap=True, select=True))
        for detail in box.details[: 1 if box.figures else MOST_DETAILS]:
            layout.addWidget(label(detail, "small", wrap=True, select=True))
        layout.addStretch(1)
        return frame
