"""The way from each directory down to its disks, as rows of boxes."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QSizePolicy, QVBoxLayout, QWidget

from app.presenters.overview.facts import Box, Chain
from app.presenters.texts.typesetting import plain_tip
from app.runtime.translation import tr
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.widgets.labels import IconLabel, label
from app.views.widgets.layouts import column, row

BOX_WIDTH, LAYER_WIDTH = 118, 80
"""The least, also of what lies between filesystem and disk: its name is short."""

FIRST_LAYER = 4
"""The column behind role and filesystem; those between hold arrows."""

USUAL, LAYERS, WITH_FIGURES = 100, 50, 240
"""The stretch of columns: the last one's lines make the row high, a layer has a short name."""

MOST_DETAILS, MOST_OF_SEVERAL = 3, 2
"""Details of disks that stand alone, and of all else; the rest is in the tool tip."""


class StorageChains(QWidget):
    """All chains under each other, box below box: roles, filesystem, layers, disks."""

    def __init__(self, appearance: Appearance, chains: Sequence[Chain]) -> None:
        super().__init__()
        self._appearance = appearance
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(tokens.SPACE_S)
        self._grid.setVerticalSpacing(tokens.SPACE_M)
        self._details = MOST_DETAILS if len(chains) == 1 else MOST_OF_SEVERAL
        steps = max((len(chain.boxes) for chain in chains), default=0)
        for line, chain in enumerate(chains):
            self._chain(line, chain, 2 * steps + 2)
        columns = self._grid.columnCount()
        for place in range(0, columns, 2):
            stretch = USUAL if place < FIRST_LAYER else LAYERS
            self._grid.setColumnStretch(place, WITH_FIGURES if place == columns - 1 else stretch)

    def _chain(self, line: int, chain: Chain, last: int) -> None:
        """Its disks stand in the column ``last`` below those of the others."""
        self._grid.addWidget(self._roles(chain), line, 0)
        steps: list[QWidget] = [self._box(box) for box in chain.boxes[:1]]
        steps += [self._box(box, least=LAYER_WIDTH) for box in chain.boxes[1:]]
        for index, step in enumerate(steps):
            place = 2 * index + 2
            # What has no further layer has the room of those that others have.
            wide = last - 1 - place if step is steps[-1] else 1
            self._grid.addWidget(step, line, place, 1, wide)
            self._arrow(line, place - 1)
        disks = chain.disks or (Box(tr("Disk"), tr("not known"), (), "hard-drive"),)
        below = QWidget()
        below.setLayout(column(*(self._box(box, "disk") for box in disks)))
        self._grid.addWidget(below, line, last)
        self._arrow(line, last - 1)

    def _arrow(self, line: int, place: int) -> None:
        arrow = IconLabel(self._appearance, "arrow-right", "strong_line")
        self._grid.addWidget(arrow, line, place, Qt.AlignmentFlag.AlignVCenter)

    def _roles(self, chain: Chain) -> QFrame:
        frame = self._box(Box(tr("Role"), ", ".join(chain.roles), chain.paths[:1], "database"))
        frame.setToolTip(plain_tip("\n".join(chain.paths)))
        return frame

    def _box(self, box: Box, role: str = "card", *, least: int = BOX_WIDTH) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", role)
        frame.setMinimumWidth(least)
        frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        frame.setToolTip(plain_tip("\n".join(box.details)))
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_S)
        layout.setSpacing(2)
        head = row(IconLabel(self._appearance, box.icon), label(box.kind, "small"), space=6)
        name = label(box.name, "heading", wrap=True, select=True)
        if box.figures:
            # Its lines make the row high: what it is takes one.
            head.addWidget(name)
            head.addWidget(label(box.details[0] if box.details else "", "small", wrap=True), 1)
            layout.addLayout(head)
        else:
            head.addStretch(1)
            layout.addLayout(head)
            layout.addWidget(name)
        for figure in box.figures:
            layout.addWidget(label(figure, wrap=True, select=True))
        most = self._details if role == "disk" else MOST_OF_SEVERAL
        for detail in () if box.figures else box.details[:most]:
            layout.addWidget(label(detail, "small", wrap=True, select=True))
        layout.addStretch(1)
        return frame
