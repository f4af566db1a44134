"""Somebody at the screen: presses keys, or clicks and types, and counts what that amounts to.

An action is a chord, a click, a field that is filled, a file that is chosen, or a question that is
answered. All of it goes through the X server.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from tests.app.window.walks.desktop import SIZE, Program
from tests.app.window.walks.seen import Piece, Screen

FILE_NAME = "fileNameEdit"
"""Where a file's name is typed in Qt's own dialog."""


class Hands:
    """Both ways of working."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self.until = program.until
        self.actions = 0
        # The window manager gives the keyboard to the window that the mouse points at.
        self._point_at((SIZE[0] // 2, SIZE[1] // 2))
        self.dialog("MainWindow")

    def dialog(self, kind: str) -> None:
        """Wait until a window of this kind has the keyboard."""
        self.until(lambda screen: screen.is_active(kind))

    def leave(self) -> None:
        """Close the program as its user does, and see that it ends well."""
        self._keys("ctrl+q")
        status = self._program.wait_for_end()
        assert (status, self._program.said) == (0, "")

    def _keys(self, *keys: str) -> None:
        self.until(lambda screen: screen.active is not None)
        self._program.desktop.act("key", *keys)

    def _type(self, text: str, into: str) -> None:
        """Type into the field of this name once it has the keyboard."""
        self.until(lambda screen: _in_field(screen, into))
        for number, line in enumerate(text.split("\n")):
            if number:
                self._keys("Return")
            self._program.desktop.act("type", "--delay", "1", "--", line)
        self.until(lambda screen: _stands(screen, into, text))

    def _point_at(self, at: tuple[int, int]) -> None:
        self._program.desktop.act("mousemove", *map(str, at))


class Keyboard(Hands):
    """Presses keys where the focus is."""

    def chord(self, keys: str) -> None:
        """One action."""
        self.actions += 1
        self._keys(keys)

    def fill(self, text: str, field: str, reached_by: str = "") -> None:
        """Fill the field that has the focus, or that a chord reaches: one action."""
        self.actions += 1
        if reached_by:
            self._keys(reached_by)
        self._type(text, field)

    def answer(self, kind: str, *keys: str, text: str = "", field: str = "") -> None:
        """Wait for a question and answer it: one action."""
        self.actions += 1
        self.dialog(kind)
        if field:
            self._type(text, field)
        self._keys(*keys)
        self.until(lambda screen: screen.window(kind) is None)

    def agree(self, text: str, field: str) -> None:
        """Answer a question of the page in front: one action."""
        self.actions += 1
        self._type(text, field)
        self._keys("Return")

    def choose(self, *files: Path) -> None:
        """Name files in the dialog that has opened: one action."""
        self.answer("QFileDialog", "Return", text=_named(files), field=FILE_NAME)


class Mouse(Hands):
    """Clicks what it sees by the words on it, and types into what it clicked."""

    def click(self, text: str) -> None:
        """A button or tab by its text or, where it is a picture, by what it says of itself."""
        self.actions += 1
        self._press(lambda screen: screen.pressable(text))

    def fill(self, text: str, field: str) -> None:
        """Click into a field and type in place of what stands there: one action."""
        self.actions += 1
        self._press(lambda screen: screen.field(field))
        self.until(lambda screen: _in_field(screen, field))
        self._keys("ctrl+a")
        self._type(text, field)

    def answer(self, kind: str, text: str, field: str) -> None:
        """Wait for a question, click into its field, and type the answer: one action."""
        self.dialog(kind)
        self.fill(text, field)
        self._keys("Return")
        self.until(lambda screen: screen.window(kind) is None)

    def choose(self, *files: Path) -> None:
        """Name files in the dialog that has opened: one action."""
        self.answer("QFileDialog", _named(files), FILE_NAME)

    def drag(self, find: Callable[[Screen], Piece | None], to: tuple[int, int]) -> None:
        """Take something and let it go elsewhere: one action."""
        self.actions += 1
        self._reach(find)
        self._program.desktop.act("mousedown", "1")
        # It is taken after some way, of which the program must be told on the way.
        for step in range(1, 5):
            self._program.desktop.act("mousemove_relative", "--", str(5 * step), "0")
        self.until(lambda screen: screen.dragging)
        self._point_at(to)
        self._program.desktop.act("mouseup", "1")
        self.until(lambda screen: not screen.dragging)

    def _press(self, find: Callable[[Screen], Piece | None]) -> None:
        self._reach(find)
        self._program.desktop.act("click", "1")

    def _reach(self, find: Callable[[Screen], Piece | None]) -> None:
        """Point at it, wherever it moves, until the program says that the mouse is over it."""
        pointed: tuple[int, int] | None = None

        def reached(screen: Screen) -> bool:
            nonlocal pointed
            piece = find(screen)
            if piece is None:
                return False
            if piece.at.centre != pointed:
                pointed = piece.at.centre
                self._point_at(pointed)
                return False
            return piece.over

        self.until(reached)


def _named(files: Sequence[Path]) -> str:
    """As Qt's dialog takes them: several of them in quotes."""
    return str(files[0]) if len(files) == 1 else " ".join(f'"{file}"' for file in files)


def _in_field(screen: Screen, name: str) -> Piece | None:
    """The field of this name, if it has the keyboard."""
    focus = screen.focus
    fits = focus is not None and focus.kind == "field" and focus.name == name
    return focus if fits and screen.active is not None else None


def _stands(screen: Screen, name: str, text: str) -> bool:
    """Whether this was typed into a field; a secret one tells no more than its length."""
    focus = _in_field(screen, name)
    if focus is None:
        return False
    return focus.text == text or (len(focus.text) == len(text) and len(set(focus.text)) == 1)
