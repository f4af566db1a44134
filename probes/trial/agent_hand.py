"""Setting values by the agent on the server's machine, which holds the way back there."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from typing import NoReturn

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed, shown
from probes.cancel import CancelToken
from probes.engines.agent.plan import PROTOCOL, mysql_part
from probes.errors import ConnectionLost, LeadlineError
from probes.mysql.connection import MySQLSession
from probes.mysql.work import MySQLWork
from probes.targets.target import LINE_LIMIT_BYTES, Stream, Target
from probes.trial.counters import Sources
from probes.trial.ended import (
    Break,
    GuardLimit,
    LimitPassed,
    SteppedAside,
    TrialBroken,
    limit_passed,
    set_by_others,
)
from probes.trial.guard import GuardBeat, GuardLimits, MachineRoom
from probes.trial.hand import SILENCE_S, refused
from probes.trial.session_hand import STEP_LIMIT_S
from probes.trial.settings import Side, TriedSetting, in_steps

READY_S = 45.0
"""How long the agent may take to log in three times, and to start its second process."""

ANSWER_S = 20.0
"""How long the server may take over the statements of one switch, and the way back."""

_POLL_S = 0.25
_AT_ONCE_S = 0.001
_MOST_AT_ONCE = 1000
_BEAT_S = 1.0
_LETTERS = 400


class AgentHand:
    """The agent that sets values; see ``Hand``. Belongs to the thread that started it."""

    def __init__(self, stream: Stream, where: str, settings: tuple[TriedSetting, ...]) -> None:
        self._stream = stream
        self._where = where
        self._settings = settings
        self._sent_s = 0.0
        self._passed: LimitPassed | None = None
        self._aside: LimitPassed | None = None
        self._over_old: LimitPassed | None = None
        self._fault: TrialBroken | None = None
        self._answer_s = STEP_LIMIT_S + ANSWER_S if in_steps(settings) else ANSWER_S
        self._limits = GuardLimits()
        self.room: MachineRoom | None = None
        self.beat: GuardBeat | None = None
        self.ended = False

    def ready(self) -> None:
        """Wait until the way back stands. Raises AgentFailed and MySQLError."""
        event = self._until("ready", READY_S)
        names = ("memory_bytes", "available_bytes", "volume_bytes", "free_bytes")
        self.room = MachineRoom(*(_figure(event, name) for name in names))

    def set(self, side: Side, step: int = 0) -> None:
        """Set that side's values, and see that the server has them."""
        self._over_old = None
        self._send({"do": "set", "to": side.value, "step": step})
        event = self._until("set", self._answer_s)
        if self._aside is not None:
            self._step_aside(self._aside, event)

    def allow(self, limits: GuardLimits, *, aside: bool = False) -> None:
        """What the server may come to from now on."""
        self._limits = limits
        self._send({"do": "limits", "aside": aside} | asdict(limits))

    def over_old(self) -> LimitPassed | None:
        """A limit that the server has passed with the old values since these were last set."""
        return self._over_old

    def look(self) -> None:
        """Hear what the agent's guard has seen, and show that somebody is there."""
        self._beat()
        for _ in range(_MOST_AT_ONCE):
            if self._hear(_AT_ONCE_S) is None:
                break
            if self._aside is not None:
                self._step_aside(self._aside, self._until("set", self._answer_s))

    def _step_aside(self, passed: LimitPassed, event: dict[str, object]) -> NoReturn:
        """It has set the old values, as ``event`` answers, and waits for leave to go on."""
        self._aside, self._passed, self._over_old = None, None, None
        self._send({"do": "go_on"})
        raise SteppedAside(passed, _figure(event, "took_ms"))

    def keep(self) -> None:
        """Leave the new values; nothing goes back after it."""
        self._send({"do": "keep"})
        self._until("kept", self._answer_s)
        self.ended = True

    def back(self) -> float:
        """Set the old values for good; returns how long that took, in milliseconds."""
        if self.ended:
            return 0.0
        self._send({"do": "back"})
        return float(self._until("back", self._answer_s)["took_ms"])  # type: ignore[arg-type]

    def _beat(self) -> None:
        if time.monotonic() - self._sent_s > _BEAT_S:
            self._send({"do": "beat"})

    def _send(self, words: dict[str, object]) -> None:
        self._sent_s = time.monotonic()
        try:
            self._stream.send(json.dumps(words).encode() + b"\n")
        except ConnectionLost:
            # Why it has ended, it may have reported: that is heard next.
            return

    def _until(self, name: str, limit_s: float) -> dict[str, object]:
        deadline = time.monotonic() + limit_s
        while time.monotonic() < deadline:
            self._beat()
            event = self._hear(_POLL_S)
            if event is not None and event["event"] == name:
                return event
        raise self._lost(f"has not answered within {limit_s:.0f} s")

    def _hear(self, timeout_s: float) -> dict[str, object] | None:
        """The next event but what only says that it lives; None where none came in time."""
        line = self._stream.read_line(timeout_s)
        if line is None:
            raise self._lost("has ended")
        if not line:
            return None
        try:
            event = decode_object(line, LINE_LIMIT_BYTES)
        except Malformed as error:
            raise self._lost(f"reports what can't be: {error}") from error
        match str(event.get("event")):
            case "beat":
                self.beat = GuardBeat(_seen(event), self._limits)
            case "limit":
                self._passed = _passed(event)
                self._aside = self._passed if event.get("aside") is True else None
            case "over_old":
                self._over_old = _passed(event)
            case "error":
                self._fault = self._error(event)
            case "back":
                self.ended = True
                self._returned(event)
        return event | {"event": str(event.get("event"))}

    def _returned(self, event: dict[str, object]) -> None:
        """It has gone back: on its own, or as it was asked to."""
        took_ms = _figure(event, "took_ms")
        theirs = event.get("foreign")
        if isinstance(theirs, dict) and theirs:
            raise set_by_others({str(name): str(value) for name, value in theirs.items()})
        if event.get("fault"):
            message = shown(event.get("message"), _LETTERS)
            raise TrialBroken(
                Break.LOST,
                f"The agent on {self._where} could not set the old values: {message}.",
                "`leadline try --mend` sets them as soon as the server answers.",
                detail=message,
                stays=tuple(each.name for each in self._settings if each.new),
            )
        if self._passed is not None:
            raise limit_passed(self._passed, took_ms)
        if self._fault is not None:
            raise self._fault
        if event.get("because") != "asked":
            raise self._lost(f"has set the old values ({shown(event.get('because'), _LETTERS)})")

    def _error(self, event: dict[str, object]) -> TrialBroken:
        code, message = str(event.get("code")), shown(event.get("message"), _LETTERS)
        match code:
            case "refused":
                name, _, answer = str(event.get("message")).partition(": ")
                return refused(name, shown(answer, _LETTERS))
            case "changed":
                return TrialBroken(
                    Break.CHANGED,
                    f"The server did not take the value as it was given: {message}.",
                    "It may have rounded or cut it.",
                    detail=message,
                )
        return TrialBroken(
            Break.LOST,
            f"The agent on {self._where} can't go on: {message}.",
            "Try again.",
            detail=message,
        )

    def _lost(self, why: str) -> TrialBroken:
        self.ended = True
        if self._fault is not None:
            return self._fault
        sentence = f"The agent on {self._where} {why}"
        return TrialBroken(Break.LOST, f"{sentence}.", "Try again.", detail=sentence)


