"""Which MySQL is this: flavour first, then version."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum


class Flavour(StrEnum):
    """The server family; versions of different families are never compared."""

    MYSQL = "mysql"
    MARIADB = "mariadb"


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """A parsed ``@@version``; ``text`` keeps what the server said.

    ``vendor`` is the distributor of a MySQL build ("Percona", "" when it does not say).
    """

    flavour: Flavour
    numbers: tuple[int, int, int]
    text: str
    vendor: str = ""

    @classmethod
    def parse(cls, version: str, comment: str = "") -> ServerVersion:
        """Read ``@@version`` and ``@@version_comment``.

        Raises ValueError when ``version`` does not start with a dotted number.
        """
        # MariaDB 10 and 11 prefix 5.5.5- in the handshake so that old replicas accept them.
        text = version.removeprefix("5.5.5-") if "mariadb" in version.lower() else version
        match = re.match(r"(\d+)\.(\d+)(?:\.(\d+))?", text)
        if match is None:
            raise ValueError(f"not a server version: {version!r}")
        numbers = (int(match[1]), int(match[2]), int(match[3] or 0))
        both = f"{version} {comment}".lower()
        flavour = Flavour.MARIADB if "mariadb" in both else Flavour.MYSQL
        vendor = "Percona" if "percona" in both else ""
        return cls(flavour, numbers, version, vendor)

    def at_least(self, flavour: Flavour, *numbers: int) -> bool:
        """Whether this is ``flavour`` at ``numbers`` or newer; another flavour is never newer."""
        return self.flavour is flavour and self.numbers >= (*numbers, 0, 0)[:3]

    def before(self, flavour: Flavour, *numbers: int) -> bool:
        """Whether this is ``flavour`` and older than ``numbers``."""
        return self.flavour is flavour and self.numbers < (*numbers, 0, 0)[:3]

    @property
    def is_mysql(self) -> bool:
        """Oracle's MySQL or a build of it."""
        return self.flavour is Flavour.MYSQL

    @property
    def is_mariadb(self) -> bool:
        """MariaDB."""
        return self.flavour is Flavour.MARIADB

    def __str__(self) -> str:
        family = {"mysql": self.vendor or "MySQL", "mariadb": "MariaDB"}[self.flavour]
        return f"{family} {'.'.join(map(str, self.numbers))}"
