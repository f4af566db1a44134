"""Prompts that answer by plan and keep what they were asked."""

from __future__ import annotations

import threading


class Answers:
    """Gives the next of ``passwords``, declines when there is none; trusts keys if told to."""

    def __init__(self, *passwords: str | None, trust: bool = False) -> None:
        self._passwords = list(passwords)
        self._trust = trust
        self.asked: list[tuple[str, str]] = []
        self.shown: list[tuple[str, str, str]] = []
        self.threads: set[threading.Thread] = set()

    def password(self, account: str, sentence: str) -> str | None:
        """The next password."""
        self.threads.add(threading.current_thread())
        self.asked.append((account, sentence))
        return self._passwords.pop(0) if self._passwords else None

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Whether ``trust`` was given."""
        self.threads.add(threading.current_thread())
        self.shown.append((host, key_type, fingerprint))
        return self._trust
