"""Until when the makers support each series of their servers."""

from __future__ import annotations

from probes.version import Flavour, ServerVersion

_MYSQL = {
    (5, 5): "2018-12-31",
    (5, 6): "2021-02-28",
    (5, 7): "2023-10-31",
    (8, 0): "2026-04-30",
    (8, 4): "2032-04-30",
}
"""Oracle's lifetime support policy for technology products: the end of extended support."""

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
}
"""MariaDB Foundation's maintenance policy: the end of the long-term series."""


_MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def support_ends(version: ServerVersion) -> str | None:
    """The last day on which the maker fixes what is found, "2023-10-31"; None where unknown."""
    ends = {Flavour.MYSQL: _MYSQL, Flavour.MARIADB: _MARIADB}.get(version.flavour, {})
    return ends.get(version.numbers[:2])


def month_of(day: str) -> str:
    """The month of a day like "2023-10-31", in words: October 2023."""
    year, month, _ = day.split("-")
    return f"{_MONTHS[int(month) - 1]} {year}"
