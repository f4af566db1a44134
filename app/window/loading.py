"""Brings what the window's first frame does without: modules, pages, rules, and this computer.

One after the other. A thread that imports and the event loop's thread share one interpreter: pages
that are built beside it take several times as long, and block the window for all of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.abc import InspectLoader
from importlib.util import find_spec

from PySide6.QtCore import QEvent, QObject, QTimer, Signal
from PySide6.QtWidgets import QWidget

from app.controllers.stored_runs import LOCAL, StoredRuns
from app.presenters.advice.rule_notes import RuleNotes
from app.runtime.jobs import Job, once
from app.runtime.time_slices import TimeSlices
from app.window.parts import Parts
from probes.cancel import CancelToken
from probes.errors import LeadlineError

PAGES = "app.window.pages"
LONGEST_FIRST_MS = 3000
"""The other pages wait no longer for the table of servers."""
OWN_FLOOR = "app."
OURS = (OWN_FLOOR, "advisor.", "probes.")
BROUGHT_BY_PYQTGRAPH = ("numpy", "cProfile", "colorama", "xml.etree.ElementTree")
"""Its own part is shorter then."""


class Loading(QObject):
    """Loads modules in jobs, and builds pages in turns of the event loop.

    Signals: ``ended()`` when the pages are there, and what is known of the rules;
    ``failed(LeadlineError)``.
    """

    ended = Signal()
    failed = Signal(LeadlineError)

    def __init__(
        self,
        parts: Parts,
        window: QWidget,
        before: Callable[[Callable[[], None]], None],
        make_pages: Callable[[], Iterator[None]],
    ) -> None:
        """``before`` is done first, and calls what it is handed; ``make_pages`` builds the pages.

        That is done step by step, once their modules are loaded.
        """
        super().__init__(window)
        self._window = window
        self._parts, self._before, self._make_pages = parts, before, make_pages
        self._turns = TimeSlices(self)
        self._stopped = False
        self.notes: RuleNotes = {}

    def begin_after_first_frame(self) -> None:
        """Begin as soon as the window was painted for the first time."""
        self._window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Wait for the first paint, and for its end."""
        if event.type() is QEvent.Type.Paint:
            self._window.removeEventFilter(self)
            QTimer.singleShot(0, self, lambda: self._before(self._load_modules))
        return False

    def _load_modules(self) -> None:
        if not self._stopped:
            self._start(Job("load the libraries", once(_import_libraries)), self._modules_loaded)

    def _modules_loaded(self, with_qt: Sequence[str]) -> None:
        if not self._stopped:
            self._turns.begin(self._build(with_qt))

    def _build(self, with_qt: Sequence[str]) -> Iterator[None]:
        # In the event loop's thread: PySide makes its classes when they are first named, and
        # crashes now and then where two threads do that at once.
        for name in with_qt:
            import_module(name)
            yield
        yield from self._make_pages()
        self._read()
        self._start(Job("load the rules", once(_import_rules)), self._end)

    def _start(self, job: Job, take: Callable[..., None]) -> None:
        job.reported.connect(take)
        job.failed.connect(self.failed)
        self._parts.runner.start(job)

    def _read(self) -> None:
        self._parts.stored_runs.refresh()
        self._parts.run_controller.look(LOCAL)

    def _end(self, notes: RuleNotes) -> None:
        self.notes = notes
        self.ended.emit()

    def load_at_once(self, notes: RuleNotes) -> None:
        """Load and build everything now."""
        for _ in self._make_pages():
            pass
        self._read()
        self._end(notes)

    @property
    def busy(self) -> bool:
        """Whether pages are being built."""
        return self._turns.busy

    def stop(self) -> None:
        """Build nothing more; the jobs are ended with all others."""
        self._stopped = True
        self._turns.begin(iter(()))


class ServersFirst(QObject):
    """Reads the store and shows all servers; goes on when their table is filled, or can't be."""

    def __init__(
        self,
        stored_runs: StoredRuns,
        show: Callable[[Callable[[], None]], None],
        then: Callable[[], None],
        parent: QObject,
    ) -> None:
        """``show`` shows them, and calls what it is handed when they are listed."""
        super().__init__(parent)
        self._show, self._then, self._gone = show, then, False
        stored_runs.changed.connect(self._read)
        stored_runs.failed.connect(self._go_on)
        QTimer.singleShot(LONGEST_FIRST_MS, self, self._go_on)
        stored_runs.refresh()

    def _read(self) -> None:
        if not self._gone:
            self._show(self._go_on)

    def _go_on(self) -> None:
        """Once."""
        if not self._gone:
            self._gone = True
            self.deleteLater()
            self._then()


def _import_libraries(_token: CancelToken) -> list[str]:
    """Load what the pages need of the floors below; the modules of this one, which know Qt.

    They are in the order of loading: each after those that it names.
    """
    needed = list(_needed(PAGES, set()))
    below = (name for name in needed if not name.startswith(OWN_FLOOR))
    for name in (*BROUGHT_BY_PYQTGRAPH, *below):
        import_module(name)
    return [name for name in needed if name.startswith(OWN_FLOOR)]


def _needed(module: str, seen: set[str]) -> Iterator[str]:
    """What is not loaded yet of a module and of all that it names of Leadline.

    That stands in its code, where only the name of an import has dots: sources need not be there.
    """
    if module in seen or module in sys.modules:
        return
    seen.add(module)
    spec = find_spec(module) if module.startswith(OWN_FLOOR) else None
    if spec is not None and isinstance(spec.loader, InspectLoader):
        code = spec.loader.get_code(module)
        for name in () if code is None else code.co_names:
            if name.startswith(OURS):
                yield from _needed(name, seen)
    yield module


def _import_rules(_token: CancelToken) -> RuleNotes:
    from app.window.program import rule_notes  # noqa: PLC0415 - in a job's thread

    return rule_notes()
