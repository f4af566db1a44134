"""The ways of a DBA, a consultant and a drive buyer with the mouse; each gives its actions.

Letters come from the keyboard, into fields that were clicked.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.app.window.walks import ends
from tests.app.window.walks.by_keyboard import whole_address
from tests.app.window.walks.desktop import Program
from tests.app.window.walks.hands import Mouse
from tests.servers.mariadb import ED25519, MariaDB


def dba(program: Program, mariadb: MariaDB) -> Mouse:
    """Adds db7 with its server, watches that, and copies the plan."""
    hands = Mouse(program)
    hands.click("Add a target (Ctrl+N)")
    hands.dialog("TargetDialog")
    hands.fill(whole_address(mariadb), "Address")
    hands.click("Save and watch")
    hands.dialog("HostKeyDialog")
    hands.click("Trust and connect")
    hands.answer("PasswordDialog", ED25519[1], "Password")
    _copy_plan(hands)
    return hands


def dba_here(program: Program) -> Mouse:
    """Watches the server that runs on this computer, and copies the plan."""
    hands = Mouse(program)
    hands.click("Add this computer's mariadbd")
    hands.dialog("TargetDialog")
    hands.click("Save and watch")
    _copy_plan(hands)
    return hands


def before_and_after(program: Program) -> Mouse:
    """In the plan, marks a change as made, and has the server before and after it compared."""
    hands = Mouse(program)
    hands.click("Done")
    hands.click("See what came of it")
    hands.until(ends.watched_again)
    hands.click("The run is done: see the plan")
    hands.click("See what came of it")
    hands.until(ends.compared_in_time)
    return hands


def consultant(program: Program, case: Path, report: Path, logo: Path) -> Mouse:
    """Takes a case in, and has its report written for a client."""
    hands = Mouse(program)
    hands.click("Compare")
    hands.click("Import a file…")
    hands.choose(case)
    hands.until(ends.case_advised)
    hands.click("Report…")
    hands.dialog("ReportDialog")
    hands.fill("Example Shop", "Client")
    hands.fill("Jo Doe", "Author")
    hands.fill(str(logo), "Logo")
    _save(hands, report)
    return hands


def from_a_mail(program: Program, texts: Sequence[Path], report: Path, memory: str = "") -> Mouse:
    """Takes in a server's texts that came by mail, and has its report written."""
    hands = Mouse(program)
    hands.click("All servers")
    hands.click("Import a server's texts…")
    hands.dialog("ServerTextsDialog")
    hands.click("Add files…")
    hands.choose(*texts)
    if memory:
        hands.fill(memory, "Memory")
    hands.click("Read them")
    hands.until(ends.texts_read)
    hands.click("Report…")
    hands.dialog("ReportDialog")
    _save(hands, report)
    return hands


def drive_buyer(program: Program, places: Sequence[str], project: str) -> Mouse:
    """Benches directories, and reads which is faster."""
    hands = Mouse(program)
    hands.click("Compare")
    hands.click("Compare drives…")
    hands.dialog("BenchDialog")
    hands.fill("\n".join(places), "Directories")
    hands.fill(project, "Project")
    hands.click("See what it takes")
    hands.until(ends.bench_understood)
    hands.click("Start measuring")
    hands.until(ends.compared)
    return hands


def comparison_report(hands: Mouse, report: Path) -> None:
    """Has the report of what was compared written."""
    hands.click("Report…")
    hands.dialog("ReportDialog")
    _save(hands, report)


def _copy_plan(hands: Mouse) -> None:
    hands.until(ends.watched)
    hands.click("The run is done: see the plan")
    hands.click("Copy SQL")
    hands.until(ends.copied)


def _save(hands: Mouse, report: Path) -> None:
    hands.until(ends.report_shown)
    hands.click("Save as PDF…")
    hands.choose(report)
    hands.until(ends.report_written)
