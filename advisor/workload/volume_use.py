"""What the server asks of its volume in requests and in bytes, and which limit comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.facts.known import (
    HOST_CPU_THREADS,
    HOST_PLATFORM,
    VOLUME_REQUEST_LIMITS,
    VOLUME_THROUGHPUT_LIMITS,
    WATCH_DATA_DEVICE,
    status,
)
from advisor.facts.volumes import Limits
from advisor.knowledge.machine_limits import MachineLimit, machine_limit
from advisor.rulekit import At, Facts
from probes.figures import percent, rate, size, throughput
from probes.trust.provisioned import sold_with
from probes.trust.throttle import Throttle

REQUESTS, BYTES = status("io_requests"), status("io_bytes")
LIMITS = (VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS)
USES = (REQUESTS, BYTES, WATCH_DATA_DEVICE, HOST_PLATFORM, HOST_CPU_THREADS)

FULL = 0.9
"""From this share of a limit on the server is held up by it (our choice)."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked of the volume per second, None where that is not known.

    ``device`` is where the kernel counted it, whoever asked: doublewrite, redo and binary log are
    in it. It is "" where it is what InnoDB counts of itself.
    """

    requests_per_s: float | None
    bytes_per_s: float | None
    device: str

    @property
    def mean_bytes(self) -> float | None:
        """The mean size of a request; None where it is not known."""
        if not self.requests_per_s or self.bytes_per_s is None:
            return None
        return self.bytes_per_s / self.requests_per_s

    def of(self, *, in_bytes: bool) -> float | None:
        """The figure of one kind."""
        return self.bytes_per_s if in_bytes else self.requests_per_s


@dataclass(frozen=True, slots=True)
class Ceiling:
    """A limit that is not the one at hand; ``figure`` is bytes/s with ``in_bytes``."""

    name: str
    figure: float
    in_bytes: bool

    @property
    def said(self) -> str:
        """The figure in its unit."""
        return throughput(self.figure) if self.in_bytes else rate(self.figure, "requests")


def limit_reached(facts: Facts) -> At | None:
    """The share of the limit on requests that is asked for, where the limit is reached.

    The rule declares ``VOLUME_REQUEST_LIMITS`` and ``USES``.
    """
    limits, asks = facts.find(VOLUME_REQUEST_LIMITS), demand(facts).requests_per_s
    limit = None if limits is None else limits.of_volume or limits.of_machine
    if limit is None or asks is None:
        return None
    full = At(
        "the share of the limit",
        asks / limit.figure,
        of=f"{rate(asks)} / {rate(limit.figure)}",
        least=FULL,
        say=percent,
    )
    return full if full else None


def demand(facts: Facts) -> Demand:
    """Read it as the kernel counted it on the data's device, else as InnoDB counts it."""
    device = facts.find(WATCH_DATA_DEVICE)
    if device is None:
        return Demand(facts.find(REQUESTS), facts.find(BYTES), "")
    both = (device.reads, device.writes)
    return Demand(
        sum(each.per_s.value for each in both),
        sum(each.bytes_per_s for each in both) or None,
        device.name,
    )


def machines_own(facts: Facts) -> MachineLimit | None:
    """The limit of the machine by its type; None where that is not known."""
    platform = facts.find(HOST_PLATFORM)
    return None if platform is None else machine_limit(platform, facts.find(HOST_CPU_THREADS))


def next_ceiling(facts: Facts, at: Throttle, asked: Demand) -> str:
    """Name the limit that comes next, or that is nearer than this one; "" where none is known.

    The rule declares ``LIMITS`` and ``USES``.
    """
    mean, figure = asked.mean_bytes, asked.of(in_bytes=at.in_bytes)
    if mean is None or figure is None:
        return ""
    found = [(_in_unit(each, mean, in_bytes=at.in_bytes), each) for each in _others(facts, at)]
    if not found:
        return ""
    reached, ceiling = min(found, key=lambda pair: pair[0])
    if reached < at.figure:
        return (
            f" {ceiling.name} is nearer: with requests of {size(mean)} on average, "
            f"{percent(figure / reached)} of {ceiling.said} are used."
        )
    said = throughput(reached) if at.in_bytes else rate(reached, "requests")
    with_size = "" if ceiling.in_bytes is at.in_bytes else f", {said} of {size(mean)} on average"
    return f" Next comes {_lower(ceiling.name)}: {ceiling.said}{with_size}."


def _others(facts: Facts, at: Throttle) -> Iterator[Ceiling]:
    """Other limits: the one of the other kind, as seen or as sold, and the machine's."""
    seen: Limits | None = facts.find(LIMITS[0] if at.in_bytes else LIMITS[1])
    other = None if seen is None else seen.of_volume
    kind = "The limit on requests" if at.in_bytes else "The limit on throughput"
    if other is not None:
        yield Ceiling(kind, other.figure, not at.in_bytes)
    elif at.limits and (sold := sold_with(at.limits[0])) is not None:
        yield Ceiling(f"{kind} ({sold.name})", sold.base, not at.in_bytes)
    machine = machines_own(facts)
    if machine is not None:
        yield Ceiling("The machine's own limit", float(machine.lasting_per_s), in_bytes=False)


def _in_unit(ceiling: Ceiling, mean_bytes: float, *, in_bytes: bool) -> float:
    """Where a limit is reached, in requests/s or bytes/s of requests of this size."""
    if ceiling.in_bytes is in_bytes:
        return ceiling.figure
    return ceiling.figure * mean_bytes if in_bytes else ceiling.figure / mean_bytes


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]
