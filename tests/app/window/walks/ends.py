"""What the screen shows where a stretch of a walk has come to its end, and goes on showing."""

from __future__ import annotations

from tests.app.window.walks.seen import Screen

MAIN = "MainWindow"


def server_seen(screen: Screen) -> bool:
    """The new target is in front, and its server was looked at."""
    return screen.is_active(MAIN) and screen.says("db7") and screen.says("MariaDB")


def watched(screen: Screen) -> bool:
    """A watch has ended, and its advice is there."""
    return screen.says("Watched for ") and screen.says("The run is done: see its advice")


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
    told = screen.says("6 runs in turn") and screen.mentions("are on the same disk")
    return told and screen.pressable("Start the bench") is not None


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
