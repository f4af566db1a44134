"""Widgets under and beside each other, and restyled."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractScrollArea,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLayout,
    QPlainTextEdit,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.theme import tokens
from app.views.widgets.labels import label

RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
"""At the end of its room, in the middle of its height: figures and their heads."""


def restyle(widget: QWidget, name: str, value: str) -> None:
    """Set a property that the style sheet looks at, and apply the sheet again."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)


def column(*widgets: QWidget, space: int = tokens.SPACE_S) -> QVBoxLayout:
    """Widgets under each other, without outer margins."""
    layout = QVBoxLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(space)
    for widget in widgets:
        layout.addWidget(widget)
    return layout


def row(*widgets: QWidget | None, space: int = tokens.SPACE_S) -> QHBoxLayout:
    """Widgets beside each other, without outer margins; None takes up what is left."""
    layout = QHBoxLayout()
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(space)
    for widget in widgets:
        if widget is None:
            layout.addStretch(1)
        else:
            layout.addWidget(widget)
    return layout


def form(*fields: tuple[str, QWidget] | tuple[str, QWidget, QLayout]) -> QGridLayout:
    """Fields under each other, each with its caption, whose ``&`` letter leads to it.

    A third part is what stands in the field's place, the field with what is beside it.
    """
    grid = QGridLayout()
    grid.setHorizontalSpacing(tokens.SPACE_M)
    grid.setVerticalSpacing(tokens.SPACE_S)
    grid.setColumnStretch(1, 1)
    for at, (caption, field, *beside) in enumerate(fields):
        field.setAccessibleName(caption.replace("&", ""))
        name = label(caption, "quiet")
        name.setBuddy(field)
        high = isinstance(field, QPlainTextEdit)
        grid.addWidget(name, at, 0, Qt.AlignmentFlag.AlignTop if high else Qt.AlignmentFlag(0))
        if beside:
            grid.addLayout(beside[0], at, 1)
        else:
            grid.addWidget(field, at, 1)
    return grid


def bullet(picture: QLabel, text: QLabel) -> QHBoxLayout:
    """An icon at the first line of a text that may wrap."""
    layout = row(picture, text)
    layout.setAlignment(picture, Qt.AlignmentFlag.AlignTop)
    layout.setStretch(1, 1)
    return layout


def keep_bar(area: QAbstractScrollArea) -> None:
    """Keep the place of the vertical scroll bar, so that what it scrolls is laid out once.

    It would be once more where it turns out to be too long. The style sheet draws no bar where
    there is nothing to scroll.
    """
    area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
    bar = area.verticalScrollBar()
    bar.rangeChanged.connect(lambda low, high: bar.setEnabled(high > low))


def scrolled(body: QWidget, name: str) -> QScrollArea:
    """A page's body that scrolls down, never aside; ``name`` is what a screen reader calls it."""
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setAccessibleName(name)
    area.setWidget(body)
    # Tab stops where there is something to scroll, which the style sheet frames then.
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.verticalScrollBar().rangeChanged.connect(
        lambda low, high: area.setFocusPolicy(
            Qt.FocusPolicy.TabFocus if high > low else Qt.FocusPolicy.NoFocus
        )
    )
    return area


def clear(layout: QVBoxLayout | QHBoxLayout) -> None:
    """Remove everything from a layout."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif isinstance(inner, QVBoxLayout | QHBoxLayout):
            clear(inner)


class Pile(QStackedWidget):
    """Takes what room is left, whatever height its widgets would like at that width.

    Qt's own stack asks each of its widgets, seen or not, how high it would be; whatever is around
    it asks that again at each change of a text, and has every text in it laid out for the answer.
    """

    def hasHeightForWidth(self) -> bool:
        """Never."""
        return False

    def sizeHint(self) -> QSize:
        """The least that its widgets need."""
        return self.minimumSizeHint()
