"""What the server asks of its volume in requests and in bytes, and which limit comes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.facts.machine.machine_limits import HOST_VOLUME_LIMITS, VOLUME_STATED
from advisor.facts.watched.drive import WATCH_DATA_DEVICE
from advisor.facts.watched.held_volume import Held
from advisor.facts.watched.peak import VolumePeak
from advisor.facts.watched.volumes import (
    LOAD_BYTES,
    LOAD_REQUESTS,
    STATUS_IO_BYTES,
    STATUS_IO_REQUESTS,
    VOLUME_REQUEST_LIMITS,
    VOLUME_THROUGHPUT_LIMITS,
    Limits,
    is_machines,
    limit_text,
)
from advisor.knowledge.machine_limits import Cap
from advisor.rulekit import At, Facts
from probes.figures import io_rate, percent, size
from probes.kinds.words import inside
from probes.trust.provisioned import ProvisionedLimit, sold_with
from probes.trust.throttle import MATCH, Throttle

REQUESTS, BYTES = STATUS_IO_REQUESTS, STATUS_IO_BYTES
LIMITS = (VOLUME_REQUEST_LIMITS, VOLUME_THROUGHPUT_LIMITS)
LOADS = (LOAD_REQUESTS, LOAD_BYTES)
USES = (REQUESTS, BYTES, *LOADS, WATCH_DATA_DEVICE, HOST_VOLUME_LIMITS)

AnyLimit = Throttle | Cap | Held
"""A limit of the volume: seen in curves, stated by its user, or seen in a watch."""

MUCH = 0.5
"""From this share of a limit on the server may soon be held up by it (our choice)."""

NEAR = 0.8
"""From this share of a limit on it is worth a line that peaks may reach it (our choice)."""

FULL = 0.9
"""From this share of a limit on the server is held up by it (our choice)."""


@dataclass(frozen=True, slots=True)
class Demand:
    """What is asked of the volume per second, None where that is not known.

    ``device`` is where the kernel counted it, whoever asked: doublewrite, redo and binary log are
    in it. It is "" where it is what InnoDB counts of itself; then what was seen of the binary log
    is added, of logs a request for each sync, and all is the ``least`` that there is.
    """

    requests_per_s: float | None
    bytes_per_s: float | None
    device: str
    least: bool = False

    @property
    def at_least(self) -> str:
        """Before a figure, where more may be asked; else ""."""
        return "at least " if self.least else ""

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
class VolumeCeiling:
    """A limit that is not the one at hand; ``figure`` is bytes/s with ``in_bytes``.

    ``as_sold`` is known from what such a volume is sold with alone, so that no rule judges it.
    """

    name: str
    figure: float
    in_bytes: bool
    of_machine: bool = False
    as_sold: bool = False

    @property
    def inside(self) -> str:
        """Its name within a sentence."""
        return inside(self.name)

    @property
    def text(self) -> str:
        """The figure in its unit."""
        return io_rate(self.figure, in_bytes=self.in_bytes)

    def reached(self, mean_bytes: float, *, in_bytes: bool) -> float:
        """Where it is reached, in bytes/s or requests/s of requests of this size."""
        if self.in_bytes is in_bytes:
            return self.figure
        return self.figure * mean_bytes if in_bytes else self.figure / mean_bytes


@dataclass(frozen=True, slots=True)
class LimitReached:
    """A limit that is used up: the share of it that is asked for; ``text`` names it."""

    share: At
    text: str
    in_bytes: bool


def limit_reached(facts: Facts, least: float = FULL) -> LimitReached | None:
    """The limit of volume or machine that is used most, from a share of it on; None where none is.

    The rule declares ``LIMITS`` and ``LOADS``.
    """
    found = []
    for fact, load, in_bytes in zip(LIMITS, LOADS, (False, True), strict=True):
        limits, asks = facts.find(fact), facts.find(load)
        figure = None if limits is None else _seen_or_stated(limits)
        if limits is None or figure is None or asks is None:
            continue
        of = f"{io_rate(asks, in_bytes=in_bytes)} / {io_rate(figure, in_bytes=in_bytes)}"
        share = At("share of the limit", asks / figure, of=of, least=least, say=percent)
        if share:
            throttle = limits.of_volume or limits.of_machine
            text = io_rate(figure, in_bytes=in_bytes) if throttle is None else limit_text(throttle)
            found.append(LimitReached(share, text, in_bytes))
    return max(found, key=lambda each: each.share.value, default=None)


def _seen_or_stated(limits: Limits) -> float | None:
    if limits.seen is None and limits.stated is not None:
        return limits.stated.lasting
    return limits.seen


def demand(facts: Facts) -> Demand:
    """Read it as the kernel counted it on the data's device, else as the server counts it.

    The rule declares ``USES``.
    """
    device = facts.find(WATCH_DATA_DEVICE)
    requests, moved = facts.find(LOAD_REQUESTS), facts.find(LOAD_BYTES)
    if device is not None:
        return Demand(requests, moved or None, device.name)
    own = facts.find(REQUESTS)
    return Demand(requests, moved, "", own is not None and requests is not None and own != requests)


@dataclass(frozen=True, slots=True)
class MostAsked:
    """The most that was asked per second; ``when`` that was, as words after a figure."""

    per_s: float
    when: str


def most_asked(mean: float | None, peak: VolumePeak | None, *, in_bytes: bool) -> MostAsked | None:
    """The worst second of a watch, else the mean; None where neither is known.

    The kernel's mean on the device may be more than the worst second of InnoDB's own counters.
    """
    worst = None if peak is None else peak.of(in_bytes=in_bytes)
    if peak is not None and worst is not None and worst >= (mean or 0.0):
        return MostAsked(worst, f"in the worst of {peak.seconds} seconds")
    return None if mean is None else MostAsked(mean, "on average")


@dataclass(frozen=True, slots=True)
class Nearest:
    """The limit that comes next; ``at`` is where it is reached in the figure of the one at hand."""

    at: float
    ceiling: VolumeCeiling


def nearest(
    facts: Facts, at: AnyLimit, asked: Demand, beside: VolumeCeiling | None = None
) -> Nearest | None:
    """Find the limit that ends more of this kind first; None where none is known.

    ``beside`` is the volume's limit of the other kind once more of this one is bought, where that
    raises a stated one, too. The rule declares ``LIMITS``, ``VOLUME_STATED`` where the limit was
    stated, and ``USES``.
    """
    in_bytes, mean = at.in_bytes, asked.mean_bytes
    found = [
        Nearest(each.reached(mean or 0.0, in_bytes=in_bytes), each)
        for each in _others(facts, at, beside)
        if mean or each.in_bytes is in_bytes
    ]
    return min(found, key=lambda each: each.at, default=None)


def next_ceiling(
    facts: Facts, at: AnyLimit, asked: Demand, beside: VolumeCeiling | None = None
) -> str:
    """Name the limit that comes next, or that is nearer than this one; "" where none is known.

    The rule declares what ``nearest`` asks for.
    """
    mean, figure, in_bytes = asked.mean_bytes, asked.of(in_bytes=at.in_bytes), at.in_bytes
    found = nearest(facts, at, asked, beside)
    if mean is None or figure is None or found is None:
        return ""
    ceiling = found.ceiling
    if found.at < _figure(at):
        return (
            f" {ceiling.name} is nearer: with requests of {size(mean)} on average, "
            f"{percent(figure / found.at)} of {ceiling.text} are used."
        )
    text = io_rate(found.at, in_bytes=in_bytes)
    # Bytes that follow from a limit on requests are no limit that anybody set.
    with_size = f", {text} of {size(mean)} on average" if ceiling.in_bytes and not in_bytes else ""
    return f" Next comes {ceiling.inside}: {ceiling.text}{with_size}."


def _figure(at: AnyLimit) -> float:
    return at.lasting if isinstance(at, Cap) else at.figure


def _others(facts: Facts, at: AnyLimit, beside: VolumeCeiling | None) -> Iterator[VolumeCeiling]:
    """Other limits: the volume's of the other kind, and the machine's."""
    if isinstance(at, Cap):
        yield from _others_than_stated(facts, at, beside)
        return
    if isinstance(at, Held):
        if (sold := _sold_beside(at.limits, at.figure)) is not None:
            yield sold
        yield from _machines_for(facts, at.limits)
        return
    yield from _others_than_seen(facts, at)


_KINDS = {False: "The limit on requests", True: "The limit on throughput"}
"""The volume's limits, by whether they are on bytes."""


