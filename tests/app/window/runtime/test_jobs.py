from __future__ import annotations

import gc
import sys
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Signal
from pytestqt.qtbot import QtBot

from app.runtime.jobs import Job, JobRunner, once
from probes.cancel import CancelToken
from probes.errors import DirectoryUnusable, LeadlineError, UsageError
from tests.waiting import HANG_S


class Record:
    """What a job said, and in which thread it was heard."""

    def __init__(self, job: Job) -> None:
        self.said: list[object] = []
        self.threads: set[int] = set()
        job.reported.connect(self._hear)
        job.succeeded.connect(lambda: self._hear("succeeded"))
        job.cancelled.connect(lambda: self._hear("cancelled"))
        job.failed.connect(self._hear)
        job.done.connect(lambda: self._hear("done"))

    def _hear(self, what: object) -> None:
        self.said.append(what)
        self.threads.add(threading.get_ident())


def follow(qtbot: QtBot, runner: JobRunner, job: Job) -> Record:
    record = Record(job)
    with qtbot.waitSignal(job.done):
        runner.start(job)
    qtbot.waitUntil(lambda: runner.running == 0)
    return record


def test_reports_arrive_in_order_in_the_gui_thread(qtbot: QtBot, runner: JobRunner) -> None:
    worker: set[int] = set()

    def work(_token: CancelToken) -> Iterator[object]:
        worker.add(threading.get_ident())
        yield from range(2000)

    record = follow(qtbot, runner, Job("count", work))
    assert record.said == [*range(2000), "succeeded", "done"]
    assert record.threads == {threading.get_ident()}
    assert worker != record.threads


def test_emitting_loses_no_reference_to_true(qtbot: QtBot, runner: JobRunner) -> None:
    # PySide6 6.12.0 drops one for each emitted signal under Python 3.11 and aborts in the end.
    def work(_token: CancelToken) -> Iterator[object]:
        yield from range(300)

    before = sys.getrefcount(True)
    follow(qtbot, runner, Job("count", work))
    assert sys.getrefcount(True) > before - 100


def test_an_expected_fault_is_handed_over_as_it_is(qtbot: QtBot, runner: JobRunner) -> None:
    fault = DirectoryUnusable("/nowhere is missing.", "Choose another.")

    def work(_token: CancelToken) -> Iterator[object]:
        yield 1
        raise fault

    assert follow(qtbot, runner, Job("fail", work)).said == [1, fault, "done"]


def test_a_fault_of_ours_becomes_a_report(qtbot: QtBot, runner: JobRunner) -> None:
    def work(_token: CancelToken) -> Iterator[object]:
        yield 1 // 0

    said = follow(qtbot, runner, Job("crash", work)).said
    assert isinstance(said[0], LeadlineError)
    assert "ZeroDivisionError" in said[0].details
    assert said[1:] == ["done"]


def test_a_secret_in_a_fault_of_ours_is_neither_shown_nor_logged(
    qtbot: QtBot, runner: JobRunner, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(_token: CancelToken) -> Iterator[object]:
        yield 1
        raise ZeroDivisionError("password=hunter2")

    said = follow(qtbot, runner, Job("broken", broken)).said
    assert isinstance(said[1], LeadlineError)
    assert "ZeroDivisionError: <hidden>" in said[1].details
    assert "ZeroDivisionError: <hidden>" in caplog.text
    assert "hunter2" not in caplog.text


def test_cancelling_wakes_a_waiting_job_at_once(qtbot: QtBot, runner: JobRunner) -> None:
    closed: list[bool] = []

    def work(token: CancelToken) -> Iterator[object]:
        try:
            yield "waiting"
            token.wait(HANG_S)
        finally:
            closed.append(True)

    job = Job("wait", work)
    job.reported.connect(lambda _event: job.cancel())
    assert follow(qtbot, runner, job).said == ["waiting", "cancelled", "done"]
    assert closed == [True]


def test_a_lane_holds_one_job_at_a_time(qtbot: QtBot, runner: JobRunner) -> None:
    def work(token: CancelToken) -> Iterator[object]:
        token.wait(HANG_S)
        yield None

    first = Job("first", work, lane="db7")
    runner.start(first)
    assert runner.busy("db7")
    with pytest.raises(UsageError, match="measured already"):
        runner.start(Job("second", work, lane="db7"))
    other = Job("elsewhere", work, lane="db8")
    runner.start(other)
    for job in (first, other):
        with qtbot.waitSignal(job.done):
            job.cancel()
    qtbot.waitUntil(lambda: not runner.busy("db7"))
    follow(qtbot, runner, Job("third", once(lambda _token: 1), lane="db7"))


def test_shutdown_cancels_everything_and_takes_nothing_more(
    qtbot: QtBot, runner: JobRunner
) -> None:
    def work(token: CancelToken) -> Iterator[object]:
        token.wait(HANG_S)
        yield None

    for name in ("a", "b", "c"):
        runner.start(Job(name, work))
    with qtbot.waitSignal(runner.idle):
        runner.cancel_all()
    assert runner.running == 0
    late = Job("late", work)
    record = Record(late)
    runner.start(late)
    assert runner.running == 0
    assert record.said == []


class Asker(QObject):
    failed = Signal(object)


def test_what_is_asked_after_the_shutdown_is_not_kept(qtbot: QtBot) -> None:
    runner, asker = JobRunner(), Asker()
    runner.cancel_all()

    class Wanted:
        def take(self, _answer: int) -> None:
            pass

    wanted = Wanted()
    kept = weakref.ref(wanted)
    runner.ask("late", lambda _token: 1, wanted.take, asker.failed, newest="late")
    del wanted, runner
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    gc.collect()
    assert kept() is None


def test_an_answer_or_its_fault_is_handed_over_once(qtbot: QtBot, runner: JobRunner) -> None:
    asker = Asker()
    got: list[int] = []
    faults: list[LeadlineError] = []
    ended: list[str] = []
    asker.failed.connect(faults.append)
    with qtbot.waitSignal(runner.idle):
        runner.ask("one", lambda _token: 1, got.append, asker.failed, done=lambda: ended.append(""))
    assert (got, faults, ended) == ([1], [], [""])

    def refuse(_token: CancelToken) -> int:
        raise LeadlineError("No answer.", "Ask again.")

    with qtbot.waitSignal(runner.idle):
        runner.ask("two", refuse, got.append, asker.failed, done=lambda: ended.append(""))
    assert (got, [str(each.sentence) for each in faults], ended) == ([1], ["No answer."], ["", ""])


def test_only_the_newest_answer_is_taken(qtbot: QtBot, runner: JobRunner) -> None:
    asker, let_go = Asker(), threading.Event()
    got: list[str] = []

    def slow(_token: CancelToken) -> str:
        assert let_go.wait(HANG_S)
        return "old"

    with qtbot.waitSignal(runner.idle):
        runner.ask("plan", slow, got.append, asker.failed, newest="plan")
        runner.ask("plan", lambda _token: "new", got.append, asker.failed, newest="plan")
        qtbot.waitUntil(lambda: got == ["new"])
        let_go.set()
    assert got == ["new"]
