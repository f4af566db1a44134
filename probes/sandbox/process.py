"""Running a server program under the agent's guard, which outlives no listener."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import whole
from probes.cancel import CancelToken
from probes.errors import SandboxFailed
from probes.figures import seconds
from probes.sandbox.place import SandboxPlace
from probes.targets.target import Stream, Target

_STEP_S = 0.1
_ENDING_S = 15.0
_INITIALISE_LIMIT_S = 180.0
_LOG_LINES = 20
_LONGEST_EVENT_BYTES = 1 << 16
_SHOWN_LETTERS = 500
_MOST_PID = (1 << 31) - 1

_ALONE = -1
"""In place of an exit status: the guard was killed, and its program with it."""

_KILLED = {
    _ALONE: "was killed with its guard",
    128 + 6: "crashed (signal 6)",
    128 + 7: "crashed (signal 7)",
    128 + 9: "was killed (signal 9), as the kernel does where memory runs out",
    128 + 11: "crashed (signal 11)",
}
"""What exit statuses tell of an end that was not the program's own."""

_ERROR = re.compile(r"\[ERROR\] (?:\[[^\]]*\] )*(?!Aborting\b)(.+)")
"""MySQL puts a code and a subsystem in brackets before the words; MariaDB does not.

"Aborting" follows from what was written before it, and is no reason.
"""

_WARNING = re.compile(r"\[Warning\] (?:\[[^\]]*\] )*(.+)")
"""MySQL 5.6 refuses some values with no more than a warning before it ends."""

_ADVICE = "Another server program can be named in LEADLINE_MYSQLD."
_CONFINED = re.compile(r"(?i)(errcode|errno|error|error number):?\s*13\b|permission denied")
_ADVICE_CONFINED = (
    "The directory belongs to this account, so AppArmor or SELinux may confine this server program "
    "to its own directories: name a copy of it at another path in LEADLINE_MYSQLD."
)


class Guarded:
    """A server program that runs under a guard; ``pid`` is the program's own."""

    def __init__(self, stream: Stream, what: str, token: CancelToken) -> None:
        self._stream = stream
        self._what = what
        self._token = token
        self._ended = False
        self.pid = self._started()

    def check(self) -> None:
        """Let a moment pass.

        Raises SandboxFailed with the end of its log when it has ended, and Cancelled where that was
        asked for.
        """
        if (status := self._poll()) is not None:
            raise self._end("exited", status)

    def wait(self, limit_s: float, token: CancelToken) -> None:
        """Wait for its good end; raises SandboxFailed for any other, and Cancelled."""
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            token.check()
            status = self._poll()
            if status == 0:
                return
            if status is not None:
                raise self._end("failed", status)
        raise self.failure(f"{self._what} took longer than {seconds(limit_s)}.")

    def failure(self, sentence: str) -> SandboxFailed:
        """A fault with the last lines that the program wrote; ends it first."""
        lines = [line for line in self.finish().splitlines() if line.strip()]
        reason = _first_error(lines) or (lines[-1].strip() if lines else "")
        return self._fault(sentence, reason, lines)

    def _end(self, how: str, status: int) -> SandboxFailed:
        """The fault of an end of its own; what is killed has not said why with its last line."""
        killed = _KILLED.get(status)
        if killed is None:
            return self.failure(f"{self._what} {how}.")
        lines = [line for line in self.finish().splitlines() if line.strip()]
        return self._fault(f"{self._what} {killed}.", _first_error(lines), lines)

    def _fault(self, sentence: str, reason: str, lines: Sequence[str]) -> SandboxFailed:
        return SandboxFailed(
            f"{sentence} It said: {reason}" if reason else sentence,
            _ADVICE_CONFINED if _CONFINED.search("\n".join(lines)) else _ADVICE,
            "\n".join(lines[-_LOG_LINES:]),
        )

    def finish(self) -> str:
        """End the program and return its log; later calls do nothing and return ""."""
        if self._ended:
            return ""
        self._ended = True
        self._stream.close_input()
        return self._stream.finish(_ENDING_S).stderr.decode("utf-8", "replace")

    def _started(self) -> int:
        deadline = time.monotonic() + _ENDING_S
        while time.monotonic() < deadline:
            line = self._stream.read_line(_STEP_S)
            self._token.check()
            if line is None:
                break
            event = _event(line)
            if event.get("event") == "started":
                return self._figure(event, "pid")
            if event.get("event") == "error":
                message = shown(event.get("message"), _SHOWN_LETTERS)
                raise self.failure(f"{self._what} could not be started: {message}.")
        raise self.failure(f"{self._what} could not be started.")

    def _poll(self) -> int | None:
        """The exit status once the guard has reported it, _ALONE when it is gone; None before."""
        line = self._stream.read_line(_STEP_S)
        if line != b"":
            # A cancel ends the program, too: that is no fault of its own.
            self._token.check()
        if line is None:
            return _ALONE
        event = _event(line)
        if event.get("event") == "ended":
            return self._figure(event, "status")
        return 1 if event.get("event") == "error" else None

    def _figure(self, event: Mapping[str, object], name: str) -> int:
        try:
            return whole(event.get(name), name, 0, _MOST_PID)
        except Malformed as error:
            raise self.failure(
                f"{self._what} has a guard that said what can't be: {error}."
            ) from error


@contextmanager
def guarded(
    target: Target,
    place: SandboxPlace,
    command: Sequence[str],
    *,
    what: str,
    remove: bool,
    token: CancelToken,
) -> Iterator[Guarded]:
    """Run ``command`` on the target until the context is left or this program dies.

    With ``remove`` the guard then removes the place's directories. ``what`` names the program in
    messages. Raises SandboxFailed, AgentFailed, TargetError.
    """
    argv = [target.agent(), "guard", "--chdir", place.directory]
    if remove:
        argv += [word for directory in place.owned for word in ("--remove", directory)]
    with target.stream([*argv, "--", *command], token=token) as stream:
        running = Guarded(stream, what, token)
        try:
            yield running
        finally:
            running.finish()


def runs_as_root(target: Target) -> bool:
    """Whether commands of ours are root's there: a server then has to know it."""
    return target.run(["id", "-u"]).stdout.strip() == b"0"


def initialise(
    target: Target, place: SandboxPlace, command: Sequence[str], token: CancelToken
) -> None:
    """Run the making of a data directory to its end. Raises SandboxFailed, Cancelled."""
    what = "The making of a data directory"
    with guarded(target, place, command, what=what, remove=False, token=token) as running:
        running.wait(_INITIALISE_LIMIT_S, token)


def _event(line: bytes) -> dict[str, object]:
    try:
        return decode_object(line, _LONGEST_EVENT_BYTES)
    except Malformed:
        return {}


def _first_error(lines: Sequence[str]) -> str:
    """What the first error line says: later errors follow from the first.

    Where no error line has a reason, the last warning's; "" where there is neither.
    """
    errors = (match[1] for match in map(_ERROR.search, lines) if match)
    warnings = (match[1] for match in map(_WARNING.search, reversed(lines)) if match)
    return next(errors, "") or next(warnings, "")
