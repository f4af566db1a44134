"""Passwords of a bench: typed for a target's first turn, offered in its next ones."""

from __future__ import annotations

from probes.targets.address import Prompts


class Offered:
    """The Prompts of one connection among several.

    ``known`` is shared by all of them, in memory alone: a password that was given before is offered
    once, and asked for anew where it is refused.
    """

    def __init__(self, prompts: Prompts, known: dict[str, str]) -> None:
        self._prompts, self._known = prompts, known
        self._offered: set[str] = set()

    def password(self, account: str, sentence: str) -> str | None:
        """What was given earlier for this account, once; else what the user says."""
        if account in self._known and account not in self._offered:
            self._offered.add(account)
            return self._known[account]
        answer = self._prompts.password(account, sentence)
        if answer is not None:
            self._offered.add(account)
            self._known[account] = answer
        return answer

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """As the user says."""
        return self._prompts.accept_host_key(host, key_type, fingerprint)

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """As the user says."""
        return self._prompts.accept_certificate(server, fingerprint)
