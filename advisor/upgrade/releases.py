"""Which releases come after which, and which is the newest that anything is known of.

Only series that many people run are steps of an upgrade: all of MySQL but its innovation releases,
and MariaDB's long-term ones.
"""

from __future__ import annotations

from collections.abc import Iterable

from advisor.rulekit.versions import NAMES
from advisor.variables.naming import version_named
from probes.version import Flavour, ServerVersion, dotted

SERIES: dict[Flavour, tuple[tuple[int, int, int], ...]] = {
    Flavour.MYSQL: ((5, 5, 62), (5, 6, 51), (5, 7, 44), (8, 0, 46), (8, 4, 13), (9, 7, 4)),
    Flavour.MARIADB: (
        (10, 2, 44),
        (10, 3, 39),
        (10, 4, 34),
        (10, 5, 29),
        (10, 6, 25),
        (10, 11, 19),
        (11, 4, 13),
        (11, 8, 9),
        (12, 3, 3),
    ),
}
"""The newest release of each series that was known when this was written."""

NEWEST: dict[Flavour, tuple[int, int]] = {Flavour.MYSQL: (26, 7), Flavour.MARIADB: (12, 3)}
"""The newest series whose changes of options and variables were read, innovation or not.

MySQL 26.7 reference manual, "Server and Status Variables and Options Added, Deprecated, or Removed
in MySQL 26.7": no variable or option of InnoDB's was, none was removed. MariaDB documentation,
"MariaDB 12.3 Changes & Improvements", removed system variables. Neither was run.
"""

_NUMBERS_THAT_ARE_NOT: dict[Flavour, tuple[tuple[int, int], tuple[int, int]]] = {
    Flavour.MYSQL: ((9, 7), (26, 7))
}
"""Between these two of its series a family has none: MySQL went on with years."""


def known_version(text: str) -> ServerVersion:
    """Read a version that advice is made for, "mysql-8.4"; raises ValueError with a sentence.

    One that is newer than all that are known is judged as the newest of them. Of one that is older,
    or that there is not, silence would look like there being nothing to say.
    """
    version = version_named(text)
    family, series = NAMES[version.flavour], version.numbers[:2]
    first = SERIES[version.flavour][0]
    if series < first[:2]:
        since, last = dotted(first[:2]), dotted(NEWEST[version.flavour])
        raise ValueError(f"Leadline knows {family} {since} to {last}, not {version}.")
    before, after = _NUMBERS_THAT_ARE_NOT.get(version.flavour, (series, series))
    if before < series < after:
        raise ValueError(
            f"There is no {family} {dotted(series)}: after {dotted(before)} came {dotted(after)}."
        )
    return version


def newer_than_known(version: ServerVersion) -> str:
    """Say that a version is newer than all that are known, and as what it is judged; "" else."""
    newest = NEWEST.get(version.flavour)
    if newest is None or version.numbers[:2] <= newest:
        return ""
    known = f"{NAMES[version.flavour]} {dotted(newest)}"
    return f"newer than all that Leadline knows: judged as {known}"


def later_series(version: ServerVersion) -> tuple[ServerVersion, ...]:
    """Give the series after a version's own, in order; none for a family that is not known."""
    return tuple(
        ServerVersion(version.flavour, numbers, dotted(numbers))
        for numbers in SERIES.get(version.flavour, ())
        if numbers[:2] > version.numbers[:2]
    )


def between(version: ServerVersion, target: ServerVersion) -> tuple[ServerVersion, ...]:
    """Give the series that lie strictly between two versions of one flavour."""
    return tuple(each for each in later_series(version) if each.numbers[:2] < target.numbers[:2])


VALIDATION = "mysqld --validate-config"
"""It starts neither engines that are plugins nor other plugins, and checks none of their options
(MySQL 8.0 reference manual, "Server Configuration Validation")."""

_OF_PLUGINS = (
    "audit_log_",
    "authentication_ldap_",
    "clone_",
    "connection_control_",
    "group_replication_",
    "keyring_",
    "rocksdb_",
    "rpl_semi_sync_",
    "tokudb_",
    "validate_password_",
)
"""How the names of plugins' options begin; Galera's, the X plugin's and the thread pool of Percona
Server are built in."""


def is_of_plugin(option: str) -> bool:
    """Whether an option is one of a plugin that MySQL loads."""
    return option.removeprefix("loose_").startswith(_OF_PLUGINS)


def trial_command(version: ServerVersion) -> str:
    """Name the command by which a version tries an option file and does not start."""
    if version.is_mariadb:
        return "mariadbd --verbose --help"
    if version.at_least(Flavour.MYSQL, 8):
        return VALIDATION
    return "mysqld --verbose --help"


PERCONA = "Percona"
"""The vendor of its builds. Percona XtraDB Cluster has releases of 8.0, 8.4 and 9.7, as MySQL has
(Percona, release notes, read in November 2026)."""


def build_of(version: ServerVersion, series: ServerVersion, options: Iterable[str]) -> str:
    """Say which build of a series knows a server's options: ``Percona XtraDB Cluster 8.4``.

    Options of Galera are known to a build with Galera alone, and MariaDB has it in each.
    """
    names = tuple(options)
    cluster = any(name.startswith("pxc_") for name in names)
    galera = any(name.startswith("wsrep_") for name in names)
    number = dotted(series.numbers[:2])
    if cluster or (galera and version.vendor == PERCONA):
        return f"Percona XtraDB Cluster {number}"
    return f"Percona Server {number}" if version.vendor == PERCONA else series_name(series)


def series_name(version: ServerVersion) -> str:
    """Say a version's series: ``MySQL 8.4``."""
    family = NAMES.get(version.flavour, str(version.flavour))
    return f"{family} {version.numbers[0]}.{version.numbers[1]}"
