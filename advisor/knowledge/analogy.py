"""Whether published findings hold for a target as they were seen, or by analogy alone.

A finding says in words under which conditions it was seen: of a server's version, of a kind of
drive. What it does not say, or what is not known of the target, speaks for no difference.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from advisor.knowledge.elsewhere import seen_elsewhere
from advisor.knowledge.findings import findings
from probes.inventory.facts import Inventory, Role
from probes.version import ServerVersion

_FAMILY = re.compile(r"(mysql|percona|mariadb)")
_NUMBER = re.compile(r"\d+\.(?:\d+|x)(?:\.\d+)?")
_DRIVES = {
    True: re.compile(r"\b(hard disks?|10k disks|raid\d*|spinning)\b"),
    False: re.compile(r"\b(nvme|ssds?|flash|optane|appliance)\b"),
}
"""Words for drives that rotate, and for those that don't."""

_Number = tuple[int, ...]


def by_analogy(ids: Collection[str], inventory: Inventory) -> bool:
    """Whether all of these findings were seen on another family, version or kind of drive."""
    known = findings()
    found = [known[each] for each in ids if each in known]
    return bool(found) and all(
        seen_elsewhere(each, inventory)
        or _other_version(each.holds_when.casefold(), inventory)
        or _other_drive(each.holds_when.casefold(), inventory)
        for each in found
    )


def _other_version(words: str, inventory: Inventory) -> bool:
    if inventory.mysql is None or not inventory.mysql.version.is_known:
        return False
    version = inventory.mysql.version
    own = {"mariadb"} if version.is_mariadb else {"mysql", "percona"}
    parts = _FAMILY.split(words)
    texts = [text for name, text in zip(parts[1::2], parts[2::2], strict=True) if name in own]
    texts = [text for text in texts if _NUMBER.search(text)]
    return bool(texts) and not any(covers(text, version) for text in texts)


def covers(words: str, version: ServerVersion) -> bool:
    """Whether words like "5.7 and newer", "before 8.0.20", "5.6 to 8.0", "8.0, 9.x" cover it."""
    numbers = [_number(each) for each in _NUMBER.findall(words)]
    if re.search(rf"before {_NUMBER.pattern}", words):
        return version.numbers < (*numbers[0], 0, 0)[:3]
    if "and newer" in words:
        return version.numbers >= (*numbers[0], 0, 0)[:3]
    if re.search(rf"{_NUMBER.pattern} to {_NUMBER.pattern}", words):
        return (*numbers[0], 0, 0)[:3] <= version.numbers and _series(version, numbers[1]) <= 0
    return any(_series(version, each) == 0 for each in numbers)


def _number(text: str) -> _Number:
    return tuple(int(each) for each in text.split(".") if each != "x")


def _series(version: ServerVersion, number: _Number) -> int:
    """-1, 0 or 1 for a version before, in or after the series that a number names."""
    own, other = version.numbers[: min(2, len(number))], number[:2]
    return (own > other) - (own < other)


def _other_drive(text: str, inventory: Inventory) -> bool:
    seen_on = {rotates for rotates, words in _DRIVES.items() if words.search(text)}
    storage = inventory.role(Role.DATA) or inventory.role(Role.PROBE)
    here = {disk.rotational for disk in storage.disks} if storage is not None else {None}
    # Virtual disks claim what they like: they may be any.
    return len(seen_on) == 1 and None not in here and bool(here) and not seen_on & here
