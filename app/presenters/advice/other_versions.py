"""From which other versions a server can be seen."""

from __future__ import annotations

from advisor.upgrade.releases import SERIES, later_series, series_name
from probes.inventory.facts import Inventory
from probes.version import Flavour, ServerVersion, dotted


def offered(inventory: Inventory | None) -> list[tuple[str, ServerVersion]]:
    """Later series of the server's own family first, the other family, then earlier ones.

    Each with its name; none where no server was looked at.
    """
    mysql = None if inventory is None else inventory.mysql
    if mysql is None or not mysql.version.is_known:
        return []
    own = mysql.version
    later = list(later_series(own))
    others = [
        _version(flavour, numbers)
        for flavour in SERIES
        if flavour is not own.flavour
        for numbers in SERIES[flavour]
    ]
    earlier = [
        _version(own.flavour, numbers)
        for numbers in SERIES[own.flavour]
        if numbers[:2] < own.numbers[:2]
    ]
    versions = [*later, *reversed(others), *reversed(earlier)]
    return [(series_name(version), version) for version in versions]


def _version(flavour: Flavour, numbers: tuple[int, int, int]) -> ServerVersion:
    return ServerVersion(flavour, numbers, dotted(numbers))
