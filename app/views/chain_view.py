"""The way from a directory down to its disks, as a row of boxes."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from app.models.overview import Box, Chain
from app.theme import tokens
from app.theme.appearance import Appearance
from app.views.parts import Picture, label, row

BOX_WIDTH = 168


class ChainView(QWidget):
    """One chain: roles and paths, filesystem, layers, disks."""

    def __init__(self, appearance: Appearance, chain: Chain) -> None:
        super().__init__()
        self._appearance = appearance
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(tokens.SPACE_S)
        layout.addWidget(self._roles(chain), 3)
        for box in chain.boxes:
            self._step(layout, self._box(box))
        if chain.disks:
            disks = QWidget()
            stack = QVBoxLayout(disks)
            stack.setContentsMargins(0, 0, 0, 0)
            for box in chain.disks:
                stack.addWidget(self._box(box, "disk"))
            self._step(layout, disks)
        else:
            self._step(layout, self._box(Box("Disk", "not known", (), "hard-drive")))

    def _step(self, layout: QHBoxLayout, widget: QWidget) -> None:
        arrow = Picture(self._appearance, "arrow-right", "strong_line")
        layout.addWidget(arrow, 0, Qt.AlignmentFlag.AlignVCenter)
        layout.addWidget(widget, 3)

    def _roles(self, chain: Chain) -> QFrame:
        paths = "\n".join(chain.paths)
        return self._frame("card", "database", "Role", ", ".join(chain.roles), paths.splitlines())

    def _box(self, box: Box, role: str = "card") -> QFrame:
        return self._frame(role, box.icon, box.kind, box.name, list(box.details))

    def _frame(self, role: str, icon: str, kind: str, name: str, details: list[str]) -> QFrame:
        frame = QFrame()
        frame.setProperty("role", role)
        frame.setMinimumWidth(BOX_WIDTH)
        frame.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        layout = QVBoxLayout(frame)
        layout.setContentsMargins(tokens.SPACE_M, tokens.SPACE_S, tokens.SPACE_M, tokens.SPACE_M)
        layout.setSpacing(2)
        layout.addLayout(row(Picture(self._appearance, icon), label(kind, "small"), None, space=6))
        layout.addWidget(label(name, "heading", wrap=True, select=True))
        for detail in details:
            layout.addWidget(label(detail, "small", wrap=True, select=True))
        layout.addStretch(1)
        return frame
