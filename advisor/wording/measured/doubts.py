"""Why a point may not stand for its drive, as sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from probes import figures
from probes.doubts import Doubt, DoubtKind, Figure
from probes.figures import THIN, UNKNOWN
from probes.inventory.facts import BUS_LABELS
from probes.kinds.words import capital
from probes.trust import thresholds
from probes.trust.foreign import BLOCK_BYTES

_SAY: Mapping[str, Callable[[float], str]] = {
    "bytes": figures.size,
    "bytes_per_s": figures.rated_throughput,
    "mhz": figures.count,
    "per_s": figures.rate,
    "s": figures.seconds,
    "share": figures.percent,
    "us": figures.duration_us,
}
"""How a figure is said, by the unit that its name ends in; others are counts."""


class _Words(NamedTuple):
    """A clause with places for figures, and the same without them, for several points."""

    of_one: str
    of_several: str = ""


_SYNC = "syncs came back too fast to be durable"

_WORDS: Mapping[DoubtKind, _Words] = {
    DoubtKind.NOTHING_FINISHED: _Words("nothing finished within the time"),
    DoubtKind.SWUNG: _Words(
        f"the rate swung: its 95{THIN}% interval goes from {{low_per_s}} to {{high_per_s}}",
        "the rate swung",
    ),
    DoubtKind.STEPPED: _Words(
        "the rate stepped from {first_per_s} to {next_per_s} after {after_s}{then}: the mean is "
        "neither",
        "the rate stepped from one level to another",
    ),
    DoubtKind.NOT_SETTLED: _Words(
        "the rate had not settled when its time was up: it {way} from {before_per_s} in the first "
        "half to {after_per_s} in the second",
        "the rate had not settled when its time was up",
    ),
    DoubtKind.FAILED_OPERATIONS: _Words("{operations} failed", "operations failed"),
    DoubtKind.MISSING_ROWS: _Words(
        "{lookups} found no row, which is less work",
        "lookups found no row, which is less work",
    ),
    DoubtKind.FEWER_THREADS: _Words(
        "only {ran} of {asked} threads could be started", "fewer threads could be started"
    ),
    DoubtKind.FOREIGN_IO: _Words(
        "others used {device} during the point: {did}, {share} of its I/O",
        "others used {device} during the point",
    ),
    DoubtKind.STOLEN_TIME: _Words(
        "the host gave {share} of the processors' time to others (steal)",
        "the host gave the processors' time to others (steal)",
    ),
    DoubtKind.STOLEN_AND_SWUNG: _Words(
        "a noisy neighbour: the host gave {share} of the processors' time to others (steal) while "
        "the rate swung by {swing_share}",
        "a noisy neighbour",
    ),
    DoubtKind.PROBER_LIMIT: _Words(
        "the prober itself reaches {ceiling_per_s} in memory here; at {share} of that the drive "
        "may do more than was seen",
        "the prober came near its own limit",
    ),
    DoubtKind.CLOCK_FREQUENCY: _Words(
        f"the processors' clock changed from {{before_mhz}} to {{after_mhz}}{THIN}MHz during the "
        "point",
        "the processors' clock changed",
    ),
    DoubtKind.CLOCK_JUMP: _Words(
        "the clock jumped {way} by {jump_us} during the point: the machine was paused or moved, or "
        "its time was set",
        "the clock jumped during the point",
    ),
    DoubtKind.BUFFERED: _Words(
        "the filesystem refused O_DIRECT, so the page cache took part and the figure may be "
        "memory's"
    ),
    DoubtKind.UNSEEN_READS: _Words(
        "of {asked_bytes} that were read past the page cache, {device} saw {seen_bytes}: something "
        "above it answered",
        "the device did not see what was read past the page cache",
    ),
    DoubtKind.UNSEEN_SYNCS: _Words(
        "of {syncs} syncs, {device} saw {writes} writes: something above it said yes",
        "the device did not see the syncs",
    ),
    DoubtKind.CACHE_BELOW: _Words(
        "a cache below O_DIRECT answers what was read before: {again_per_s} against {first_per_s} "
        "at the first touch of each block",
        "a cache below O_DIRECT answers what was read before",
    ),
    DoubtKind.OTHER_PAGES: _Words(
        "its blocks lay in {kind} pages of memory, those of most other points in {usual} ones",
    ),
    DoubtKind.NO_DRIVE_ASKED: _Words(
        "a commit took {took_us}: no drive was asked; the fastest with protected memory need "
        f"{figures.duration_us(thresholds.NO_DRIVE_SYNC_US)} and more",
        "no drive was asked",
    ),
    DoubtKind.ABOVE_ROTATION_SYNC: _Words(
        "a commit took {took_us}, but a disk needs "
        f"{figures.duration_us(thresholds.ROTATING_SYNC_US)} to turn: the sync ended in a cache "
        "that may be lost",
        _SYNC,
    ),
    DoubtKind.UNPROTECTED_SYNC: _Words(
        "a commit took {took_us}: too fast to be durable, unless the drive has protected memory "
        "that it does not report",
        _SYNC + ", unless the drive has protected memory that it does not report",
    ),
    DoubtKind.SYNC_BELOW_WRITE: _Words(
        "an append and its sync took {took_us}, a mere direct write {write_us}: the sync can't "
        "have reached the drive",
        "syncs took less than a mere write: they can't have reached the drive",
    ),
    DoubtKind.WITHOUT_BARRIERS: _Words(
        "the filesystem is mounted with {option}: a sync does not make the drive empty its cache"
    ),
    DoubtKind.IN_MEMORY: _Words("{what} lives in memory: no drive was measured"),
    DoubtKind.IMPOSSIBLE_LATENCY: _Words(
        "a read took {took_us}: too fast for any drive, the fastest needs "
        f"{figures.duration_us(thresholds.LEAST_READ_US)}. This is memory",
        "reads were too fast for any drive: this is memory",
    ),
    DoubtKind.ABOVE_BUS: _Words(
        "{moved_bytes_per_s} is more than {bus} can carry ({most_bytes_per_s}): a cache gave it",
        "more came than {bus} can carry: a cache gave it",
    ),
    DoubtKind.ABOVE_ROTATION: _Words(
        "{reads_per_s} random reads are more than {disks} can do (at most {most_per_s}): a cache "
        "gave some of them",
        "random reads are more than rotating disks can do: a cache gave some of them",
    ),
    DoubtKind.OWN_CACHE: _Words(
        "{filesystem} may accept O_DIRECT and still answer from its own cache"
    ),
    DoubtKind.PASSED_ON: _Words(
        "{filesystem} hides whether O_DIRECT reached a drive, and {took_us} a read looks like "
        "memory",
        "{filesystem} hides whether O_DIRECT reached a drive, and its reads look like memory",
    ),
    DoubtKind.SMALL_SET: _Words(
        "a cache holds this small set: {small_per_s} against {large_per_s} of the large one",
        "a cache holds this small set",
    ),
    DoubtKind.ZEROS: _Words(
        "zeros are read at {zeros_per_s}, random data at {random_per_s}: something below "
        "compresses or leaves them out",
        "zeros are read faster than random data: something below compresses or leaves them out",
    ),
    DoubtKind.HOLES: _Words(
        "blocks that were never written come at {holes_per_s}, written ones at {random_per_s}: "
        "holes are answered without the drive",
        "holes are answered without the drive",
    ),
}


def sentence(doubt: Doubt, end: str = ".") -> str:
    """The reason with the point's own figures; ``end`` is "" where the sentence goes on."""
    if doubt.kind is DoubtKind.STATED:
        return _stated(str(doubt.figures.get("text", "")), end)
    return f"{capital(_WORDS[doubt.kind].of_one).format_map(_texts(doubt))}{end}"


