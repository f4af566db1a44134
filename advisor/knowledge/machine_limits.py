"""What machines of clouds let their volumes do together: ``resources/cloud/machines.toml``."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from advisor.knowledge.machine_classes import CUSTOM, STANDARD, machine_class, rows_of
from probes import figures
from probes.trust.provisioned import AWS, AZURE

AZURE_MYSQL, CLOUD_SQL = "Azure Database for MySQL", "Cloud SQL for MySQL"
"""Services whose classes have limits of their own, as the table calls them."""

_RDS_CLASS = "db."
"""Before the machine's type in the name of an RDS class, which has that machine's limits."""


@dataclass(frozen=True, slots=True)
class Cap:
    """One limit of a machine on its volumes: requests/s, or bytes/s with ``in_bytes``.

    ``lasting`` it gives for good, ``most`` for 30 minutes a day where that is more.
    """

    lasting: float
    most: float
    in_bytes: bool

    @property
    def lends(self) -> bool:
        """Whether it gives more for a while than it gives for good."""
        return self.most > self.lasting

    def say(self, figure: float) -> str:
        """Write a figure of this kind."""
        return figures.io_rate(figure, in_bytes=self.in_bytes)


@dataclass(frozen=True, slots=True)
class MachineLimits:
    """A machine's own limits on its volumes; ``throughput`` is None where none is published.

    ``name`` is its type or class, "" where only its processors are known. ``platform`` is whose
    table has it. ``source`` names where they were read, with the date.
    """

    platform: str
    name: str
    requests: Cap
    throughput: Cap | None
    source: str

    @property
    def caps(self) -> tuple[Cap, ...]:
        """Both, as far as they are known."""
        return tuple(filter(None, (self.requests, self.throughput)))

    def of(self, *, in_bytes: bool) -> Cap | None:
        """The limit of one kind."""
        return self.throughput if in_bytes else self.requests

    def first(self, request_bytes: float) -> Cap:
        """The limit that requests of this size reach first."""
        return min(
            self.caps,
            key=lambda cap: cap.lasting / request_bytes if cap.in_bytes else cap.lasting,
        )

    @property
    def lasting_text(self) -> str:
        """What lasts: ``3.60 k requests/s and 77.5 MiB/s``."""
        return figures.listed([cap.say(cap.lasting) for cap in self.caps])

    @property
    def most_text(self) -> str:
        """What is lent: ``20.0 k requests/s and 566 MiB/s``; "" where nothing is."""
        return figures.listed([cap.say(cap.most) for cap in self.caps if cap.lends])


def limits_of_platform(platform: str, cpus: float | None) -> MachineLimits | None:
    """Find a machine's limits by ``HostFacts.platform`` and its processors; None if unknown."""
    named = re.search(r"\b(?P<type>[a-z0-9-]+\.[a-z0-9-]+)\)", platform)
    for cloud in _clouds():
        if platform.startswith(cloud["platform"]):
            by_type = None if named is None else _by_name(cloud["platform"], named["type"])
            return by_type or _by_processors(cloud, "", "", cpus)
    return None


def limits_of_class(platform: str, name: str) -> MachineLimits | None:
    """Find the limits of a class as a person names it; None if unknown.

    ``platform`` is a cloud, or a service: it may give a class other limits than the same size of
    virtual machine has.
    """
    custom = CUSTOM.fullmatch(name.lower())
    if custom is None:
        return _by_name(platform, name)
    cloud = _cloud(platform)
    return _by_processors(cloud, name, custom["series"] or "", float(custom["cpus"]))


def platform_of_class(name: str) -> str:
    """Whose machine a class is where no service says so of itself: "" where that is not clear."""
    if name.lower().startswith(_RDS_CLASS):
        return AWS
    return AZURE if name.lower().startswith(STANDARD) else ""


def larger_class(limits: MachineLimits, wanted: Sequence[Cap]) -> MachineLimits | None:
    """The smallest class of the same family whose limits last for what is wanted; None if none.

    ``wanted`` are limits by what shall last.
    """
    found = [
        each
        for name in _siblings(limits.platform, limits.name)
        if machine_class(name) is not None
        and (each := limits_of_class(limits.platform, name)) is not None
        and all(_lasts(each, cap) for cap in wanted)
    ]
    return min(found, key=lambda each: each.requests.lasting, default=None)


def _lasts(limits: MachineLimits, wanted: Cap) -> bool:
    own = limits.of(in_bytes=wanted.in_bytes)
    return own is not None and own.lasting >= wanted.lasting


@cache
def _clouds() -> tuple[Mapping[str, Any], ...]:
    text = files("resources").joinpath("cloud", "machines.toml").read_text(encoding="utf-8")
    return tuple(tomllib.loads(text)["cloud"])


def _cloud(platform: str) -> Mapping[str, Any]:
    return next(each for each in _clouds() if each["platform"] == platform)


def _by_name(platform: str, name: str) -> MachineLimits | None:
    """What the table has of a type, or of an RDS class by its machine's type."""
    plain = name.lower().removeprefix(_RDS_CLASS) if platform == AWS else name.lower()
    row = _named(platform).get(plain)
    return None if row is None else _limits(_cloud(platform), name, row)


def _siblings(platform: str, name: str) -> Iterator[str]:
    """The names of all sizes of a class's family, the class's own among them."""
    prefix = _RDS_CLASS if name.lower().startswith(_RDS_CLASS) else ""
    for family in _cloud(platform).get("families", ()):
        for pattern in family["names"]:
            names = [prefix + pattern.format(size=size) for size in family["sizes"]]
            if name.lower() in (each.lower() for each in names):
                yield from names


@cache
def _named(platform: str) -> Mapping[str, Sequence[float]]:
    """Every row of a cloud's types, by name in small letters."""
    return {
        name.lower(): row
        for family in _cloud(platform).get("families", ())
        for name, row in rows_of(family).items()
    }


def _by_processors(
    cloud: Mapping[str, Any], name: str, series: str, cpus: float | None
) -> MachineLimits | None:
    """What a cloud gives a series of machines by their processors."""
    for each in cloud.get("processors", ()):
        rows = [row for below, row in each["below"] if cpus is not None and cpus < below]
        if each["series"] == series and rows:
            return _limits(cloud, name, rows[0])
    return None


def _limits(cloud: Mapping[str, Any], name: str, row: Sequence[float]) -> MachineLimits:
    lasting, most, *throughput = row
    megabyte = cloud["megabyte"]
    return MachineLimits(
        cloud["platform"],
        name,
        Cap(lasting, most, in_bytes=False),
        Cap(throughput[0] * megabyte, throughput[1] * megabyte, in_bytes=True)
        if throughput
        else None,
        f"{cloud['source']} ({cloud['as_of']})",
    )
