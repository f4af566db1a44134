"""How a target is reached: values that can be saved, without any secret."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class TargetKind(StrEnum):
    """The three ways to reach a server."""

    LOCAL = "local"
    SSH = "ssh"
    MYSQL = "mysql"


class TlsMode(StrEnum):
    """How a MySQL connection is protected; the words of MySQL's ``--ssl-mode``."""

    DISABLED = "disabled"
    PREFERRED = "preferred"
    REQUIRED = "required"
    VERIFY_CA = "verify_ca"
    VERIFY_IDENTITY = "verify_identity"


@dataclass(frozen=True, slots=True)
class SshAddress:
    """An SSH server; empty fields are filled from ``~/.ssh/config`` and its defaults."""

    host: str
    port: int | None = None
    user: str = ""
    identity_file: str = ""


@dataclass(frozen=True, slots=True)
class MySQLAddress:
    """A MySQL server as seen from the target; the password is asked for, or found, never kept here.

    ``socket`` wins over ``host`` and ``port``. ``defaults_file`` is an option file on this computer
    that is read instead of ``~/.my.cnf``.
    """

    host: str = ""
    port: int = 3306
    socket: str = ""
    user: str = ""
    defaults_file: str = ""
    tls: TlsMode = TlsMode.PREFERRED
    tls_ca_file: str = ""


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """A target as the user named it. ``mysql`` is None when only the machine is looked at.

    ``kind`` MYSQL means that the server's machine can't be reached: probes run from this computer.
    ``directory`` is where storage probes write; "" lets the plan choose.
    """

    kind: TargetKind = TargetKind.LOCAL
    name: str = "local"
    ssh: SshAddress | None = None
    mysql: MySQLAddress | None = None
    directory: str = ""


class Prompts(Protocol):
    """How a front answers what only its user knows; called in the job's thread, may block.

    Each returns None when the user declines.
    """

    def password(self, account: str, sentence: str) -> str | None:
        """A password for ``account`` ("ssh root@db7", "mysql app@db7").

        ``sentence`` says why it is asked.
        """

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """Whether the user trusts this host key (SHA256:... fingerprint); a yes is remembered."""
