"""Which servers a rule speaks about: flavour first, then version."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.variables.entry import OPEN, Numbers, Ranged, numbers
from probes.version import Flavour, dotted

NAMES = {Flavour.MYSQL: "MySQL", Flavour.MARIADB: "MariaDB"}


@dataclass(frozen=True, slots=True)
class Versions(Ranged):
    """The versions ``since <= version < before`` of one flavour; both ends may be open."""

    flavour: Flavour
    since: Numbers = (0,)
    before: Numbers = OPEN

    def __str__(self) -> str:
        text = NAMES[self.flavour]
        if self.since != (0,):
            text += f" from {dotted(self.since)}"
        if self.before != OPEN:
            text += f" before {dotted(self.before)}"
        return text


def mysql(since: str = "0", before: str = "999") -> Versions:
    """Give the versions of MySQL from ``since`` up to, not including, ``before``."""
    return Versions(Flavour.MYSQL, numbers(since), numbers(before))


def mariadb(since: str = "0", before: str = "999") -> Versions:
    """Give the versions of MariaDB from ``since`` up to, not including, ``before``."""
    return Versions(Flavour.MARIADB, numbers(since), numbers(before))
