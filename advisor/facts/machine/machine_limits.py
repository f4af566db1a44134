"""What lets a server's volume do no more: its machine, by type or stated class; what was bought."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact, why_missing
from advisor.facts.machine.stated import AS_STATED
from advisor.facts.readings import Absent, Reading
from advisor.knowledge.machine_classes import machine_class, volume_text
from advisor.knowledge.machine_limits import (
    AZURE_MYSQL,
    CLOUD_SQL,
    Cap,
    MachineLimits,
    limits_of_class,
    limits_of_platform,
    platform_of_class,
)
from advisor.variables.aurora import AURORA, RDS
from advisor.variables.managed import AZURE
from advisor.variables.managed import CLOUD_SQL as CLOUD_SQL_VENDOR
from advisor.why import Absence, Unseen
from probes.trust.provisioned import AWS, ProvisionedLimit

_SERVICES = {RDS: AWS, AZURE: AZURE_MYSQL, CLOUD_SQL_VENDOR: CLOUD_SQL}
"""Whose limits a service's classes have, by the server's vendor. Amazon RDS refers to those of the
machines that its classes are named after."""

AURORAS = "Aurora's own storage is no volume of the machine"


@dataclass(frozen=True, slots=True)
class StatedVolume:
    """What a volume was bought with, as its user stated; None for a kind that was not said."""

    requests: Cap | None
    throughput: Cap | None

    def of(self, *, in_bytes: bool) -> Cap | None:
        """The limit of one kind."""
        return self.throughput if in_bytes else self.requests


def machine_limits(case: Case) -> MachineLimits | None:
    """The limits of the machine by its type, or its processors, else by the class that was said."""
    host, stated, mysql = case.inventory.host, case.inventory.told, case.inventory.mysql
    if host is not None and (host.platform or stated is None):
        return limits_of_platform(host.platform or "", host.cpu.threads)
    vendor = "" if mysql is None else mysql.version.vendor
    if stated is None or vendor == AURORA:
        return None
    platform = _SERVICES.get(vendor) or platform_of_class(stated.machine_class)
    return limits_of_class(platform, stated.machine_class) if platform else None


def own_limits(case: Case) -> tuple[ProvisionedLimit, ...]:
    """The machine's limits by its type, as figures that a plateau may stand at."""
    limits = machine_limits(case)
    if limits is None or not limits.name:
        return ()
    lasting = f"{limits.name}'s own limit"
    lent = f"what {limits.name} gives for 30 minutes a day"
    return tuple(
        ProvisionedLimit(
            limits.platform, name, figure, in_bytes=cap.in_bytes, burst=burst, machine=True
        )
        for cap in limits.caps
        for name, figure, burst in ((lasting, cap.lasting, False), (lent, cap.most, True))
        if cap.lends or not burst
    )


def _limits(case: Case) -> Reading | Absent:
    limits = machine_limits(case)
    if limits is None:
        return Absent(_because(case))
    lent = f", for 30 minutes a day {limits.most_text}" if limits.most_text else ""
    of = "" if case.inventory.host else f", {AS_STATED} for {limits.name}"
    return Reading(limits, f"{limits.lasting_text}{lent}{of}")


def stated_volume(case: Case) -> StatedVolume | None:
    """What the volume was bought with; None where nobody said it, or the server has no volume."""
    stated = case.inventory.told
    if stated is None or not volume_text(stated) or _is_auroras(case):
        return None
    requests, throughput = stated.volume_requests_per_s, stated.volume_bytes_per_s
    return StatedVolume(
        Cap(float(requests), float(requests), in_bytes=False) if requests else None,
        Cap(float(throughput), float(throughput), in_bytes=True) if throughput else None,
    )


def _volume(case: Case) -> Reading | Absent:
    stated, volume = case.inventory.told, stated_volume(case)
    if stated is not None and volume is not None:
        return Reading(volume, f"{volume_text(stated)}, {AS_STATED}")
    return Absent(AURORAS if _is_auroras(case) else why_missing(case, "host", Unseen.NO_VOLUME))


def _class(case: Case) -> Reading | Absent:
    """Read it as the provider writes it, where it is one of those that are known."""
    stated = case.inventory.told
    if stated is None or not stated.machine_class:
        return Absent(why_missing(case, "host", Unseen.NO_CLASS))
    known = machine_class(stated.machine_class)
    name = stated.machine_class if known is None else known.name
    return Reading(name, f"{name}, {AS_STATED}")


def _is_auroras(case: Case) -> bool:
    mysql = case.inventory.mysql
    return mysql is not None and mysql.version.vendor == AURORA


def _because(case: Case) -> Absence:
    host, stated = case.inventory.host, case.inventory.told
    if host is not None and host.platform:
        return f"none is published for this machine, as far as Leadline knows ({host.platform})"
    if _is_auroras(case):
        return AURORAS
    if stated is not None and stated.machine_class:
        return f"none is published for {stated.machine_class}, as far as Leadline knows"
    return why_missing(case, "host", Unseen.NO_CLASS)


HOST_VOLUME_LIMITS = Fact(
    "host.volume_limits",
    MachineLimits,
    "requests/s and bytes/s",
    "what the machine lets its volumes do together",
    "the provider's table, by the machine's type or the class that the user stated",
    _limits,
)
HOST_CLASS = Fact(
    "host.class",
    str,
    "name",
    "the class of a managed server",
    "what the user stated (--class)",
    _class,
)
VOLUME_STATED = Fact(
    "volume.told",
    StatedVolume,
    "requests/s and bytes/s",
    "what the volume was bought with",
    "what the user stated (--volume-iops, --volume-throughput)",
    _volume,
)