def clause(doubt: Doubt) -> str:
    """The same as the last part of a sentence, without a full stop."""
    if doubt.kind is DoubtKind.STATED:
        return sentence(doubt, "")
    return _WORDS[doubt.kind].of_one.format_map(_texts(doubt))


def in_general(doubt: Doubt, end: str = ".") -> str:
    """The sentence for several points that have it, without the figures of each."""
    if doubt.kind is DoubtKind.STATED:
        return _stated(doubt.key, end)
    words = _WORDS[doubt.kind]
    return f"{capital(words.of_several or words.of_one).format_map(_texts(doubt))}{end}"


def _stated(text: str, end: str) -> str:
    """What another program reported or a kept run says, as it stands."""
    return text if end else text.rstrip(".")


class _Texts(dict[str, str]):
    """Figures as they are said; one that a damaged file left out is unknown."""

    def __missing__(self, name: str) -> str:
        return UNKNOWN


def _texts(doubt: Doubt) -> _Texts:
    """Its figures with their units, and what follows from them."""
    known = doubt.figures
    texts = {name: _figure(name, figure) for name, figure in known.items()}
    if "device" in known:
        texts["device"] = texts["device"] or "the device"
    return _Texts(texts | _MORE.get(doubt.kind, _nothing_more)(known))


