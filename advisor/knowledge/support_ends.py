"""Until when the makers support each series of their servers."""

from __future__ import annotations

from advisor.knowledge.service_ends import is_services
from probes.figures import MONTHS
from probes.version import Flavour, ServerVersion

_MYSQL = {
    (5, 5): "2018-12-31",
    (5, 6): "2021-02-28",
    (5, 7): "2023-10-31",
    (8, 0): "2026-04-30",
    (8, 4): "2032-04-30",
    (9, 7): "2034-04-30",
}
"""Oracle's lifetime support policy for technology products: the end of extended support.

A long-term series has five years of premier and three of extended support.
"""

_MYSQL_INNOVATION = {
    (8, 1): "2023-10-25",
    (8, 2): "2024-01-16",
    (8, 3): "2024-04-30",
    (9, 0): "2024-10-15",
    (9, 1): "2025-01-21",
    (9, 2): "2025-04-15",
    (9, 3): "2025-07-22",
    (9, 4): "2025-10-21",
    (9, 5): "2026-01-20",
    (9, 6): "2026-04-21",
    (26, 7): "2026-10-20",
}
"""An innovation release ends with its successor: the day of that, by its release notes."""

_MARIADB = {
    (10, 0): "2019-03-31",
    (10, 1): "2020-10-17",
    (10, 2): "2022-05-23",
    (10, 3): "2023-05-25",
    (10, 4): "2024-06-18",
    (10, 5): "2025-06-24",
    (10, 6): "2026-07-06",
    (10, 11): "2028-02-16",
    (11, 4): "2029-05-29",
    (11, 8): "2028-06-04",
    (12, 3): "2029-06-30",
}
"""MariaDB Foundation's maintenance policy: the end of the long-term series."""

_MARIADB_SHORT = {
    (10, 7): "2023-02-09",
    (10, 8): "2023-05-20",
    (10, 9): "2023-08-22",
    (10, 10): "2023-11-17",
    (11, 0): "2024-06-06",
    (11, 1): "2024-08-21",
    (11, 2): "2024-11-21",
    (11, 3): "2024-05-29",
    (11, 5): "2024-11-21",
    (11, 6): "2025-02-13",
    (11, 7): "2025-05-12",
    (12, 0): "2025-11-18",
    (12, 1): "2026-02-13",
    (12, 2): "2026-05-28",
}
"""The same policy on the short-term series: a year up to 11.2, then until the successor came."""


def support_ends(version: ServerVersion) -> str | None:
    """The last day on which the maker fixes what is found, "2023-10-31"; None where unknown.

    None at a service, too, which has days of its own.
    """
    if is_services(version):
        return None
    ends = {
        Flavour.MYSQL: _MYSQL | _MYSQL_INNOVATION,
        Flavour.MARIADB: _MARIADB | _MARIADB_SHORT,
    }.get(version.flavour, {})
    return ends.get(version.numbers[:2])


def ended(name: str, day: str, support: str = "support") -> str:
    """Say that the support of something ended on a day: that it has been without it since then."""
    return f"{name} has been out of {support} since {month_of(day)}."


def month_of(day: str) -> str:
    """The month of a day like "2023-10-31", in words: October 2023."""
    year, month, _ = day.split("-")
    return f"{MONTHS[int(month) - 1]} {year}"
