"""Questions that only a person at the terminal can answer."""

from __future__ import annotations

import getpass
import shlex
import sys

from app.cli.interrupts import Interrupts
from app.cli.shown.terminal import messages
from probes.errors import (
    AuthenticationFailed,
    Cancelled,
    HostKeyRejected,
    LeadlineError,
    MySQLAccessDenied,
)

ELSEWHERE = {
    "ssh": "load the key into an SSH agent",
    "mysql": "name an option file (--mysql defaults-file=PATH), or set LEADLINE_MYSQL_PASSWORD",
}
"""Where a password may be found instead, by the first word of the account."""


class TerminalPrompts:
    """The Prompts protocol at a terminal; without one, every question is a fault with advice."""

    def __init__(self, interrupts: Interrupts) -> None:
        self._interrupts = interrupts

    def password(self, account: str, sentence: str) -> str | None:
        """Ask without showing what is typed; an empty line declines."""
        if not _has_terminal():
            raise _unanswered(account, sentence)
        if sentence:
            messages().print(sentence, soft_wrap=True)
        try:
            with self._interrupts.asking():
                return getpass.getpass(f"Password for {account}: ") or None
        except (KeyboardInterrupt, EOFError):
            raise Cancelled from None

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Show an unknown host's key and ask; anything but a yes declines."""
        console = messages()
        if not _has_terminal():
            raise HostKeyRejected(
                f"The host key of {host} is not known here ({key_type} {fingerprint}).",
                "Connect once with ssh, or start Leadline in a terminal, and compare the"
                " fingerprint with the server's.",
            )
        console.print(f"{host} is not known yet. It shows this {key_type} key:", soft_wrap=True)
        return self._trusted(
            fingerprint, "Compare it with the fingerprint that the server's owner gave you.", "key"
        )

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """Show an unknown MySQL server's certificate and ask; without a terminal, decline."""
        if not _has_terminal():
            return False
        console = messages()
        console.print(
            f"The MySQL server {server} is not known yet. The SHA-256 of its certificate is:",
            soft_wrap=True,
        )
        return self._trusted(
            fingerprint,
            "Compare it with the server's own: openssl x509 -noout -sha256 -fingerprint"
            " -in server-cert.pem",
            "certificate",
        )

    def _trusted(self, fingerprint: str, compare: str, kind: str) -> bool:
        console = messages()
        console.print(f"  {fingerprint}", style="bold", soft_wrap=True)
        console.print(compare, soft_wrap=True)
        try:
            with self._interrupts.asking():
                console.print(f"Trust this {kind} and remember it? [y/N] ", end="")
                return sys.stdin.readline().strip().lower() in ("y", "yes")
        except KeyboardInterrupt:
            raise Cancelled from None


def _unanswered(account: str, sentence: str) -> LeadlineError:
    protocol = account.partition(" ")[0]
    kind = AuthenticationFailed if protocol == "ssh" else MySQLAccessDenied
    elsewhere = f", or {ELSEWHERE[protocol]}" if protocol in ELSEWHERE else ""
    return kind(
        f"{sentence} There is no terminal to ask for the password of {account}.".strip(),
        "Start Leadline in a terminal, or keep the password in the system's keyring"
        f" (`keyring set leadline {shlex.quote(account)}`){elsewhere}.",
    )


def _has_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty() and sys.stderr.isatty()
