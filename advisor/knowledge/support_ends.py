"""Until when the makers support each series of their servers."""

from __future__ import annotations

from datetime import date

from probes.version import Flavour, ServerVersion

_MYSQL = {
    (5, 5): date(2018, 12, 31),
    (5, 6): date(2021, 2, 28),
    (5, 7): date(2023, 10, 31),
    (8, 0): date(2026, 4, 30),
    (8, 4): date(2032, 4, 30),
}
"""Oracle's lifetime support policy for technology products: the end of extended support."""

_MARIADB = {
    (10, 0): date(2019, 3, 31),
    (10, 1): date(2020, 10, 17),
    (10, 2): date(2022, 5, 23),
    (10, 3): date(2023, 5, 25),
    (10, 4): date(2024, 6, 18),
    (10, 5): date(2025, 6, 24),
    (10, 6): date(2026, 7, 6),
    (10, 11): date(2028, 2, 16),
    (11, 4): date(2029, 5, 29),
    (11, 8): date(2028, 6, 4),
}
"""MariaDB Foundation's maintenance policy: the end of the long-term series."""


def support_ends(version: ServerVersion) -> date | None:
    """The last day on which the maker fixes what is found; None where that is not known here."""
    ends = {Flavour.MYSQL: _MYSQL, Flavour.MARIADB: _MARIADB}.get(version.flavour, {})
    return ends.get(version.numbers[:2])
