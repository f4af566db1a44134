"""The errors that Leadline expects, each with a sentence for its user.

    LeadlineError                  anything that a sentence can explain to a user
    ├── UsageError                 what was asked for makes no sense
    ├── TargetError                the target can't be used
    │   ├── TargetUnreachable      no route, refused, timed out
    │   ├── AuthenticationFailed   SSH refused the credentials
    │   ├── HostKeyRejected        host key changed, or unknown and not accepted
    │   ├── ConnectionLost         the connection was cut while in use
    │   └── CommandFailed          a command on the target ended badly
    ├── MySQLError                 the server can't be used
    │   ├── MySQLUnreachable
    │   ├── MySQLAccessDenied
    │   └── MySQLConnectionLost
    │       └── MySQLSilent        connected, and no answer comes
    ├── ProbeError                 a measurement can't be made
    │   ├── DirectoryUnusable      missing, read-only, not a directory
    │   ├── NotEnoughSpace         the free-space floor forbids the plan
    │   ├── EngineFailed           what measures died, stopped responding or spoke nonsense
    │   │   └── AgentFailed        Leadline's own agent did
    │   ├── SandboxFailed          the throwaway server did not start or work
    │   └── NothingMeasured        a run ended without one point that can be used
    ├── ImportRefused              a file can't be imported
    ├── GuardTripped               a safety limit ended the run
    ├── Cancelled                  the user ended the run
    └── StoreError                 the local database can't be used

Foreign exceptions (paramiko, PyMySQL, OSError, sqlite3) are translated where they arise.
"""

from __future__ import annotations

from probes.redaction import cleaned


class LeadlineError(Exception):
    """A fault of the surroundings, explained in one sentence.

    ``sentence`` says what is wrong, ``advice`` what to do about it (may be empty), ``details``
    holds what a log would; a secret in it is hidden, since others wrote most of it.
    """

    def __init__(self, sentence: str, advice: str = "", details: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.advice = advice
        self.details = cleaned(details)

    def __str__(self) -> str:
        return f"{self.sentence} {self.advice}".strip()


class UsageError(LeadlineError):
    """What was asked for makes no sense."""


class TargetError(LeadlineError):
    """The target can't be used."""


class TargetUnreachable(TargetError):
    """No route, connection refused, name unknown or timed out."""


class AuthenticationFailed(TargetError):
    """SSH refused every credential that was offered."""


class HostKeyRejected(TargetError):
    """The host key has changed, or is unknown and was not accepted."""


class ConnectionLost(TargetError):
    """The connection was cut while it was in use."""


class CommandFailed(TargetError):
    """A command on the target ended badly."""


class MySQLError(LeadlineError):
    """The MySQL server can't be used."""


class MySQLUnreachable(MySQLError):
    """Nothing answers as a MySQL server at the address."""


class CertificateRejected(MySQLUnreachable):
    """The server's certificate could not be verified, and nobody accepted it."""


class MySQLAccessDenied(MySQLError):
    """The server refused the account or a privilege is missing."""


class MySQLConnectionLost(MySQLError):
    """The server closed the connection while it was in use."""


class MySQLSilent(MySQLConnectionLost):
    """The server took a statement and gave no answer in time; the connection was given up."""


class ProbeError(LeadlineError):
    """A measurement can't be made."""


class DirectoryUnusable(ProbeError):
    """The directory is missing, read-only or no directory."""


class NotEnoughSpace(ProbeError):
    """The free-space floor forbids the plan's files."""


class EngineFailed(ProbeError):
    """What measures could not be started, died, stopped responding or spoke nonsense."""


class AgentFailed(EngineFailed):
    """The agent could not be started, died, or spoke nonsense."""


class SandboxFailed(ProbeError):
    """The throwaway server did not start or stopped working."""


class NothingMeasured(ProbeError):
    """A run ended without one point that can be used."""


class ImportRefused(LeadlineError):
    """The file is none that can be read, or what it says is no measurement."""


class GuardTripped(LeadlineError):
    """A safety limit ended the run."""


class Cancelled(LeadlineError):
    """The user ended the work."""

    def __init__(self, sentence: str = "Cancelled.") -> None:
        super().__init__(sentence)


class StoreError(LeadlineError):
    """The local database can't be used."""


class NoSuchRun(StoreError):
    """The local database has no run of that number."""
