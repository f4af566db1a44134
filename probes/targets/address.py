"""How a target is reached: values that can be saved, without any secret."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class TargetKind(StrEnum):
    """The four ways to reach a server; TEXTS: it is known from texts alone."""

    LOCAL = "local"
    SSH = "ssh"
    CONTAINER = "container"
    MYSQL = "mysql"
    TEXTS = "texts"


class TlsMode(StrEnum):
    """What a person says of TLS to a MySQL server.

    VERIFIED, the default: over TCP the server's certificate is verified, with its name, or was
    accepted by its fingerprint; a socket, and loopback as far as no password is at stake, need
    none. VERIFY_CA leaves the name out where a file of the authority is named, VERIFY_IDENTITY
    insists on it everywhere. With UNVERIFIED any certificate will do, with DISABLED there is none.
    """

    VERIFIED = "verified"
    VERIFY_CA = "verify_ca"
    VERIFY_IDENTITY = "verify_identity"
    UNVERIFIED = "unverified"
    DISABLED = "disabled"

    @classmethod
    def _missing_(cls, value: object) -> TlsMode | None:
        """Read MySQL's words for TLS without verification, also of older stores, as the default."""
        return cls.VERIFIED if value in ("preferred", "required") else None


@dataclass(frozen=True, slots=True)
class SshAddress:
    """An SSH server; empty fields are filled from ``~/.ssh/config`` and its defaults."""

    host: str
    port: int | None = None
    user: str = ""
    identity_file: str = ""

    @property
    def place(self) -> str:
        """``root@db7:2222``, without what is left open."""
        user = f"{self.user}@" if self.user else ""
        port = f":{self.port}" if self.port else ""
        return f"{user}{self.host}{port}"


class ContainerEngine(StrEnum):
    """The program that runs commands in a container; each is the scheme of an address."""

    DOCKER = "docker"
    PODMAN = "podman"
    KUBECTL = "kubectl"


@dataclass(frozen=True, slots=True)
class ContainerAddress:
    """A container by its name, or a pod in its ``namespace``.

    ``container`` names one of a pod's containers; "" leaves the choice to the pod. ``namespace``
    and ``container`` are "" for docker and podman.
    """

    engine: ContainerEngine
    name: str
    namespace: str = ""
    container: str = ""

    @property
    def path(self) -> str:
        """What follows ``//`` in the address: ``NAME``, or ``namespace/pod[/container]``."""
        return "/".join(part for part in (self.namespace, self.name, self.container) if part)


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
    tls: TlsMode = TlsMode.VERIFIED
    tls_ca_file: str = ""


@dataclass(frozen=True, slots=True)
class StatedMachine:
    """What a person says of a server's machine that can't be asked.

    ``memory_bytes`` 0 and ``machine_class`` "" say nothing; a class is a provider's name for a
    size ("db.r6g.2xlarge"). ``volume_requests_per_s`` and ``volume_bytes_per_s`` are what its
    volume was bought with, ``cpus`` how many processors it has, 0 where nobody said it.
    """

    memory_bytes: int = 0
    machine_class: str = ""
    volume_requests_per_s: int = 0
    volume_bytes_per_s: int = 0
    cpus: int = 0


@dataclass(frozen=True, slots=True)
class TargetSpec:
    """A target as the user named it. ``mysql`` is None when only the machine is looked at.

    ``kind`` MYSQL means that the server's machine can't be reached: probes run from this computer.
    ``kind`` CONTAINER has a ``container``, whose engine is on this computer, or behind ``ssh``.
    ``directory`` is where storage probes write; "" lets the plan choose. ``told`` is for the kinds
    MYSQL and TEXTS alone. ``sudo``: where the account is not root, what looks at the server is run
    by ``sudo -n``, so that the kernel may trace its work; of a container, its engine is.
    """

    kind: TargetKind = TargetKind.LOCAL
    name: str = "local"
    ssh: SshAddress | None = None
    mysql: MySQLAddress | None = None
    directory: str = ""
    told: StatedMachine | None = None
    sudo: bool = False
    container: ContainerAddress | None = None

    @property
    def has_address(self) -> bool:
        """Whether anybody knows how to reach it: of texts and of a file's server nobody does."""
        address = {
            TargetKind.SSH: self.ssh,
            TargetKind.MYSQL: self.mysql,
            TargetKind.CONTAINER: self.container,
            TargetKind.TEXTS: None,
        }
        return self.kind not in address or address[self.kind] is not None

    @property
    def agent_by_sudo(self) -> bool:
        """Whether the agent itself may be run by ``sudo -n``: no container has that."""
        return self.sudo and self.kind is not TargetKind.CONTAINER


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

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """Whether the user trusts this certificate of a MySQL server; a yes is remembered.

        ``server`` is "db7:3306" or "db8:3306 on root@db7:22", ``fingerprint`` the certificate's
        SHA-256 as pairs of hexadecimal digits with colons between.
        """
