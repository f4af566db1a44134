"""What the screen shows where a stretch of a walk has come to its end, and goes on showing."""

from __future__ import annotations

import re

from tests.app.window.walks.seen import Screen

MAIN = "MainWindow"
TRIED = "Setting and value"
"""The field of what a trial sets."""


def watched(screen: Screen) -> bool:
    """A watch has ended, and its advice is there."""
    return screen.says("Watched for ") and screen.says("The run is done: see the plan")


def copied(screen: Screen) -> bool:
    """Something of the program's is on the clipboard."""
    return bool(screen.copied)


def case_advised(screen: Screen) -> bool:
    """The case is in front, and the plan of its advice is made."""
    return screen.is_active(MAIN) and screen.says("db7") and screen.says("Forecast of the plan: ")


def texts_read(screen: Screen) -> bool:
    """The server of the texts is in front, and its home shows what they decide."""
    return screen.is_active(MAIN) and screen.says("db7") and screen.pressable("Report…") is not None


def bench_understood(screen: Screen) -> bool:
    """The directories were looked at: the bench can be started."""
    counted = any(re.match(r"\d+ runs in turn", one.text) for one in screen.pieces)
    shared = screen.mentions("are on the same disk")
    return counted and shared and screen.pressable("Start measuring") is not None


def compared(screen: Screen) -> bool:
    """A bench has ended, and its runs are compared."""
    return screen.is_active(MAIN) and screen.says("Choose others…")


def report_shown(screen: Screen) -> bool:
    """The report's pages are there, so that they can be saved."""
    button = screen.pressable("Save as PDF…")
    return screen.is_active("ReportDialog") and button is not None


def report_written(screen: Screen) -> bool:
    """The report's dialog has closed, which it does with the file."""
    return screen.window("ReportDialog") is None


def watched_again(screen: Screen) -> bool:
    """The second of two watches has ended."""
    looks = [row for row in screen.rows("Targets and runs") if "watch" in row.text]
    return watched(screen) and len(looks) > 1


def compared_in_time(screen: Screen) -> bool:
    """Two looks at the server stand side by side."""
    return screen.mentions("no proof")


def consent_asked(screen: Screen) -> bool:
    """What a trial will do is shown, and it asks for the target's name."""
    return screen.says("Nothing is set yet.") and screen.mentions("Way back")


def pair_seen(screen: Screen) -> bool:
    """A trial has switched both ways."""
    counted = any(re.match(r"\d+ pairs?\b", one.text) for one in screen.pieces)
    return screen.pressable("Take back now") is not None and counted


def trial_over(screen: Screen) -> bool:
    """A trial has ended, and what came of it is shown."""
    return screen.pressable("See the run") is not None