def _figure(name: str, figure: Figure) -> str:
    if isinstance(figure, str):
        return figure
    if not math.isfinite(figure):
        return UNKNOWN
    units = (unit for unit in _UNITS if name == unit or name.endswith(f"_{unit}"))
    return _SAY.get(next(units, ""), figures.count)(figure)


_UNITS = sorted(_SAY, key=len, reverse=True)


def _nothing_more(_: Mapping[str, Figure]) -> dict[str, str]:
    return {}


def _number(known: Mapping[str, Figure], name: str) -> float:
    """A figure to reckon with; 0 for one that a damaged file left out or made no number."""
    figure = known.get(name, 0.0)
    return figure if not isinstance(figure, str) and math.isfinite(figure) else 0.0


def _stepped(known: Mapping[str, Figure]) -> dict[str, str]:
    last = known.get("last_per_s")
    return {"then": "" if last is None else f", then to {_figure('last_per_s', last)}"}


def _not_settled(known: Mapping[str, Figure]) -> dict[str, str]:
    rose = _number(known, "after_per_s") > _number(known, "before_per_s")
    return {"way": "rose" if rose else "fell"}


def _jumped(known: Mapping[str, Figure]) -> dict[str, str]:
    jump_s = _number(known, "jump_s")
    return {
        "way": "forward" if jump_s > 0 else "back",
        "jump_us": figures.duration_us(abs(jump_s) * 1e6),
    }


def _foreign(known: Mapping[str, Figure]) -> dict[str, str]:
    what = [
        _requests(_number(known, f"{name}s"), name, _number(known, f"{moved}_bytes"))
        for name, moved in (("read", "read"), ("write", "written"))
    ]
    return {"did": " and ".join(filter(None, what))}


def _requests(number: float, name: str, moved_bytes: float) -> str:
    """``57 writes (230 KiB)``; bytes alone where merging left no more requests than were issued."""
    if number < LEAST_REQUESTS:
        return f"{figures.size(moved_bytes)} of {name}s" if moved_bytes >= BLOCK_BYTES else ""
    requests = figures.counted(number, name)
    return f"{requests} ({figures.size(moved_bytes)})" if moved_bytes else requests


LEAST_REQUESTS = 0.5
"""Fewer are none: they are what is left of a difference."""


def _bus(known: Mapping[str, Figure]) -> dict[str, str]:
    buses = str(known.get("buses", ""))
    labels = [BUS_LABELS.get(bus, bus) for bus in buses.split(",")] if buses else []
    disks = _number(known, "disks")
    several = f"{disks:.0f} disks on " if disks > 1 else ""
    return {"bus": f"{several}{' and '.join(sorted(labels))}" if labels else "any drive"}


def _counted(name: str, noun: str) -> Callable[[Mapping[str, Figure]], dict[str, str]]:
    return lambda known: {name: figures.counted(_number(known, name), noun)}


_MORE: Mapping[DoubtKind, Callable[[Mapping[str, Figure]], dict[str, str]]] = {
    DoubtKind.STEPPED: _stepped,
    DoubtKind.NOT_SETTLED: _not_settled,
    DoubtKind.CLOCK_JUMP: _jumped,
    DoubtKind.FOREIGN_IO: _foreign,
    DoubtKind.FAILED_OPERATIONS: _counted("operations", "operation"),
    DoubtKind.MISSING_ROWS: _counted("lookups", "lookup"),
    DoubtKind.ABOVE_BUS: _bus,
    DoubtKind.ABOVE_ROTATION: _counted("disks", "rotating disk"),
}
"""What a sentence says besides the figures as they are."""
