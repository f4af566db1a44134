"""Widgets of one sort below each other, filled again instead of being made again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, TypeVar

from PySide6.QtWidgets import QVBoxLayout, QWidget

Shown = TypeVar("Shown", bound=QWidget)
Item = TypeVar("Item")


class ReusedWidgets(Generic[Shown]):
    """Making a widget costs far more than telling one something else; new ones flicker too."""

    def __init__(self, layout: QVBoxLayout, make: Callable[[], Shown]) -> None:
        """``layout`` holds nothing but what ``make`` makes."""
        self._layout, self._make = layout, make
        self._made: list[Shown] = []

    @property
    def made(self) -> list[Shown]:
        """All that were made, the hidden ones, too."""
        return self._made

    def display(
        self, items: Sequence[Item], display: Callable[[Shown, Item], object]
    ) -> Iterator[None]:
        """Show a widget for each item; a step for each, those left over hidden in the first."""
        for widget in self._made[len(items) :]:
            widget.hide()
        for number, item in enumerate(items):
            if number == len(self._made):
                self._made.append(self._make())
                self._layout.addWidget(self._made[number])
            display(self._made[number], item)
            self._made[number].show()
            yield
