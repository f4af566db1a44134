"""Servers that are watched again every hour, in the background, as long as the window is open."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta

from PySide6.QtCore import QObject, QTimer, Signal

from advisor.runs.requests import WatchRequest
from app.controllers.run_controller import RunController
from app.controllers.stored_runs import LOCAL, StoredRuns
from app.runtime.preferences import Preferences
from probes.errors import UsageError
from probes.targets.address import TargetSpec

EVERY = timedelta(hours=1)
LOOKED_EVERY_MS = 20_000
"""How often it is seen whether one is due: a timer of an hour would stop while a laptop sleeps."""

KEPT_AS = "watched_hourly"
"""Where their names are remembered."""


class HourlyWatches(QObject):
    """Begins the next watch of each such server when its time has come; lives in the GUI thread.

    A server that is away, or busy with another run, has its next watch an hour later.

    Signals: ``changed()`` when one is added, taken out, or has another time.
    """

    changed = Signal()

    def __init__(
        self, run_controller: RunController, stored_runs: StoredRuns, preferences: Preferences
    ) -> None:
        """Those of the last time the window was open go on, the first an hour from now."""
        super().__init__()
        self._run_controller, self._stored_runs = run_controller, stored_runs
        self._preferences = preferences
        self._next = {name: datetime.now(UTC) + EVERY for name in preferences.lines(KEPT_AS)}
        self._timer = QTimer(self)
        self._timer.setInterval(LOOKED_EVERY_MS)
        self._timer.timeout.connect(self.see)
        if self._next:
            self._timer.start()

    def next_at(self, target: str) -> datetime | None:
        """When a target is watched next, UTC; None where it is not watched every hour."""
        return self._next.get(target)

    def begin(self, spec: TargetSpec) -> None:
        """Watch now, and every hour; raises UsageError where the target is being measured."""
        self._run_controller.watch(WatchRequest(spec))
        self._next[spec.name] = datetime.now(UTC) + EVERY
        self._timer.start()
        self._keep()

    def stop(self, target: str) -> None:
        """Watch it no more; a watch that goes on comes to its end."""
        self._next.pop(target, None)
        if not self._next:
            self._timer.stop()
        self._keep()

    def _keep(self) -> None:
        self._preferences.set_lines(KEPT_AS, self._next)
        self.changed.emit()

    def see(self) -> None:
        """Begin all that are due."""
        now = datetime.now(UTC)
        for name in [each for each, at in self._next.items() if at <= now]:
            spec = self._stored_runs.shelf.spec(name) or (LOCAL if name == LOCAL.name else None)
            if spec is None:
                # Somebody has deleted it, or gave it another name.
                self.stop(name)
                continue
            with suppress(UsageError):
                self._run_controller.watch(WatchRequest(spec))
            self._next[name] = now + EVERY
            self.changed.emit()
