"""What machines of clouds let their volumes do together: ``resources/cloud/machines.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class MachineLimit:
    """A machine's own limit on the requests of its volumes, per second.

    ``lasting_per_s`` it gives for good, ``most_per_s`` for 30 minutes a day where that is more.
    ``source`` names where it was read, with the date.
    """

    lasting_per_s: int
    most_per_s: int
    source: str

    @property
    def lends(self) -> bool:
        """Whether it gives more for a while than it gives for good."""
        return self.most_per_s > self.lasting_per_s


def machine_limit(platform: str, cpus: float | None) -> MachineLimit | None:
    """Find the limit of a machine by ``HostFacts.platform`` and its processors; None if unknown."""
    cloud = next((each for each in _clouds() if platform.startswith(each["platform"])), None)
    if cloud is None:
        return None
    source = f"{cloud['source']} ({cloud['as_of']})"
    found = _by_type(cloud, platform) or _by_cpus(cloud, cpus)
    return None if found is None else MachineLimit(*found, source)


@cache
def _clouds() -> tuple[Mapping[str, Any], ...]:
    text = files("resources").joinpath("cloud", "machines.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["cloud"])


def _by_type(cloud: Mapping[str, Any], platform: str) -> tuple[int, int] | None:
    """The pair of a machine type in brackets: ``Amazon EC2 (r6i.xlarge)``."""
    named = re.search(r"\b(?P<family>[a-z0-9-]+)\.(?P<size>[a-z0-9-]+)\)", platform)
    for each in cloud.get("families", ()):
        if (
            named is not None
            and named["family"] in each["names"]
            and named["size"] in each["sizes"]
        ):
            lasting, most = each["sizes"][named["size"]]
            return lasting, most
    return None


def _by_cpus(cloud: Mapping[str, Any], cpus: float | None) -> tuple[int, int] | None:
    if cpus is None:
        return None
    limit = next((limit for below, limit in cloud.get("below_cpus", ()) if cpus < below), None)
    return None if limit is None else (limit, limit)
