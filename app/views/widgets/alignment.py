"""Where a text stands in the room that it has."""

from __future__ import annotations

from PySide6.QtCore import Qt

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
"""At the end of its room, in the middle of its height: figures and their heads."""
