"""Counts the words that each page of the window shows of the sample, in a process: as JSON.

What is painted is counted, whatever has painted it: labels, lists, charts. The window is tall
enough that nothing is scrolled away. A word has two letters at least: figures and units are none.
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from xml.etree import ElementTree

WIDTH, HEIGHT = 1280, 3000
LONGEST_S, SETTLED_S = 120.0, 1.5
OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF = range(6)
CHECK = 2
"""The sample's run with points."""
DRIVES = ("callaghan-flash-2010", "zaitsev-raid5-2008-cached")
WORD = re.compile(r"[^\W\d_]{2}")
FIGURE = re.compile(r"\d\s*(?:[KMGT]iB|[nµm]s|min)\b")


def main() -> None:
    """Show one page after the other, print the counts, and end this process."""
    from app.window.application import build, make_application, real_use_cases

    application = make_application(["leadline"])
    window = build(application, real_use_cases(), {})
    window.resize(WIDTH, HEIGHT)
    window.show()
    print(json.dumps(dict(Pages(application, window).counted())), flush=True)
    # The window's jobs need not end in order.
    os._exit(0)


class Pages:
    """Goes through the pages of a window."""

    def __init__(self, application: Any, window: Any) -> None:
        self._application, self._window = application, window

    def counted(self) -> Iterator[tuple[str, int]]:
        """Each page's name and its words."""
        window = self._window
        self._wait(lambda: window.loaded)
        window.try_sample()
        self._wait(lambda: window.advice_controller.plan is not None)
        for name, page, show in self._views():
            window.show_page(page)
            show()
            yield name, words(self._whole())

    def _whole(self) -> str:
        """What the page shows once it shows no more: what is worked out comes bit by bit."""
        seen, last = "", None
        while seen != last:
            self._settle()
            last, seen = seen, shown(self._window.stack.currentWidget())
        return seen

    def _views(self) -> Iterator[tuple[str, int, Callable[[], object]]]:
        window = self._window
        yield "Home", OVERVIEW, lambda: None
        yield "Watch", WATCH, lambda: self._wait(lambda: window.selection.watching is not None)
        yield "Measure", PROBE, self._open_check
        yield "Measure, before a run", PROBE, self._set_up
        yield "Advice", ADVICE, self._advised
        yield "Change plan", ADVICE, partial(window.advice.show_side, "plan")
        yield "Another version", ADVICE, partial(window.advice.show_side, "lens")
        yield "Compare, before a choice", COMPARE, lambda: None
        yield "Compare", COMPARE, self._compared
        yield "What if", WHAT_IF, lambda: self._wait(self._forecast)

    def _open_check(self) -> None:
        from advisor.target_names import SAMPLE
        from app.controllers.selection import Choice

        selection = self._window.selection
        selection.choose(Choice(SAMPLE, CHECK))
        self._wait(lambda: selection.run is not None and bool(selection.run.points))
        self._window.show_page(PROBE)

    def _set_up(self) -> None:
        from app.controllers.selection import Choice

        setup = self._window.probe.setup
        self._window.selection.choose(Choice())
        self._window.show_page(PROBE)
        setup.directory.setText("/var/tmp")
        setup.directory.textEdited.emit("/var/tmp")
        self._wait(lambda: setup.plan_made is not None)

    def _advised(self) -> None:
        from advisor.target_names import SAMPLE
        from app.controllers.selection import Choice

        self._window.selection.choose(Choice(SAMPLE))
        self._window.show_page(ADVICE)
        self._window.advice.show_side("advice")
        self._settle()

    def _compared(self) -> None:
        from app.controllers.drive_keys import ReferenceKey, RunKey

        controller = self._window.comparison_controller
        self._wait(lambda: bool(controller.references))
        for key in (RunKey((CHECK,)), *map(ReferenceKey, DRIVES)):
            controller.pick(key, True)
        self._window.compare.press()
        self._wait(lambda: controller.comparison is not None)

    def _forecast(self) -> bool:
        return self._window.pages.what_if_controller.found is not None

    def _wait(self, until: Callable[[], bool]) -> None:
        end = time.monotonic() + LONGEST_S
        while not until():
            if time.monotonic() > end:
                raise TimeoutError("The window did not come to show what is counted.")
            self._application.processEvents()
            time.sleep(0.01)

    def _settle(self) -> None:
        end = time.monotonic() + SETTLED_S
        while time.monotonic() < end:
            self._application.processEvents()
            time.sleep(0.01)


def words(text: str) -> int:
    """How many there are."""
    return sum(bool(WORD.search(each)) for each in FIGURE.sub("", text).split())


def shown(widget: Any) -> str:
    """All texts that a widget paints, each on a line."""
    from PySide6.QtCore import QBuffer, QIODevice
    from PySide6.QtSvg import QSvgGenerator

    buffer, picture = QBuffer(), QSvgGenerator()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    picture.setOutputDevice(buffer)
    picture.setSize(widget.size())
    widget.render(picture)
    texts = ElementTree.fromstring(bytes(buffer.data().data())).iter(
        "{http://www.w3.org/2000/svg}text"
    )
    return "\n".join("".join(text.itertext()) for text in texts)
