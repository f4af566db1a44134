"""How to log in to a MySQL server, complete: the one value that carries a password."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass, field
from enum import Enum, auto

from probes.targets.address import TlsMode
from probes.targets.listener import Listener


class Protection(Enum):
    """What a connection demands of TLS.

    OFFERED: where the server can, whoever it is; UNVERIFIED: always, whoever it is; PINNED: the one
    certificate that was accepted; AUTHORITY: signed by a known one; IDENTITY: for this name, too.
    """

    NONE = auto()
    OFFERED = auto()
    UNVERIFIED = auto()
    PINNED = auto()
    AUTHORITY = auto()
    IDENTITY = auto()


_EVERYWHERE = {
    TlsMode.DISABLED: Protection.NONE,
    TlsMode.VERIFY_IDENTITY: Protection.IDENTITY,
    # Without an authority of one's own: the system's give a certificate to any name's owner.
    TlsMode.VERIFY_CA: Protection.IDENTITY,
}
"""Wishes that mean the same on every way."""


@dataclass(frozen=True, slots=True)
class ResolvedLogin:
    """An address and an account after option files, environment, keyring and prompts were asked.

    ``socket`` wins over ``host`` and ``port``; all are as the target sees them, and ``over_ssh``
    means that the target is behind SSH, or in a container (``contained``). ``found`` is a socket
    that nobody named, and ``listener`` who answered on a socket, None before it was asked.
    ``tls_ca_pem`` is the text of the authority's certificate, "" for the system's own.
    ``certificate`` is the fingerprint of the one certificate that was accepted for this server, ""
    where none was. Lives in memory alone.
    """

    socket: str = ""
    found: bool = False
    listener: Listener | None = None
    host: str = ""
    port: int = 3306
    user: str = ""
    password: str = field(default="", repr=False)
    tls: TlsMode = TlsMode.VERIFIED
    tls_ca_pem: str = ""
    certificate: str = ""
    over_ssh: bool = False
    contained: bool = False

    @property
    def protection(self) -> Protection:
        """What the person's wish means for this way to the server."""
        if self.tls is TlsMode.VERIFY_CA and self.tls_ca_pem:
            return Protection.AUTHORITY
        if self.tls in _EVERYWHERE:
            return _EVERYWHERE[self.tls]
        if self.socket:
            return Protection.NONE
        if self.tls is TlsMode.UNVERIFIED:
            return Protection.UNVERIFIED
        return self._default

    @property
    def _default(self) -> Protection:
        if self.certificate:
            return Protection.PINNED
        checked = self.tls_ca_pem or not is_loopback(self.host)
        return Protection.IDENTITY if checked else Protection.OFFERED

    @property
    def private(self) -> bool:
        """Whether the way leads nowhere but to the target's own server.

        That is a socket on which no other account could listen, or SSH to the target's loopback.
        """
        if self.socket:
            return self.listener is not None and self.listener.private
        return self.over_ssh and is_loopback(self.host)

    @property
    def proves_only(self) -> bool:
        """Whether the password may be proved to the server, but never given to it.

        So it is where nothing vouches for who the server is, and nobody said that this is accepted.
        """
        return not self.private and self.protection in (Protection.NONE, Protection.OFFERED)

    @property
    def sha2_only(self) -> bool:
        """Whether the password is given for caching_sha2_password's full authentication alone.

        So it is on a private socket that nobody named. MySQL itself asks so once after each of its
        starts; what else a server asks for the password by (PAM, a directory) wants it named.
        """
        return self.private and bool(self.socket) and self.found

    @property
    def may_pin(self) -> bool:
        """Whether a person may accept the server's certificate by its fingerprint."""
        plain = self.socket or self.tls_ca_pem or self.certificate
        return self.tls is TlsMode.VERIFIED and not plain

    def described(self, *, encrypted: bool) -> str:
        """How the connection is protected, in the words of inventories and reports."""
        if self.socket:
            return "unix socket"
        if not encrypted:
            kind = "no TLS"
        elif self.protection in (Protection.OFFERED, Protection.UNVERIFIED):
            kind = "TLS, not verified"
        elif self.protection is Protection.PINNED:
            kind = "TLS, certificate accepted by its fingerprint"
        else:
            kind = "TLS, verified"
        if not is_loopback(self.host):
            return kind
        way = "in the container" if self.contained else "over SSH" if self.over_ssh else "here"
        return f"loopback {way}, {kind}"


def is_loopback(host: str) -> bool:
    """Whether ``host`` is the machine itself, known without asking anybody who could lie.

    That is ``localhost`` and addresses of 127.0.0.0/8 and ::1; other names, and the machine's own
    addresses in a network, are not.
    """
    if host.lower() == "localhost":
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return (mapped or address).is_loopback
