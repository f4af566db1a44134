"""The ways of a DBA, a consultant and a drive buyer through the program, each in two ways.

The program is a process of its own, under a real X server and a window manager; keys and the mouse
come from the server, so that focus, dialogs and shortcuts are what a user meets.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from types import ModuleType

import pytest
from PySide6.QtGui import QImage

from tests.advisor.report.forms.pdf_reading import Pdf
from tests.app.cli.commands.trying.test_trial import at_work
from tests.app.window.drives import drives_called
from tests.app.window.walks import by_keyboard, by_mouse, ends
from tests.app.window.walks.desktop import SIZE, Program, desktop, leadline
from tests.app.window.walks.hands import Hands, Mouse
from tests.app.window.walks.seen import TEXT, Piece, Screen
from tests.conftest import ROOT
from tests.probes.texts.recorded import SERVER_TEXTS
from tests.servers.mariadb import MariaDB, private_mariadb
from tests.servers.sshd import Sshd
from tests.waiting import wait_until

MOST_BY_SSH, MOST_HERE = 8, 4
"""Actions from the start to the plan's SQL on the clipboard."""

MOST_TO_WHAT_CAME, MOST_TO_A_TRIAL = 4, 4

MOST_FROM_A_MAIL = 8
"""Actions where all is left as it is offered, to the PDF."""

MOST_TO_A_DRIVE = 6
"""With the project, to the sentence that says which."""

MOST_ACTIONS_TO_A_REPORT = 9
"""With all that is filled in beside: client, author and logo, or the project."""

WAYS = ("keyboard", "mouse")
LOGO = (90, 30)

Record = Callable[[str, object], None]


def counted(record: Record, most: int, walk: Callable[[], Hands]) -> Hands:
    """Walk; says how many actions that took, and how long."""
    begun = time.monotonic()
    hands = walk()
    took = time.monotonic() - begun
    record("actions", hands.actions)
    record("seconds", round(took, 1))
    sys.stdout.write(f"{hands.actions} actions, {took:.1f} s\n")
    assert hands.actions <= most
    return hands


@pytest.mark.parametrize("walk", [by_keyboard.dba, by_mouse.dba], ids=WAYS)
def test_a_dba_adds_a_server_watches_it_and_copies_the_plan(
    walk: Callable[[Program, MariaDB], Hands],
    sshd: Sshd,
    mariadb: MariaDB,
    tmp_path: Path,
    record_property: Record,
) -> None:
    home = sshd.write_home(tmp_path, f"Host db7\n  HostName {sshd.host}\n  Port {sshd.port}")
    (home / ".ssh" / "known_hosts").unlink()
    with desktop(home) as on, leadline(on) as program:
        hands = counted(record_property, MOST_BY_SSH, lambda: walk(program, mariadb))
        plan = on.leadline("advise", "db7", "--sql")
        assert plan.strip()
        assert wait_until(lambda: on.pasted().strip() == plan.strip())
        hands.leave()


@pytest.fixture
def loaded() -> Iterator[MariaDB]:
    """A server at work."""
    with private_mariadb() as server, at_work(server.socket, server.system_user):
        yield server


def test_a_dba_watches_this_computer_s_server_and_sees_what_a_change_brings(
    loaded: MariaDB, tmp_path: Path, record_property: Record
) -> None:
    with desktop(tmp_path) as on, leadline(on, loaded.socket) as program:
        counted(record_property, MOST_HERE, lambda: by_mouse.dba_here(program))
        assert re.search(r"^SET (GLOBAL|PERSIST|PERSIST_ONLY) \w+ = ", on.pasted(), re.MULTILINE)
        walk = partial(by_mouse.before_and_after, program)
        counted(record_property, MOST_TO_WHAT_CAME, walk).leave()


def test_a_dba_tries_a_change_on_this_computer_s_server(
    loaded: MariaDB, tmp_path: Path, record_property: Record
) -> None:
    with desktop(tmp_path) as on, leadline(on, loaded.socket) as program:
        by_mouse.dba_here(program)
        walk = partial(by_keyboard.trial, program, loaded.socket)
        counted(record_property, MOST_TO_A_TRIAL, walk)
        hands = Mouse(program)
        hands.click("Take back now")
        hands.until(ends.trial_over)
        hands.leave()
        kept = [run["kind"] for run in json.loads(on.leadline("runs", "--json"))]
    assert sorted(kept) == ["trial", "watch"]


