"""Why a point may not stand for its drive, as sentences."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

from probes import figures
from probes.doubts import Doubt, DoubtKind, Figure
from probes.figures import THIN, UNKNOWN
from probes.inventory.facts import BUS_LABELS
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
    """A sentence with places for figures, and the same without them, for several points."""

    of_one: str
    of_several: str = ""


_SYNC = "Syncs came back too fast to be durable"

_WORDS: Mapping[DoubtKind, _Words] = {
    DoubtKind.NOTHING_FINISHED: _Words("Nothing finished within the time."),
    DoubtKind.SWUNG: _Words(
        f"The rate swung: its 95{THIN}% interval goes from {{low_per_s}} to {{high_per_s}}.",
        "The rate swung.",
    ),
    DoubtKind.STEPPED: _Words(
        "The rate stepped from {first_per_s} to {next_per_s} after {after_s}{then}: the mean is "
        "neither.",
        "The rate stepped from one level to another.",
    ),
    DoubtKind.NOT_SETTLED: _Words(
        "The rate had not settled when its time was up: it {way} from {before_per_s} in the first "
        "half to {after_per_s} in the second.",
        "The rate had not settled when its time was up.",
    ),
    DoubtKind.FAILED_OPERATIONS: _Words("{operations} failed.", "Operations failed."),
    DoubtKind.MISSING_ROWS: _Words(
        "{lookups} found no row, which is less work.",
        "Lookups found no row, which is less work.",
    ),
    DoubtKind.FEWER_THREADS: _Words(
        "Only {ran} of {asked} threads could be started.", "Fewer threads could be started."
    ),
    DoubtKind.FOREIGN_IO: _Words(
        "Others used {device} during the point: {did}, {share} of its I/O.",
        "Others used {device} during the point.",
    ),
    DoubtKind.STOLEN_TIME: _Words(
        "The host gave {share} of the processors' time to others (steal).",
        "The host gave the processors' time to others (steal).",
    ),
    DoubtKind.STOLEN_AND_SWUNG: _Words(
        "A noisy neighbour: the host gave {share} of the processors' time to others (steal) while "
        "the rate swung by {swing_share}.",
        "A noisy neighbour.",
    ),
    DoubtKind.PROBER_LIMIT: _Words(
        "The prober itself reaches {ceiling_per_s} in memory here; at {share} of that the drive "
        "may do more than was seen.",
        "The prober came near its own limit.",
    ),
    DoubtKind.CLOCK_FREQUENCY: _Words(
        f"The processors' clock changed from {{before_mhz}} to {{after_mhz}}{THIN}MHz during the "
        "point.",
        "The processors' clock changed.",
    ),
    DoubtKind.CLOCK_JUMP: _Words(
        "The clock jumped {way} by {jump_us} during the point: the machine was paused or moved, or "
        "its time was set.",
        "The clock jumped during the point.",
    ),
    DoubtKind.BUFFERED: _Words(
        "The filesystem refused O_DIRECT, so the page cache took part and the figure may be "
        "memory's."
    ),
    DoubtKind.UNSEEN_READS: _Words(
        "Of {asked_bytes} that were read past the page cache, {device} saw {seen_bytes}: something "
        "above it answered.",
        "The device did not see what was read past the page cache.",
    ),
    DoubtKind.UNSEEN_SYNCS: _Words(
        "Of {syncs} syncs, {device} saw {writes} writes: something above it said yes.",
        "The device did not see the syncs.",
    ),
    DoubtKind.CACHE_BELOW: _Words(
        "A cache below O_DIRECT answers what was read before: {again_per_s} against {first_per_s} "
        "at the first touch of each block.",
        "A cache below O_DIRECT answers what was read before.",
    ),
    DoubtKind.OTHER_PAGES: _Words(
        "Its blocks lay in {kind} pages of memory, those of most other points in {usual} ones.",
    ),
    DoubtKind.NO_DRIVE_ASKED: _Words(
        "A commit took {took_us}: no drive was asked; the fastest with protected memory need "
        f"{figures.duration_us(thresholds.NO_DRIVE_SYNC_US)} and more.",
        "No drive was asked.",
    ),
    DoubtKind.ABOVE_ROTATION_SYNC: _Words(
        "A commit took {took_us}, but a disk needs "
        f"{figures.duration_us(thresholds.ROTATING_SYNC_US)} to turn: the sync ended in a cache "
        "that may be lost.",
        _SYNC + ".",
    ),
    DoubtKind.UNPROTECTED_SYNC: _Words(
        "A commit took {took_us}: too fast to be durable, unless the drive has protected memory "
        "that it does not report.",
        _SYNC + ", unless the drive has protected memory that it does not report.",
    ),
    DoubtKind.SYNC_BELOW_WRITE: _Words(
        "An append and its sync took {took_us}, a mere direct write {write_us}: the sync can't "
        "have reached the drive.",
        "Syncs took less than a mere write: they can't have reached the drive.",
    ),
    DoubtKind.WITHOUT_BARRIERS: _Words(
        "The filesystem is mounted with {option}: a sync does not make the drive empty its cache."
    ),
    DoubtKind.IN_MEMORY: _Words("{what} lives in memory: no drive was measured."),
    DoubtKind.IMPOSSIBLE_LATENCY: _Words(
        "A read took {took_us}: too fast for any drive, the fastest needs "
        f"{figures.duration_us(thresholds.LEAST_READ_US)}. This is memory.",
        "Reads were too fast for any drive: this is memory.",
    ),
    DoubtKind.ABOVE_BUS: _Words(
        "{moved_bytes_per_s} is more than {bus} can carry ({most_bytes_per_s}): a cache gave it.",
        "More came than {bus} can carry: a cache gave it.",
    ),
    DoubtKind.ABOVE_ROTATION: _Words(
        "{reads_per_s} random reads are more than {disks} can do (at most {most_per_s}): a cache "
        "gave some of them.",
        "Random reads are more than rotating disks can do: a cache gave some of them.",
    ),
    DoubtKind.OWN_CACHE: _Words(
        "{filesystem} may accept O_DIRECT and still answer from its own cache."
    ),
    DoubtKind.PASSED_ON: _Words(
        "{filesystem} hides whether O_DIRECT reached a drive, and {took_us} a read looks like "
        "memory.",
        "{filesystem} hides whether O_DIRECT reached a drive, and its reads look like memory.",
    ),
    DoubtKind.SMALL_SET: _Words(
        "A cache holds this small set: {small_per_s} against {large_per_s} of the large one.",
        "A cache holds this small set.",
    ),
    DoubtKind.ZEROS: _Words(
        "Zeros are read at {zeros_per_s}, random data at {random_per_s}: something below "
        "compresses or leaves them out.",
        "Zeros are read faster than random data: something below compresses or leaves them out.",
    ),
    DoubtKind.HOLES: _Words(
        "Blocks that were never written come at {holes_per_s}, written ones at {random_per_s}: "
        "holes are answered without the drive.",
        "Holes are answered without the drive.",
    ),
}


def sentence(doubt: Doubt) -> str:
    """The reason with the point's own figures."""
    if doubt.kind is DoubtKind.STATED:
        return str(doubt.figures.get("text", ""))
    return _WORDS[doubt.kind].of_one.format_map(_texts(doubt))


def in_general(doubt: Doubt) -> str:
    """The same for several points that have it, without the figures of each."""
    if doubt.kind is DoubtKind.STATED:
        return doubt.key
    words = _WORDS[doubt.kind]
    return (words.of_several or words.of_one).format_map(_texts(doubt))


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
