"""Published findings that were seen on something else than this target: they come last."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from advisor.knowledge.findings import PublishedFinding
from probes.inventory.facts import Inventory

_FILE_SYSTEMS = re.compile(r"\b(zfs|btrfs|xfs|ext[34])\b")
_CLOUDS = {
    "amazon": re.compile(r"\b(ec2|ebs|rds|aurora|amazon)\b"),
    "microsoft": re.compile(r"\bazure\b"),
    "google": re.compile(r"\b(google|cloud sql)\b"),
}
_FAMILIES = {"mysql": re.compile(r"\b(mysql|percona)\b"), "mariadb": re.compile(r"\bmariadb\b")}


def nearest_first(
    found: Iterable[PublishedFinding], inventory: Inventory | None
) -> tuple[list[PublishedFinding], list[PublishedFinding]]:
    """Those that may hold for this target, and those about another file system, cloud or server."""
    near: list[PublishedFinding] = []
    far: list[PublishedFinding] = []
    for finding in found:
        (far if inventory is not None and seen_elsewhere(finding, inventory) else near).append(
            finding
        )
    return near, far


def seen_elsewhere(finding: PublishedFinding, inventory: Inventory) -> bool:
    """Whether it was seen on another file system, cloud or family of servers than the target's."""
    text = finding.holds_when.casefold()
    return (
        _other(set(_FILE_SYSTEMS.findall(text)), _file_systems(inventory))
        or _other(_named(_CLOUDS, text), _clouds(inventory))
        or _other(_named(_FAMILIES, text), _family(inventory))
    )


def _named(words: Mapping[str, re.Pattern[str]], text: str) -> set[str]:
    return {name for name, word in words.items() if word.search(text)}


def _other(seen_on: set[str], here: set[str] | None) -> bool:
    """Whether it was seen on named things of which none is here; what is unknown may be any."""
    return bool(seen_on) and here is not None and not seen_on & here


def _file_systems(inventory: Inventory) -> set[str] | None:
    return {storage.filesystem for storage in inventory.storage if storage.filesystem} or None


def _clouds(inventory: Inventory) -> set[str] | None:
    platform = inventory.host.platform.casefold() if inventory.host is not None else ""
    return {name for name in _CLOUDS if name in platform} if platform else None


def _family(inventory: Inventory) -> set[str] | None:
    if inventory.mysql is None:
        return None
    return {"mariadb" if inventory.mysql.version.is_mariadb else "mysql"}