def _others_than_seen(facts: Facts, at: Throttle) -> Iterator[VolumeCeiling]:
    """Other limits: the one of the other kind, as seen or as sold, and the machine's."""
    seen: Limits | None = facts.find(LIMITS[0] if at.in_bytes else LIMITS[1])
    other = None if seen is None else seen.of_volume
    if other is not None:
        yield VolumeCeiling(_KINDS[not at.in_bytes], other.figure, not at.in_bytes)
    elif (sold := _sold_beside(at.limits, at.figure)) is not None and not _beyond(at, sold.figure):
        yield sold
    for each in _machines_for(facts, at.limits):
        if each.in_bytes is not at.in_bytes or not is_machines(at):
            yield each


def _others_than_stated(
    facts: Facts, at: Cap, beside: VolumeCeiling | None
) -> Iterator[VolumeCeiling]:
    """Its limit of the other kind, as stated or as it will be, and the class's."""
    stated = facts.find(VOLUME_STATED)
    other = None if stated is None else stated.of(in_bytes=not at.in_bytes)
    if beside is not None and (other is None or other.lasting < beside.figure):
        yield beside
    elif other is not None:
        kind = "requests" if at.in_bytes else "throughput"
        yield VolumeCeiling(f"The volume's stated limit on {kind}", other.lasting, other.in_bytes)
    yield from _machines(facts, "The class's own limit")


def _sold_beside(limits: Sequence[ProvisionedLimit], figure: float) -> VolumeCeiling | None:
    """The limit of the other kind that a volume of this figure is sold with; None if unknown."""
    sold = sold_with(limits[0], figure) if limits else None
    if sold is None:
        return None
    limit, other = sold
    kind = _KINDS[limit.in_bytes]
    return VolumeCeiling(f"{kind} ({limit.name})", other, limit.in_bytes, as_sold=True)


def _beyond(at: Throttle, sold: float) -> bool:
    """Whether the drive itself was seen to do more than what such a volume is sold with."""
    flat = at.plateau
    return (flat.rate_per_s if at.in_bytes else flat.bytes_per_s) > (1 + MATCH) * sold


def _machines_for(facts: Facts, sold: Sequence[ProvisionedLimit]) -> Iterator[VolumeCeiling]:
    """The machine's limits, as far as they are those on such a volume.

    Those that follow from its processors alone are on disks whose figures come with their size
    (Persistent Disk). What is bought apart from it (Hyperdisk) has others with each series.
    """
    limits = facts.find(HOST_VOLUME_LIMITS)
    by_size = any(each.per_gib or each.machine for each in sold)
    if limits is not None and (limits.name or by_size):
        yield from _machines(facts)


def _machines(facts: Facts, name: str = "The machine's own limit") -> Iterator[VolumeCeiling]:
    limits = facts.find(HOST_VOLUME_LIMITS)
    for cap in () if limits is None else limits.caps:
        yield VolumeCeiling(name, cap.lasting, cap.in_bytes, of_machine=True)
