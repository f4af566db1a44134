"""What the server's machine lets its volumes do together, by its type or its stated class."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.fact import NO_HOST, AnyFact, Fact, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.told import AS_TOLD
from advisor.knowledge.machine_limits import (
    AZURE_MYSQL,
    CLOUD_SQL,
    MachineLimits,
    limits_of_class,
    limits_of_platform,
    platform_of_class,
)
from advisor.variables.aurora import AURORA, RDS
from advisor.variables.managed import AZURE
from advisor.variables.managed import CLOUD_SQL as CLOUD_SQL_VENDOR
from probes.trust.provisioned import AWS, Limit

_SERVICES = {RDS: AWS, AZURE: AZURE_MYSQL, CLOUD_SQL_VENDOR: CLOUD_SQL}
"""Whose limits a service's classes have, by the server's vendor. Amazon RDS refers to those of the
machines that its classes are named after."""

NO_CLASS = f"{NO_HOST}, and the machine's class was not said"


def machine_limits(case: Case) -> MachineLimits | None:
    """The limits of the machine by its type, or its processors, else by the class that was said."""
    host, told, mysql = case.inventory.host, case.inventory.told, case.inventory.mysql
    if host is not None:
        return limits_of_platform(host.platform or "", host.cpu.threads)
    vendor = "" if mysql is None else mysql.version.vendor
    if told is None or vendor == AURORA:
        return None
    platform = _SERVICES.get(vendor) or platform_of_class(told.machine_class)
    return limits_of_class(platform, told.machine_class) if platform else None


def own_limits(case: Case) -> tuple[Limit, ...]:
    """The machine's limits by its type, as figures that a plateau may stand at."""
    limits = machine_limits(case)
    if limits is None or not limits.name:
        return ()
    lasting = f"{limits.name}'s own limit"
    lent = f"what {limits.name} gives for 30 minutes a day"
    return tuple(
        Limit(limits.platform, name, figure, in_bytes=cap.in_bytes, burst=burst, machine=True)
        for cap in limits.caps
        for name, figure, burst in ((lasting, cap.lasting, False), (lent, cap.most, True))
        if cap.lends or not burst
    )


def _limits(case: Case) -> Reading | Absent:
    limits = machine_limits(case)
    if limits is None:
        return Absent(_because(case))
    lent = f", for 30 minutes a day {limits.most_said}" if limits.most_said else ""
    of = "" if case.inventory.host else f", {AS_TOLD} for {limits.name}"
    return Reading(limits, f"{limits.lasting_said}{lent}{of}")


def _because(case: Case) -> str:
    host, told, mysql = case.inventory.host, case.inventory.told, case.inventory.mysql
    if host is not None and host.platform:
        return f"none is published for this machine, as far as Leadline knows ({host.platform})"
    if mysql is not None and mysql.version.vendor == AURORA:
        return "Aurora's own storage is no volume of the machine"
    if told is not None and told.machine_class:
        return f"none is published for {told.machine_class}, as far as Leadline knows"
    return why_missing(case, "host", NO_CLASS)


FACTS: tuple[AnyFact, ...] = (
    Fact(
        "host.volume_limits",
        "requests/s and bytes/s",
        "what the machine lets its volumes do together",
        "the provider's table, by the machine's type or the class that the user stated",
        _limits,
    ),
)
