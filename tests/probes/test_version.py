import pytest

from probes.version import Flavour, ServerVersion


@pytest.mark.parametrize(
    ("version", "comment", "flavour", "numbers", "vendor"),
    [
        ("8.0.36", "MySQL Community Server - GPL", Flavour.MYSQL, (8, 0, 36), ""),
        ("9.7.0-er", "MySQL Community Server - GPL", Flavour.MYSQL, (9, 7, 0), ""),
        ("9.7.4-2", "(Debian)", Flavour.MYSQL, (9, 7, 4), ""),
        ("5.7.44-log", "", Flavour.MYSQL, (5, 7, 44), ""),
        ("8.0.36-28.1", "Percona Server (GPL), Release 28", Flavour.MYSQL, (8, 0, 36), "Percona"),
        ("8.0.36-0ubuntu0.22.04.1", "(Ubuntu)", Flavour.MYSQL, (8, 0, 36), ""),
        ("8.0.mysql_aurora.3.04.0", "", Flavour.MYSQL, (8, 0, 0), "Aurora"),
        ("5.7.mysql_aurora.2.11", "", Flavour.MYSQL, (5, 7, 0), "Aurora"),
        ("8.0.37-azure", "Source distribution", Flavour.MYSQL, (8, 0, 37), "Azure"),
        ("5.7.44-azure-log", "", Flavour.MYSQL, (5, 7, 44), "Azure"),
        ("8.0.31-google", "(Google)", Flavour.MYSQL, (8, 0, 31), "Google"),
        ("10.0.1", "MySQL Community Server - GPL", Flavour.MYSQL, (10, 0, 1), ""),
        ("26.7.0", "Source distribution", Flavour.MYSQL, (26, 7, 0), ""),
        ("26.10.1-log", "", Flavour.MYSQL, (26, 10, 1), ""),
        ("26.7.0-1", "Percona Server (GPL), Release 1", Flavour.MYSQL, (26, 7, 0), "Percona"),
        ("28.4.2-azure", "Source distribution", Flavour.MYSQL, (28, 4, 2), "Azure"),
        ("12.3.3", "Source distribution", Flavour.UNKNOWN, (12, 3, 3), ""),
        ("10.4.32-MariaDB-log", "", Flavour.MARIADB, (10, 4, 32), ""),
        ("5.5.5-10.11.6-MariaDB", "", Flavour.MARIADB, (10, 11, 6), ""),
        ("5.5.5-MariaDB", "", Flavour.MARIADB, (5, 5, 5), ""),
        ("10.6.14", "mariadb.org binary distribution", Flavour.MARIADB, (10, 6, 14), ""),
        (
            "11.8.6-MariaDB-0+deb13u1 from Debian",
            "-- Please help get to 10k stars",
            Flavour.MARIADB,
            (11, 8, 6),
            "",
        ),
        ("12.9.9-FooDB", "", Flavour.UNKNOWN, (12, 9, 9), ""),
        ("8.0.11-TiDB-v7.5.0", "TiDB Server", Flavour.UNKNOWN, (8, 0, 11), ""),
        ("8.0.30-Vitess", "", Flavour.UNKNOWN, (8, 0, 30), ""),
        ("not a version", "", Flavour.UNKNOWN, (0, 0, 0), ""),
        ("", "", Flavour.UNKNOWN, (0, 0, 0), ""),
    ],
)
def test_reads_what_servers_say(
    version: str, comment: str, flavour: Flavour, numbers: tuple[int, ...], vendor: str
) -> None:
    read = ServerVersion.parse(version, comment)
    assert (read.flavour, read.numbers, read.vendor) == (flavour, numbers, vendor)
    assert read.text == version


@pytest.mark.parametrize(
    ("version", "variables", "flavour"),
    [
        ("12.3.3", {"aria_pagecache_buffer_size", "version"}, Flavour.MARIADB),
        ("5.5.68", {"aria_pagecache_buffer_size", "version"}, Flavour.MARIADB),
        ("26.7.0", {"gtid_domain_id"}, Flavour.MARIADB),
        ("10.1.0", {"server_uuid", "version"}, Flavour.MYSQL),
        ("26.7.0", {"server_uuid", "gtid_executed"}, Flavour.MYSQL),
        ("5.5.62", {"version", "innodb_buffer_pool_size"}, Flavour.MYSQL),
        ("12.9.9", {"version"}, Flavour.UNKNOWN),
    ],
)
def test_an_own_build_is_told_by_what_its_family_alone_has(
    version: str, variables: set[str], flavour: Flavour
) -> None:
    assert ServerVersion.parse(version, "Source distribution", variables).flavour is flavour


def test_what_a_server_says_of_itself_stands_above_its_variables() -> None:
    said = ServerVersion.parse("10.11.6-MariaDB", "", {"server_uuid"})
    assert said.flavour is Flavour.MARIADB
    other = ServerVersion.parse("8.0.11-TiDB-v7.5.0", "TiDB Server", {"server_uuid"})
    assert other.flavour is Flavour.UNKNOWN


def test_families_are_never_compared() -> None:
    mariadb = ServerVersion.parse("10.6.16-MariaDB")
    assert not mariadb.at_least(Flavour.MYSQL, 8, 0, 30)
    assert not mariadb.before(Flavour.MYSQL, 99)
    assert mariadb.at_least(Flavour.MARIADB, 10, 6)
    assert mariadb.is_mariadb
    assert not mariadb.is_mysql


def test_a_version_is_not_older_than_itself() -> None:
    mysql = ServerVersion.parse("8.0.30")
    assert mysql.at_least(Flavour.MYSQL, 8, 0, 30)
    assert not mysql.before(Flavour.MYSQL, 8, 0, 30)
    assert mysql.before(Flavour.MYSQL, 8, 0, 31)
    assert mysql.before(Flavour.MYSQL, 8, 4)
    assert not mysql.at_least(Flavour.MYSQL, 8, 4)


def test_ten_is_newer_than_nine() -> None:
    assert ServerVersion.parse("10.10.2-MariaDB").at_least(Flavour.MARIADB, 10, 9)


def test_an_unknown_server_is_neither_newer_nor_older() -> None:
    foo = ServerVersion.parse("12.9.9-FooDB")
    assert not foo.is_known
    assert not foo.at_least(Flavour.MYSQL, 5)
    assert not foo.before(Flavour.MYSQL, 99)
    assert not foo.is_mysql
    assert not foo.is_mariadb


@pytest.mark.parametrize(
    ("version", "comment", "words"),
    [
        ("8.0.36", "", "MySQL 8.0.36"),
        ("8.0.36-28", "Percona Server (GPL)", "Percona 8.0.36"),
        ("5.5.5-10.11.6-MariaDB", "", "MariaDB 10.11.6"),
        ("12.9.9-FooDB", "", "unknown server 12.9.9-FooDB"),
        ("", "", "unknown server"),
    ],
)
def test_is_called_by_its_family(version: str, comment: str, words: str) -> None:
    assert str(ServerVersion.parse(version, comment)) == words
