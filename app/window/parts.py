"""What the window's own parts are built upon, handed over in one value."""

from __future__ import annotations

from dataclasses import dataclass

from app.controllers.run_controller import RunController
from app.controllers.selection import Selection
from app.controllers.stored_runs import StoredRuns
from app.runtime.jobs import JobRunner
from app.runtime.preferences import Preferences
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from app.theme.appearance import Appearance


@dataclass(frozen=True, slots=True)
class Parts:
    """One of each in a program."""

    appearance: Appearance
    preferences: Preferences
    runner: JobRunner
    use_cases: UseCases
    desk: Desk
    stored_runs: StoredRuns
    run_controller: RunController
    selection: Selection
