"""The ways of a DBA, a consultant and a drive buyer by keyboard alone; each gives its actions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.app.window.walks import ends
from tests.app.window.walks.desktop import Program
from tests.app.window.walks.hands import Keyboard
from tests.servers.mariadb import ED25519, MariaDB


def whole_address(mariadb: MariaDB) -> str:
    """The server behind db7 in one line, as other tools write it."""
    return f"mysql+ssh://db7/{ED25519[0]}@127.0.0.1:{mariadb.port}"


def dba(program: Program, mariadb: MariaDB) -> Keyboard:
    """Adds db7 with its server, watches that, and copies the plan."""
    hands = Keyboard(program)
    hands.chord("ctrl+n")
    hands.dialog("TargetDialog")
    hands.fill(whole_address(mariadb), "Address")
    hands.chord("alt+w")
    hands.answer("HostKeyDialog", "Tab", "Return")
    hands.answer("PasswordDialog", "Return", text=ED25519[1], field="Password")
    hands.until(ends.watched)
    hands.chord("ctrl+shift+c")
    hands.until(ends.copied)
    return hands


def trial(program: Program, target: str) -> Keyboard:
    """Tries one change on the live server, until the first pair of blocks is there."""
    hands = Keyboard(program)
    hands.chord("ctrl+t")
    hands.fill("innodb_spin_wait_delay=50", ends.TRIED)
    hands.chord("Return")
    hands.until(ends.consent_asked)
    word = target.rpartition("/")[2]
    hands.agree(word, f"Type {word} to agree")
    hands.until(ends.pair_seen)
    return hands


def consultant(program: Program, case: Path, report: Path, logo: Path) -> Keyboard:
    """Takes a case in, and has its report written for a client."""
    hands = Keyboard(program)
    hands.chord("ctrl+i")
    hands.choose(case)
    hands.until(ends.case_advised)
    hands.chord("ctrl+p")
    hands.dialog("ReportDialog")
    hands.fill("Example Shop", "Client", reached_by="alt+c")
    hands.fill("Jo Doe", "Author", reached_by="alt+a")
    hands.fill(str(logo), "Logo", reached_by="alt+l")
    _save(hands, report)
    return hands


def from_a_mail(
    program: Program, texts: Sequence[Path], report: Path, memory: str = ""
) -> Keyboard:
    """Takes in a server's texts that came by mail, and has its report written."""
    hands = Keyboard(program)
    hands.chord("ctrl+shift+i")
    hands.dialog("ServerTextsDialog")
    hands.chord("alt+f")
    hands.choose(*texts)
    if memory:
        hands.fill(memory, "Memory", reached_by="alt+m")
    hands.chord("Return")
    hands.until(ends.texts_read)
    hands.chord("ctrl+p")
    hands.dialog("ReportDialog")
    _save(hands, report)
    return hands


def drive_buyer(program: Program, places: Sequence[str], project: str) -> Keyboard:
    """Benches directories, and reads which is faster."""
    hands = Keyboard(program)
    hands.chord("ctrl+shift+b")
    hands.dialog("BenchDialog")
    hands.fill(project, "Project", reached_by="alt+p")
    hands.fill("\n".join(places), "Directories", reached_by="alt+d")
    hands.chord("ctrl+Return")
    hands.until(ends.bench_understood)
    hands.chord("Return")
    hands.until(ends.compared)
    return hands


def comparison_report(hands: Keyboard, report: Path) -> None:
    """Has the report of what was compared written."""
    hands.chord("ctrl+p")
    hands.dialog("ReportDialog")
    _save(hands, report)


def _save(hands: Keyboard, report: Path) -> None:
    hands.until(ends.report_shown)
    hands.chord("Return")
    hands.choose(report)
    hands.until(ends.report_written)
