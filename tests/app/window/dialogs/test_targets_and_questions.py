from __future__ import annotations

import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from advisor.run import RunState
from advisor.store.store import Store
from app.controllers import stored_runs
from app.controllers.selection import Choice
from app.controllers.stored_runs import Shelf
from app.views.dialogs.questions import HostKeyDialog, PasswordDialog
from app.views.dialogs.target import TargetDialog
from app.window.parts import OVERVIEW
from probes.errors import TargetUnreachable
from probes.targets.address import SshAddress, StatedMachine, TargetKind, TargetSpec
from tests.app.window.conftest import OpenWindow, run_to_end, shut
from tests.app.window.looking import chosen, see, stored, texts
from tests.app.window.replay import Replay
from tests.present import present
from tests.waiting import HANG_S

DB7 = TargetSpec(TargetKind.SSH, "db7", SshAddress("db7.example"))


def test_a_target_is_added_tried_and_saved(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.add_target()
    dialog = window.findChild(TargetDialog)
    assert dialog is not None
    dialog.save.click()
    assert "SSH host is missing" in chosen(dialog.callout)
    QTest.keyClicks(dialog.fields.lines["ssh_host"], "db7.example")
    QTest.keyClicks(dialog.fields.lines["name"], "db7")
    dialog.test.click()
    qtbot.waitUntil(lambda: "Connected to db7." in chosen(dialog.callout))
    dialog.save.click()
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
    qtbot.waitUntil(lambda: window.findChild(TargetDialog) is None)
    assert window.selection.spec.ssh == SshAddress("db7.example")
    assert window.stack.currentIndex() == OVERVIEW
    # A target that was saved is looked at without another press.
    see(qtbot, window.overview, "vg0-data")
    with Store.open(replay.path) as store:
        assert store.target("db7") is not None
    window.edit_target("db7")
    again = present(window.findChild(TargetDialog))
    assert again.fields.lines["ssh_host"].text() == "db7.example"
    again.fields.lines["name"].setText("db8")
    again.save.click()
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db8"))
    with Store.open(replay.path) as store:
        assert [spec.name for spec in store.targets()] == ["db8"]


class _EndsAtOnce(threading.Thread):
    """A job's thread that is done before who has started it goes on."""

    def start(self) -> None:
        super().start()
        self.join()


def test_a_target_is_shown_however_soon_it_is_saved(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(replay)
    monkeypatch.setattr("app.runtime.jobs.threading.Thread", _EndsAtOnce)
    window.pages.targets.save(DB7, "")
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
    assert window.stack.currentIndex() == OVERVIEW


def test_a_list_read_before_a_target_was_saved_does_not_take_it_away(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window(replay)
    qtbot.waitUntil(lambda: window.parts.runner.running == 0)
    has_read, goes_on = threading.Event(), threading.Event()

    def slowly(store: Store) -> Shelf:
        shelf = read_shelf(store)
        has_read.set()
        assert goes_on.wait(HANG_S)
        return shelf

    read_shelf = stored_runs._read_shelf
    with monkeypatch.context() as patch:
        patch.setattr(stored_runs, "_read_shelf", slowly)
        window.parts.stored_runs.refresh()
        assert has_read.wait(HANG_S)
    window.pages.targets.save(DB7, "")
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db7"))
    goes_on.set()
    qtbot.waitUntil(lambda: window.parts.runner.running == 0)
    assert window.selection.choice == Choice("db7")


def test_a_failing_test_says_why_and_can_be_stopped(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.test_error = TargetUnreachable("db7 does not answer.", "Check its name.")
    window = open_window(replay)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    QTest.keyClicks(dialog.fields.lines["ssh_host"], "db7")
    dialog.test.click()
    qtbot.waitUntil(lambda: "db7 does not answer." in chosen(dialog.callout))
    replay.test_error, replay.pause_s = None, 60.0
    dialog.test.click()
    assert dialog.test.text().strip() == "Stop"
    dialog.test.click()
    qtbot.waitUntil(lambda: "Test" in dialog.test.text())
    dialog.test.click()
    dialog.reject()


def test_questions_of_a_job_are_dialogs(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    QTest.keyClicks(dialog.fields.lines["ssh_host"], "db7")
    dialog.test.click()
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    asking = present(window.findChild(HostKeyDialog))
    assert "SHA256:abc" in texts(asking)
    assert asking.no.isDefault()
    asking.yes.click()
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not None)
    password = present(window.findChild(PasswordDialog))
    assert password.field.echoMode() is password.field.EchoMode.Password
    QTest.keyClicks(password.field, "s3cret")
    QTest.keyClick(password.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: replay.answers == [True, "s3cret"])
    dialog.reject()


def test_declining_a_question_is_an_answer(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    job = window.run_controller.test(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7")))
    window.run_controller.begin(job)
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    QTest.keyClick(present(window.findChild(HostKeyDialog)), Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.findChild(PasswordDialog) is not None)
    present(window.findChild(PasswordDialog)).no.click()
    qtbot.waitUntil(lambda: replay.answers == [False, None])


def test_a_question_that_nobody_waits_for_disappears(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    job = window.run_controller.test(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7")))
    window.run_controller.begin(job)
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    job.cancel()
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is None)
    assert replay.answers == []


def test_closing_while_a_question_is_open_ends_the_job(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.ask_password = True
    window = open_window(replay)
    window.run_controller.begin(
        window.run_controller.test(TargetSpec(TargetKind.SSH, "db7", SshAddress("db7")))
    )
    qtbot.waitUntil(lambda: window.findChild(HostKeyDialog) is not None)
    shut(qtbot, window)
    assert replay.answers == []


def test_a_store_that_cannot_be_read_is_said(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.path.mkdir()
    window = open_window(replay)
    qtbot.waitUntil(lambda: chosen(window.errors.callout) != "")


def test_a_store_that_was_spoiled_is_set_aside_and_said(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    replay.path.write_bytes(b"this is no database at all, whatever its name says" * 200)
    window = open_window(replay)
    qtbot.waitUntil(window.notices.isVisible)
    run_to_end(qtbot, window)
    assert stored(replay) == [RunState.DONE]


def test_what_a_volume_was_bought_with_is_typed_kept_and_shown_again(
    qtbot: QtBot, open_window: OpenWindow, replay: Replay
) -> None:
    window = open_window(replay)
    window.add_target()
    dialog = present(window.findChild(TargetDialog))
    assert dialog.fields.lines["volume_iops"].isHidden(), "a machine behind SSH is asked itself"
    dialog.kind.pick(TargetKind.MYSQL.value)
    dialog.fields.lines["mysql_host"].setText("db.example")
    dialog.fields.lines["volume_iops"].setText("3k iops")
    dialog.fields.lines["volume_throughput"].setText("125")
    dialog.save.click()
    assert "'3k iops' is not a number of requests per second" in chosen(dialog.callout)
    dialog.fields.lines["volume_iops"].setText("3,000")
    dialog.save.click()
    assert "'125' is not a valid throughput" in chosen(dialog.callout)
    dialog.fields.lines["volume_throughput"].setText("125M")
    dialog.save.click()
    qtbot.waitUntil(lambda: window.selection.choice == Choice("db.example"))
    told = StatedMachine(volume_requests_per_s=3000, volume_bytes_per_s=125 << 20)
    with Store.open(replay.path) as store:
        assert present(store.target("db.example")).told == told
    window.edit_target("db.example")
    again = present(window.findChild(TargetDialog))
    assert again.fields.lines["volume_iops"].text() == "3000"
    assert again.fields.lines["volume_throughput"].text() == "125 MiB/s"
    again.fields.lines["volume_iops"].clear()
    again.save.click()
    # Saving is a worker's job: the dialog is gone before the store has it.
    shelf = window.parts.stored_runs
    qtbot.waitUntil(lambda: present(shelf.shelf.spec("db.example")).told != told)
    with Store.open(replay.path) as store:
        kept = present(store.target("db.example"))
    assert kept.told == replace(told, volume_requests_per_s=0)
