"""Which releases come after which.

Only series that many people run are steps of an upgrade: all of MySQL but its innovation releases,
and MariaDB's long-term ones.
"""

from __future__ import annotations

from advisor.rulekit.versions import NAMES
from advisor.variables.naming import version_named
from probes.version import Flavour, ServerVersion

SERIES: dict[Flavour, tuple[tuple[int, int, int], ...]] = {
    Flavour.MYSQL: ((5, 5, 62), (5, 6, 51), (5, 7, 44), (8, 0, 46), (8, 4, 8), (9, 7, 4)),
    Flavour.MARIADB: (
        (10, 2, 44),
        (10, 3, 39),
        (10, 4, 34),
        (10, 5, 29),
        (10, 6, 25),
        (10, 11, 19),
        (11, 4, 10),
        (11, 8, 9),
    ),
}
"""The newest release of each series that was known when this was written."""


def known_version(text: str) -> ServerVersion:
    """Read a version of which something is known, "mysql-8.4"; raises ValueError with a sentence.

    Of a series outside the known ones, silence would look like there being nothing to say.
    """
    version = version_named(text)
    series = [numbers[:2] for numbers in SERIES[version.flavour]]
    if not series[0] <= version.numbers[:2] <= series[-1]:
        first, last = (f"{major}.{minor}" for major, minor in (series[0], series[-1]))
        raise ValueError(
            f"Leadline knows {NAMES[version.flavour]} {first} to {last}, not {version}."
        )
    return version


def later_series(version: ServerVersion) -> tuple[ServerVersion, ...]:
    """Give the series after a version's own, in order; none for a family that is not known."""
    return tuple(
        ServerVersion(version.flavour, numbers, ".".join(map(str, numbers)))
        for numbers in SERIES.get(version.flavour, ())
        if numbers[:2] > version.numbers[:2]
    )


def between(version: ServerVersion, target: ServerVersion) -> tuple[ServerVersion, ...]:
    """Give the series that lie strictly between two versions of one flavour."""
    return tuple(each for each in later_series(version) if each.numbers[:2] < target.numbers[:2])


def trial_command(version: ServerVersion) -> str:
    """Name the command by which a version tries an option file and does not start."""
    if version.is_mariadb:
        return "mariadbd --verbose --help"
    if version.at_least(Flavour.MYSQL, 8):
        return "mysqld --validate-config"
    return "mysqld --verbose --help"


def series_name(version: ServerVersion) -> str:
    """Say a version's series: ``MySQL 8.4``."""
    family = NAMES.get(version.flavour, str(version.flavour))
    return f"{family} {version.numbers[0]}.{version.numbers[1]}"
