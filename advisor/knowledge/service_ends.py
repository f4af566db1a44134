"""Until when managed services support a series: ``resources/cloud/support.toml``.

They go on beyond the maker's last day, some of them for money, or end before it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from probes.version import ServerVersion, dotted


@dataclass(frozen=True, slots=True)
class ServiceSupport:
    """The last day of a series' standard support at a service.

    ``extended`` is that of the support that follows and is charged, "" where none does. ``source``
    names where both were read, with the month.
    """

    ends: str
    extended: str
    source: str


def is_services(version: ServerVersion) -> bool:
    """Whether a service runs the server, so that the maker's dates are not its own."""
    return any(service["vendor"] == version.vendor for service in _services())


def service_support(version: ServerVersion) -> ServiceSupport | None:
    """Find it by the server's vendor and series; None where the service has published none."""
    for service in _services():
        days = service["series"].get(dotted(version.numbers[:2]))
        if days and (service["vendor"], service["flavour"]) == (version.vendor, version.flavour):
            source = f"{service['source']} ({service['as_of']})"
            return ServiceSupport(days[0], "".join(days[1:]), source)
    return None


@cache
def _services() -> tuple[Mapping[str, Any], ...]:
    text = files("resources").joinpath("cloud", "support.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["service"])
