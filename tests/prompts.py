"""Whoever answers the questions of a connection: by plan, or nobody."""

from __future__ import annotations

import threading


class Answers:
    """Gives the next of ``passwords``, declines when there is none; trusts as ``trust`` says.

    Keeps what it was asked, and in which threads.
    """

    def __init__(self, *passwords: str | None, trust: bool = False) -> None:
        self.passwords = list(passwords)
        self.trust = trust
        self.asked: list[tuple[str, str]] = []
        self.host_keys: list[tuple[str, str, str]] = []
        self.certificates: list[tuple[str, str]] = []
        self.threads: set[threading.Thread] = set()

    def password(self, account: str, sentence: str) -> str | None:
        """The next password."""
        self.threads.add(threading.current_thread())
        self.asked.append((account, sentence))
        return self.passwords.pop(0) if self.passwords else None

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Whether ``trust`` is set."""
        self.threads.add(threading.current_thread())
        self.host_keys.append((host, key_type, fingerprint))
        return self.trust

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """Whether ``trust`` is set."""
        self.threads.add(threading.current_thread())
        self.certificates.append((server, fingerprint))
        return self.trust


class Unasked:
    """For connections that ask nothing: a question fails the test."""

    def password(self, account: str, sentence: str) -> str | None:
        """Fail."""
        raise AssertionError(f"asked for a password of {account}: {sentence}")

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Fail."""
        raise AssertionError(f"asked about {key_type} {fingerprint} of {host}")

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """Fail."""
        raise AssertionError(f"asked about the certificate {fingerprint} of {server}")
