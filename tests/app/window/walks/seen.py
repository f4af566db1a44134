"""What the program shows at a moment, as its own process tells it (``program.py``)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Area:
    """A rectangle on the screen, in pixels."""

    left: int
    top: int
    width: int
    height: int

    @property
    def centre(self) -> tuple[int, int]:
        return self.left + self.width // 2, self.top + self.height // 2


@dataclass(frozen=True, slots=True)
class Window:
    """A window on the screen, with its frame; ``kind`` is the name of its class."""

    kind: str
    at: Area
    active: bool


@dataclass(frozen=True, slots=True)
class Piece:
    """A text, button, field, tab or row, as far as it can be seen.

    ``kind`` is one of the words of ``program.py``, ``window`` the number of the window that it is
    in. ``over`` says whether the mouse points at it and nothing covers it there.
    """

    window: int
    kind: str
    text: str
    name: str
    tip: str
    at: Area
    enabled: bool = True
    checked: bool = False
    focused: bool = False
    over: bool = False


BUTTON, FIELD, TAB, ROW, TEXT = "button", "field", "tab", "row", "text"
PRESSED = (BUTTON, TAB)


@dataclass(frozen=True, slots=True)
class Screen:
    """All of it. ``copied`` is what the program has on the clipboard.

    ``dragging`` says whether something hangs on the mouse.
    """

    windows: tuple[Window, ...]
    pieces: tuple[Piece, ...]
    copied: str
    dragging: bool

    @classmethod
    def of(cls, told: dict[str, Any]) -> Screen:
        """What ``program.py`` has told."""
        return cls(
            tuple(Window(**one | {"at": Area(*one["at"])}) for one in told["windows"]),
            tuple(Piece(**one | {"at": Area(*one["at"])}) for one in told["pieces"]),
            told["copied"],
            told["dragging"],
        )

    @property
    def active(self) -> int | None:
        """The number of the window that has the keyboard."""
        return next((at for at, one in enumerate(self.windows) if one.active), None)

    @property
    def focus(self) -> Piece | None:
        """What has the keyboard, if it is one of the pieces."""
        return next((one for one in self.pieces if one.focused), None)

    def window(self, kind: str) -> Window | None:
        """The one of this kind that is there."""
        return next((one for one in self.windows if one.kind == kind), None)

    def is_active(self, kind: str) -> bool:
        """Whether a window of this kind has the keyboard."""
        found = self.window(kind)
        return found is not None and found.active

    def says(self, text: str) -> bool:
        """Whether a text or a button begins so."""
        return any(one.text.startswith(text) for one in self.pieces if one.kind in (TEXT, BUTTON))

    def pressable(self, text: str) -> Piece | None:
        """A button or tab of the window in front, by its text or by what it says of itself."""
        return next((one for one in self._in_front(*PRESSED) if text in (one.text, one.tip)), None)

    def field(self, name: str) -> Piece | None:
        """A field of the window in front."""
        return next((one for one in self._in_front(FIELD) if one.name == name), None)

    def mentions(self, text: str) -> bool:
        """Whether it is read anywhere."""
        return any(text in one.text for one in self.pieces)

    def rows(self, name: str) -> list[Piece]:
        """The rows that are seen of the list of this name."""
        return [one for one in self.pieces if one.kind == ROW and one.name == name]

    def _in_front(self, *kinds: str) -> Iterator[Piece]:
        front = self.active
        return (
            one for one in self.pieces if one.kind in kinds and one.window == front and one.enabled
        )

    def __str__(self) -> str:
        """For whoever reads why a walk has stopped."""
        windows = "\n".join(f"window {at}: {one}" for at, one in enumerate(self.windows))
        pieces = "\n".join(
            f"{one.window} {one.kind} {one.text[:200]!r} {one.name!r}"
            f"{'' if one.enabled else ' off'}{' checked' if one.checked else ''}"
            f"{' focused' if one.focused else ''}{' over' if one.over else ''} {one.at}"
            for one in self.pieces
        )
        return f"{windows}\n{pieces}"