@pytest.fixture
def case(tmp_path: Path) -> Path:
    """A case file of a server."""
    made = tmp_path / "db7.leadline"
    packed = ROOT / "resources" / "sample" / "2-check.leadline.gz"
    made.write_bytes(gzip.decompress(packed.read_bytes()))
    return made


@pytest.mark.parametrize("walk", [by_keyboard.consultant, by_mouse.consultant], ids=WAYS)
def test_a_consultant_takes_a_case_in_and_hands_over_a_report(
    walk: Callable[[Program, Path, Path, Path], Hands],
    case: Path,
    tmp_path: Path,
    record_property: Record,
) -> None:
    """The case comes from a server, the logo from the consultant."""
    logo, report = tmp_path / "logo.png", tmp_path / "client.pdf"
    drawn = QImage(*LOGO, QImage.Format.Format_RGB32)
    drawn.fill(0)
    assert drawn.save(str(logo))
    with desktop(tmp_path) as on, leadline(on) as program:
        most = MOST_ACTIONS_TO_A_REPORT
        counted(record_property, most, lambda: walk(program, case, report, logo)).leave()
    pdf = Pdf(report.read_bytes())
    assert {"What to decide", "Change plan"} <= {text for _, text, _ in pdf.outline()}
    assert LOGO in pdf.pictures()


@pytest.mark.parametrize(
    ("walk", "memory", "most"),
    [
        (by_keyboard.from_a_mail, "", MOST_FROM_A_MAIL),
        (by_mouse.from_a_mail, "24G", MOST_FROM_A_MAIL + 1),
    ],
    ids=["keyboard, as offered", "mouse, with the memory"],
)
def test_a_server_s_texts_from_a_mail_become_a_report(
    walk: Callable[[Program, Sequence[Path], Path, str], Hands],
    memory: str,
    most: int,
    tmp_path: Path,
    record_property: Record,
) -> None:
    report = tmp_path / "client.pdf"
    names = ("status1.txt", "status2.txt", "variables.txt", "my.cnf")
    texts = [SERVER_TEXTS / name for name in names]
    with desktop(tmp_path) as on, leadline(on) as program:
        counted(record_property, most, lambda: walk(program, texts, report, memory)).leave()
    assert "What to decide" in {text for _, text, _ in Pdf(report.read_bytes()).outline()}


@pytest.mark.parametrize("by", [by_keyboard, by_mouse], ids=WAYS)
def test_a_drive_buyer_reads_which_of_three_directories_is_faster_and_reports_how_they_compare(
    by: ModuleType, drives: list[str], tmp_path: Path, record_property: Record
) -> None:
    report = tmp_path / "drives.pdf"
    with desktop(tmp_path) as on, leadline(on) as program:
        walk = partial(by.drive_buyer, program, drives, "client X, October")
        hands = counted(record_property, MOST_TO_A_DRIVE, walk)
        screen = program.screen()
        shown = [one.text for one in screen.pieces if one.kind == TEXT]
        # All lie on one disk: that is in the sentence, too.
        assert any("same disk" in text and text.endswith(".") for text in shown), shown
        assert all(screen.mentions(place) for place in drives)
        by.comparison_report(hands, report)
        assert hands.actions <= MOST_ACTIONS_TO_A_REPORT
        hands.leave()
        kept = json.loads(on.leadline("runs", "--json"))
    names = [run["label"]["name"].rpartition(", ")[2] for run in kept]
    assert sorted(names) == sorted(drives * 2)
    assert "By role" in {text for _, text, _ in Pdf(report.read_bytes()).outline()}


@pytest.fixture
def drives() -> Iterator[list[str]]:
    """Three directories on a real disk."""
    with drives_called("ABC") as made:
        yield made


def test_runs_are_dragged_from_the_sidebar_to_where_they_are_compared(tmp_path: Path) -> None:
    page = SIZE[0] * 2 // 3, SIZE[1] // 2
    with desktop(tmp_path) as on, leadline(on) as program:
        hands = Mouse(program)
        hands.click("Try the sample")
        hands.drag(measured, page)
        hands.until(lambda screen: screen.says("1 picked"))
        hands.leave()


def measured(screen: Screen) -> Piece | None:
    """The sample's run with points, in the sidebar."""
    return next((one for one in screen.rows("Targets and runs") if "check" in one.text), None)
