"""The one file that knows threads: runs use cases beside the window's event loop.

A job drains a generator in a thread of its own. Its signals arrive in the GUI thread, so slots may
touch widgets. Make, connect, start: what is emitted before anybody has connected would be lost.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import TypeVar

from PySide6.QtCore import QObject, Signal, SignalInstance

from app.runtime.gui_gc import of_glibc
from probes.cancel import CancelToken, closable
from probes.errors import Cancelled, LeadlineError, UsageError

log = logging.getLogger(__name__)

Work = Callable[[CancelToken], Iterator[object]]
Answer = TypeVar("Answer")


def once(call: Callable[[CancelToken], object]) -> Work:
    """Work that reports one thing: what ``call`` returns."""

    def work(token: CancelToken) -> Iterator[object]:
        yield call(token)

    return work


class Job(QObject):
    """One piece of work in a thread; every signal arrives in the thread that made the job.

    Signals: ``reported(event)`` for each thing that the work yields, in their order; then exactly
    one of ``succeeded()``, ``cancelled()`` and ``failed(LeadlineError)``; at last ``done()``.
    """

    reported = Signal(object)
    succeeded = Signal()
    cancelled = Signal()
    failed = Signal(LeadlineError)
    done = Signal()

    def __init__(self, name: str, work: Work, *, lane: str = "") -> None:
        """``lane`` names what only one job may use at a time ("" for none)."""
        super().__init__()
        self.name = name
        self.lane = lane
        self.token = CancelToken()
        self._work = work

    def cancel(self) -> None:
        """Ask the work to stop; it says ``cancelled`` when it has."""
        self.token.cancel()

    def execute(self) -> None:
        """Drain the work; called by the runner, in the job's thread."""
        try:
            with closing(closable(self._work(self.token))) as events:
                for event in events:
                    self.reported.emit(event)
        except Cancelled:
            self.cancelled.emit()
        except LeadlineError as error:
            self.failed.emit(error)
        except Exception as error:  # noqa: BLE001 - the job's edge
            fault = _unexpected(error)
            # Not the exception itself: the details are without the secrets that it may hold.
            log.error("job %s failed\n%s", self.name, fault.details)  # noqa: TRY400
            self.failed.emit(fault)
        else:
            self.succeeded.emit()


class JobRunner(QObject):
    """Starts jobs and ends them; lives in the GUI thread.

    Signals: ``freed(lane)`` when the job in a lane is done; ``idle()`` when the last one is.
    """

    freed = Signal(str)
    idle = Signal()

    def __init__(self) -> None:
        super().__init__()
        _share_memory()
        self._running: dict[Job, threading.Thread] = {}
        self._newest: dict[object, Job] = {}
        self._closed = False

    def start(self, job: Job) -> None:
        """Run ``job`` in a thread; raises UsageError when its lane is taken.

        After ``cancel_all`` nothing starts any more, and nothing is said: nobody would hear it.
        """
        if self._closed:
            # Whoever asked holds it by its connections alone, which nothing else would end.
            job.deleteLater()
            return
        if job.lane and self.busy(job.lane):
            raise UsageError(
                "This target is being measured already.",
                "Wait for the run to end, or cancel it: two runs would measure each other.",
            )
        job.done.connect(self._forget)
        # A daemon, so that a thread stuck in a dead connection can't keep the program from ending.
        thread = threading.Thread(target=_run, args=(job,), name=job.name, daemon=True)
        self._running[job] = thread
        thread.start()

    def ask(
        self,
        name: str,
        call: Callable[[CancelToken], Answer],
        take: Callable[[Answer], None],
        failed: SignalInstance,
        *,
        newest: object = None,
        done: Callable[[], None] | None = None,
    ) -> None:
        """Work out one answer in a job: ``take`` gets it, ``failed`` what kept it from coming.

        With ``newest``, an answer is dropped when another was asked for under that key meanwhile.
        ``done`` is called at the end, whatever came of it.
        """
        job = Job(name, once(call))
        if newest is not None:
            self._newest[newest] = job

        def answered(answer: Answer) -> None:
            if newest is None or self._newest.get(newest) is job:
                take(answer)

        def ended() -> None:
            if self._newest.get(newest) is job:
                del self._newest[newest]
            if done is not None:
                done()

        job.reported.connect(answered)
        job.failed.connect(failed)
        job.done.connect(ended)
        self.start(job)

    def busy(self, lane: str) -> bool:
        """Whether a job runs in ``lane``."""
        return any(job.lane == lane for job in self._running)

    @property
    def running(self) -> int:
        """How many jobs have not said ``done`` yet."""
        return len(self._running)

    def cancel_all(self) -> None:
        """Take no more jobs and ask every running one to stop; ``idle`` says when they have."""
        self._closed = True
        for job in list(self._running):
            job.cancel()

    def _forget(self) -> None:
        job = self.sender()
        if isinstance(job, Job):
            # Ends within microseconds; then nothing in that thread refers to the job any more.
            self._running.pop(job).join()
            # Slots that know their job would keep each other, and all that it was asked with.
            job.deleteLater()
            if job.lane:
                self.freed.emit(job.lane)
        if not self._running:
            self.idle.emit()


_M_ARENA_MAX = -8
"""glibc's name for it in ``malloc.h``."""


def _share_memory() -> None:
    """Have all threads take memory from one arena, where glibc would give jobs up to eight more.

    Each keeps for itself what its job has freed: some megabytes that nothing else can use. Arenas
    of their own are for threads that allocate at one time, which Python's hardly ever do: one of
    them has the interpreter.
    """
    # Other libraries than glibc have one arena.
    set_option = of_glibc("mallopt")
    if set_option is not None:
        set_option(_M_ARENA_MAX, 1)


def _run(job: Job) -> None:
    try:
        job.execute()
    finally:
        job.done.emit()


def _unexpected(error: Exception) -> LeadlineError:
    """Our own fault, as something a person can report."""
    import traceback  # noqa: PLC0415  (only a crash needs it)

    return LeadlineError(
        "Internal error in Leadline.",
        "What was measured so far is kept. Copy the details into a bug report.",
        "".join(traceback.format_exception(error)),
    )
