"""Which servers a rule speaks about: flavour first, then version."""

from __future__ import annotations

from dataclasses import dataclass

from probes.version import Flavour, ServerVersion

NAMES = {Flavour.MYSQL: "MySQL", Flavour.MARIADB: "MariaDB"}


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions ``since <= version < before`` of one flavour; both ends may be open."""

    flavour: Flavour
    since: tuple[int, ...] = (0,)
    before: tuple[int, ...] = (999,)

    def covers(self, version: ServerVersion) -> bool:
        """Whether ``version`` is one of them."""
        return version.at_least(self.flavour, *self.since) and version.before(
            self.flavour, *self.before
        )

    def __str__(self) -> str:
        said = NAMES[self.flavour]
        if self.since != (0,):
            said += f" from {_dotted(self.since)}"
        if self.before != (999,):
            said += f" before {_dotted(self.before)}"
        return said


def mysql(since: str = "0", before: str = "999") -> Versions:
    """Give the versions of MySQL from ``since`` up to, not including, ``before``."""
    return Versions(Flavour.MYSQL, _numbers(since), _numbers(before))


def mariadb(since: str = "0", before: str = "999") -> Versions:
    """Give the versions of MariaDB from ``since`` up to, not including, ``before``."""
    return Versions(Flavour.MARIADB, _numbers(since), _numbers(before))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in text.split("."))


def _dotted(numbers: tuple[int, ...]) -> str:
    return ".".join(str(number) for number in numbers)
