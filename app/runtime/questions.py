"""Questions from a job's thread to the person at the window, and the answers' way back."""

from __future__ import annotations

import queue
from dataclasses import dataclass, field
from typing import TypeVar

from PySide6.QtCore import QObject, Signal

from probes.cancel import CancelToken

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class PasswordQuestion:
    """A password is needed for ``account``; ``sentence`` says why. The answer is text, or None."""

    account: str
    sentence: str
    answers: queue.SimpleQueue[str | None] = field(default_factory=queue.SimpleQueue, repr=False)


@dataclass(frozen=True, slots=True)
class HostKeyQuestion:
    """An unknown host showed this key; the answer is whether to trust it."""

    host: str
    key_type: str
    fingerprint: str
    answers: queue.SimpleQueue[bool | None] = field(default_factory=queue.SimpleQueue, repr=False)


@dataclass(frozen=True, slots=True)
class CertificateQuestion:
    """An unknown MySQL server showed this certificate; the answer is whether to trust it."""

    server: str
    fingerprint: str
    answers: queue.SimpleQueue[bool | None] = field(default_factory=queue.SimpleQueue, repr=False)


class Desk(QObject):
    """Where questions of all jobs arrive, in the GUI thread.

    Whoever connects to ``asked(question)`` puts one answer into ``question.answers``.
    ``settled(question)`` says that the job waits no more: it was answered, or cancelled.
    Passwords are remembered until the program ends, in memory alone, unless they turn out wrong.
    """

    asked = Signal(object)
    settled = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.passwords: dict[str, str] = {}

    def prompts(self, token: CancelToken) -> JobPrompts:
        """The ``Prompts`` of one job; its waits end when ``token`` is raised."""
        return JobPrompts(self, token)


class JobPrompts:
    """The Prompts protocol for one job: blocks the job's thread until the person has answered."""

    def __init__(self, desk: Desk, token: CancelToken) -> None:
        self._desk = desk
        self._token = token
        self._offered: set[str] = set()

    def password(self, account: str, sentence: str) -> str | None:
        """What was typed earlier for this account, once; asked for again when that did not fit."""
        remembered = self._desk.passwords.get(account)
        if remembered is not None and account not in self._offered:
            self._offered.add(account)
            return remembered
        question = PasswordQuestion(account, sentence)
        answer = self._wait(question, question.answers)
        if answer is not None:
            self._offered.add(account)
            self._desk.passwords[account] = answer
        return answer

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Whether the person trusts this key."""
        question = HostKeyQuestion(host, key_type, fingerprint)
        return self._wait(question, question.answers) is True

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """Whether the person trusts this certificate."""
        question = CertificateQuestion(server, fingerprint)
        return self._wait(question, question.answers) is True

    def _wait(self, question: object, answers: queue.SimpleQueue[Answer | None]) -> Answer | None:
        forget = self._token.on_cancel(lambda: answers.put(None))
        try:
            self._desk.asked.emit(question)
            answer = answers.get()
        finally:
            forget()
            self._desk.settled.emit(question)
        self._token.check()
        return answer