@contextmanager
def agent_hand(
    target: Target,
    asking: MySQLSession,
    settings: tuple[TriedSetting, ...],
    sources: Sources,
    lock: str,
    *,
    directories: tuple[str, ...] = (),
) -> Iterator[AgentHand]:
    """Start the agent on the server's machine; leaving the context has it go back.

    ``directories`` are the server's: its guard sees that their volumes keep room.
    Raises AgentFailed where none runs there, TrialBroken, MySQLError and TargetError.
    """
    plan = {
        "protocol": PROTOCOL,
        "mysql": mysql_part(MySQLWork(asking.login, "", {})),
        "settings": [
            {
                "name": each.name,
                "old": each.old,
                "new": each.new,
                "number": each.number,
                "path": each.path,
            }
            for each in settings
        ],
        "lock": lock,
        "silence_s": SILENCE_S,
        "statements": sources.statements_sql,
        "standby": sources.standby,
        "directories": directories,
    }
    # A person's Ctrl-C must not end the agent before it was asked to go back.
    with target.stream([target.agent(), "trial"], token=CancelToken()) as stream:
        stream.send(json.dumps(plan, ensure_ascii=False).encode() + b"\n")
        hand = AgentHand(stream, target.name, settings)
        hand.ready()
        try:
            yield hand
        finally:
            if not hand.ended:
                with suppress(LeadlineError):
                    hand.back()


def _figure(event: dict[str, object], name: str) -> float:
    value = event.get(name)
    good = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
    return float(value) if good else 0.0  # type: ignore[arg-type]


def _seen(event: dict[str, object]) -> dict[GuardLimit, float]:
    """The figures of a beat; one that it lacks is not known."""
    known = (limit for limit in GuardLimit if limit.figure in event)
    return {limit: _figure(event, limit.figure) for limit in known}


def _passed(event: dict[str, object]) -> LimitPassed | None:
    try:
        limit = GuardLimit(str(event.get("limit")))
    except ValueError:
        return None
    return LimitPassed(limit, _figure(event, "seen"), _figure(event, "most"))
