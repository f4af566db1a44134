"""Processors and memory of providers' instance classes: ``resources/cloud/classes.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib.resources import files
from typing import Any

from probes import figures
from probes.targets.address import StatedMachine

CUSTOM = re.compile(r"db-custom-(?:(?P<series>n4)-)?(?P<cpus>\d{1,3})-(?P<mib>\d{3,7})")
"""Google's classes that say themselves what they have, in small letters."""

STANDARD = "standard_"
"""How Azure's names begin, which its portal leaves out in places."""

_NEAR = 3
_LIKE = 0.6
"""How many near names are listed, and how alike they are at least (our choice)."""


@dataclass(frozen=True, slots=True)
class MachineClass:
    """What a class has. ``source`` names where it was read, with the date."""

    name: str
    cpus: int
    memory_bytes: int
    source: str


def machine_class(name: str) -> MachineClass | None:
    """Find a class by its name; None where it is not in the table."""
    custom = CUSTOM.fullmatch(name.lower())
    if custom is not None:
        return MachineClass(name, int(custom["cpus"]), int(custom["mib"]) << 20, "its name")
    return _classes().get(name.lower()) or _classes().get(f"{STANDARD}{name.lower()}")


def near_classes(name: str) -> list[str]:
    """Names of classes that look most like one that is not in the table, the likest first."""
    near = get_close_matches(name.lower(), _classes(), _NEAR, _LIKE)
    return [_classes()[each].name for each in near]


def stated_memory_bytes(stated: StatedMachine) -> int | None:
    """The memory that was said, else that of the class; None where neither is known."""
    known = machine_class(stated.machine_class)
    return stated.memory_bytes or (None if known is None else known.memory_bytes)


def machine_text(stated: StatedMachine | None) -> str:
    """What was said, for people: "64 GiB, db.r6g.2xlarge, volume of 3,000 requests/s".

    "" where there is nothing.
    """
    if stated is None:
        return ""
    memory = stated_memory_bytes(stated)
    volume = volume_text(stated)
    return ", ".join(
        filter(
            None,
            (
                figures.size(memory) if memory else "",
                figures.counted(stated.cpus, "CPU thread") if stated.cpus else "",
                stated.machine_class,
                f"volume of {volume}" if volume else "",
            ),
        )
    )


def volume_text(stated: StatedMachine) -> str:
    """What the volume was bought with: "3,000 requests/s and 125 MiB/s"; "" where none was."""
    requests, throughput = stated.volume_requests_per_s, stated.volume_bytes_per_s
    each = (
        f"{figures.count(requests)} requests/s" if requests else "",
        figures.throughput(throughput) if throughput else "",
    )
    return figures.listed([one for one in each if one])


@cache
def _classes() -> Mapping[str, MachineClass]:
    text = files("resources").joinpath("cloud", "classes.toml").read_text(encoding="utf-8")
    found: dict[str, MachineClass] = {}
    for provider in tomllib.loads(text)["provider"]:
        source = f"{provider['source']} ({provider['as_of']})"
        for family in provider["families"]:
            found |= _family(family, source)
    return found


def rows_of(family: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a table of resources/cloud has of every size of every name of a family, by name."""
    return {
        pattern.format(size=size): row
        for pattern in family["names"]
        for size, row in family["sizes"].items()
    }


def _family(family: Mapping[str, Any], source: str) -> Mapping[str, MachineClass]:
    """The classes of a family, by their names in small letters."""
    return {
        name.lower(): MachineClass(name, cpus, round(gib * (1 << 30)), source)
        for name, (cpus, gib) in rows_of(family).items()
    }
