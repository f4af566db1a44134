"""How to log in to a MySQL server, complete: the one value that carries a password."""

from __future__ import annotations

from dataclasses import dataclass, field

from probes.targets.address import TlsMode


@dataclass(frozen=True, slots=True)
class ResolvedLogin:
    """An address and an account after option files, environment, keyring and prompts were asked.

    ``socket`` wins over ``host`` and ``port``; both are as the target sees them. ``tls_ca_pem`` is
    the text of the authority's certificate, "" for the system's own. Lives in memory alone.
    """

    socket: str = ""
    host: str = ""
    port: int = 3306
    user: str = ""
    password: str = field(default="", repr=False)
    tls: TlsMode = TlsMode.PREFERRED
    tls_ca_pem: str = ""
