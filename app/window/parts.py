"""What parts of the window are handed: what they are built upon, and what they may ask of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QDialog, QWidget

from app.controllers.run_controller import RunController
from app.controllers.selection import Choice, Selection
from app.controllers.stored_runs import StoredRuns
from app.runtime.jobs import JobRunner
from app.runtime.preferences import Preferences
from app.runtime.questions import Desk
from app.runtime.use_cases import UseCases
from app.theme.appearance import Appearance
from probes.errors import LeadlineError

PAGES = OVERVIEW, WATCH, PROBE, ADVICE, COMPARE, WHAT_IF = range(6)


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


@dataclass(frozen=True, slots=True)
class Actions:
    """What a part of the window may ask of it.

    ``choose`` shows a target or opens one of its runs, ``show_page`` goes to one of ``PAGES``,
    ``page`` says which is in front. ``notify`` says a sentence for some seconds, ``warn`` a
    sentence and what to do above the page, ``show_error`` an error there. ``ask`` opens the dialog
    that its argument makes over the window.
    """

    choose: Callable[[Choice], None]
    show_page: Callable[[int], None]
    page: Callable[[], int]
    notify: Callable[[str], None]
    warn: Callable[[str, str], None]
    show_error: Callable[[LeadlineError], None]
    ask: Callable[[Callable[[QWidget], QDialog]], None]
