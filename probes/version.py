"""Which MySQL is this: flavour first, then version."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from enum import StrEnum


class Flavour(StrEnum):
    """The server family; versions of different families are never compared."""

    MYSQL = "mysql"
    MARIADB = "mariadb"
    UNKNOWN = "unknown"


_SPEAK_MYSQL_ONLY = (
    "tidb",
    "oceanbase",
    "memsql",
    "singlestore",
    "vitess",
    "dolt",
    "starrocks",
    "doris",
    "clickhouse",
    "proxysql",
)
"""Products that speak MySQL's protocol and give a MySQL version, but are no InnoDB."""

_CALENDAR = 26
"""MySQL's first number that is a year: 26.7 came after 9.7 in July 2026."""

_ONE_FAMILY_HAS = (
    (Flavour.MARIADB, frozenset({"aria_pagecache_buffer_size", "gtid_domain_id"})),
    (Flavour.MYSQL, frozenset({"gtid_executed", "server_uuid"})),
)
"""Variables that one family alone has: MariaDB since 5.1 and 10.0, MySQL since 5.6."""

_NUMBERS = re.compile(
    r"(?:5\.5\.5-(?=\d))?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,9})(?!\d))?(?!\d|\.\d{10})"
)
"""What has more digits is no version."""

_VENDORS = (("percona", "Percona"), ("aurora", "Aurora"), ("azure", "Azure"), ("google", "Google"))


_FAMILIES = {
    "": "MySQL",
    "Amazon RDS": "Amazon RDS for MySQL",
    "Aurora": "Aurora MySQL",
    "Azure": "Azure Database for MySQL",
    "Google": "Cloud SQL for MySQL",
}
"""What a server is called, by vendor, where that is not the vendor's name alone."""


@dataclass(frozen=True, slots=True)
class ServerVersion:
    """A parsed ``@@version``; ``text`` keeps what the server said.

    ``vendor`` is the distributor of a MySQL build ("Percona", "Aurora"; "" when it does not say).
    """

    flavour: Flavour
    numbers: tuple[int, int, int]
    text: str
    vendor: str = ""

    @classmethod
    def parse(
        cls, version: str, comment: str = "", variables: Collection[str] = ()
    ) -> ServerVersion:
        """Read ``@@version`` and ``@@version_comment``; never fails.

        ``variables`` are the names of those that the server has: own builds and services leave the
        family out of both texts. What belongs to neither family, or is no version at all, has the
        flavour UNKNOWN: it is neither newer nor older than anything. Missing numbers are 0.
        """
        # MariaDB before 11 prefixes 5.5.5- in the handshake so that old replicas accept it.
        match = _NUMBERS.match(version)
        if match is None:
            return cls(Flavour.UNKNOWN, (0, 0, 0), version)
        numbers = (int(match[1]), int(match[2]), int(match[3] or 0))
        both = f"{version} {comment}".lower()
        flavour = _flavour(numbers[0], both, variables)
        vendors = (name for word, name in _VENDORS if word in both)
        return cls(flavour, numbers, version, next(vendors, "") if flavour is Flavour.MYSQL else "")

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

    @property
    def is_known(self) -> bool:
        """Whether the family is one whose settings Leadline knows."""
        return self.flavour is not Flavour.UNKNOWN

    def __str__(self) -> str:
        if not self.is_known:
            return f"unknown server {self.text}".strip()
        return f"{self._family} {dotted(self.numbers)}"

    @property
    def _family(self) -> str:
        """What it is called, with who runs it."""
        if self.is_mariadb:
            return f"{self.vendor} for MariaDB" if self.vendor else "MariaDB"
        return _FAMILIES.get(self.vendor) or self.vendor


def dotted(numbers: tuple[int, ...]) -> str:
    """Numbers of a version as they are written: ``8.0.36``."""
    return ".".join(map(str, numbers))


def _flavour(major: int, text: str, variables: Collection[str]) -> Flavour:
    if "mariadb" in text:
        return Flavour.MARIADB
    if any(product in text for product in _SPEAK_MYSQL_ONLY):
        return Flavour.UNKNOWN
    for flavour, own in _ONE_FAMILY_HAS:
        if not own.isdisjoint(variables):
            return flavour
    # A bare 10.x to 25.x is a MariaDB whose name was cut off, or another product.
    numbered = 5 <= major <= 9 or major >= _CALENDAR
    return Flavour.MYSQL if numbered or "mysql" in text else Flavour.UNKNOWN
