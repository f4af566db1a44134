"""Named statements about a whole run, for people: what was found out about the drive on the way."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from probes import figures
from probes.points import Curve, LimitedBy, Point, Probe, Trust
from probes.repeats import curves
from probes.trust import thresholds
from probes.trust.across.beside import clearly_faster, pairs
from probes.trust.across.caches import beside_random
from probes.trust.across.first_touch import hidden_caches
from probes.trust.across.mixtures import mixtures
from probes.trust.arrival.neighbours import foreign
from probes.trust.change_points import FACTOR, Phase, read_phases
from probes.trust.server_load import server_load
from probes.trust.surroundings import Surroundings
from probes.trust.throttle import Throttle, ThrottleEvidence, sold_at, throttles
from probes.words import PROBES

MOST_NAMES = 3
"""So many curves are named in a sentence; the points themselves tell the others."""


class FindingName(StrEnum):
    """The kinds of statements, stable: other programs may look for them."""

    NOT_A_DRIVE = "not_a_drive"
    THROTTLED = "throttled"
    HIDDEN_CACHE = "hidden_cache"
    SMALL_SET_CACHE = "small_set_cache"
    COMPRESSION = "compression"
    CLIFF = "cliff"
    FOREIGN_IO = "foreign_io"
    BESIDE_SERVER = "beside_server"
    LIMITED_BY_CPU = "limited_by_cpu"
    LIMITED_BY_PROBER = "limited_by_prober"


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement: a sentence or a few with their figures, and the points that it rests on."""

    name: FindingName
    sentence: str
    points: tuple[Point, ...]


def findings(points: Sequence[Point], surroundings: Surroundings) -> list[Finding]:
    """What the points of a run say beyond their curves; the gravest first, [] where nothing."""
    return [
        *_not_a_drive(points),
        *_throttled(points, surroundings),
        *_hidden_cache(points),
        *_faster_sets(points),
        *_cliffs(points, surroundings),
        *_foreign_io(points),
        *_beside_server(points),
        *_limited([point for point in points if not _is_hole(point)]),
    ]


def _is_hole(point: Point) -> bool:
    """Whether it read a file that was never written: of these it is known what is wrong."""
    return point.setting.options.get("set") == "sparse"


def _not_a_drive(points: Sequence[Point]) -> Iterator[Finding]:
    """How many points were rejected, and the reason that most of those with a rate share."""
    rejected = tuple(point for point in points if point.trust is Trust.REJECTED)
    telling = [point for point in rejected if point.rate_per_s > 0 and not _is_hole(point)]
    # A review's reasons come last, and say more of the drive than those of the arrival.
    reasons = [_by_kind(point) for point in telling]
    shared = Counter(kind for by_kind in reasons for kind in by_kind).most_common(1)
    if not shared:
        return
    kind, times = shared[0]
    alike = [by_kind[kind] for by_kind in reasons if kind in by_kind]
    count = "1 point" if len(rejected) == 1 else f"{len(rejected)} points"
    which = "all" if times == len(rejected) else f"{times} of them"
    if len(set(alike)) > 1:
        more = f", {which} like this one"
    elif times < len(rejected):
        more = f", {which} for this"
    else:
        more = ""
    sentence = f"{count} rejected{more}: {alike[0].rstrip('.')}."
    yield Finding(FindingName.NOT_A_DRIVE, sentence, rejected)


def _by_kind(point: Point) -> dict[str, str]:
    """Why a point was rejected, by the same without its figures; the last reason comes first."""
    return {figures.without_figures(reason): reason for reason in reversed(point.rejected_for)}


def _throttled(points: Sequence[Point], surroundings: Surroundings) -> Iterator[Finding]:
    told: set[tuple[float, bool]] = set()
    for throttle in throttles(points, surroundings):
        key = (round(throttle.figure, -1), throttle.in_bytes)
        if key in told:
            continue
        told.add(key)
        for other in throttle.others:
            figure = other.bytes_per_s if throttle.in_bytes else other.rate_per_s
            told.add((round(figure, -1), throttle.in_bytes))
        yield Finding(FindingName.THROTTLED, _throttle_sentence(throttle), throttle.plateau.points)


def _throttle_sentence(throttle: Throttle) -> str:
    flat = throttle.plateau
    first, last = flat.points[0].setting, flat.points[-1].setting
    kind = "reads" if first.probe is Probe.RANDOM_READ else "writes"
    rate = f"{figures.rate(flat.rate_per_s)} from {first.threads} to {last.threads} threads"
    if throttle.in_bytes:
        rate += f" ({figures.rated_throughput(flat.bytes_per_s)})"
    head = f"Throttled: {figures.size(first.block_size_bytes)} {kind} stay at {rate}"
    names = " or ".join(limit.name for limit in throttle.limits)
    figure = (
        figures.rated_throughput(throttle.figure)
        if throttle.in_bytes
        else figures.rate(throttle.figure)
    )
    match throttle.evidence:
        case ThrottleEvidence.SOLD:
            sentence = f"{head}; {figure} = {names}."
        case ThrottleEvidence.SAME_THROUGHPUT:
            sentence = (
                f"{head}, and {_called_all(throttle)} have the same throughput: a limit on bytes, "
                "not the drive."
            )
        case ThrottleEvidence.SAME_RATE if throttle.in_bytes:
            sentence = (
                f"{head}, and so do {_called_all(throttle)}, while smaller ones go higher: a limit "
                "on bytes, not the drive."
            )
        case ThrottleEvidence.SAME_RATE:
            sentence = (
                f"{head}, and so do {_called_all(throttle)}: a limit on requests, not the drive."
            )
        case ThrottleEvidence.ROUND:
            sold = f" ({figure} = {names})" if names else ""
            sentence = f"{head}, a round figure that looks like a limit somebody set{sold}."
    if any(limit.burst for limit in throttle.limits):
        sentence += " A burst ends when its credit is spent: a long write shows when."
    return sentence


def _called_all(throttle: Throttle) -> str:
    return " and ".join(dict.fromkeys(_called(other.points[0]) for other in throttle.others))


def _called(point: Point) -> str:
    kind = "reads" if point.setting.probe is Probe.RANDOM_READ else "writes"
    return f"{figures.size(point.setting.block_size_bytes)} {kind}"


def _hidden_cache(points: Sequence[Point]) -> Iterator[Finding]:
    for cache in hidden_caches(points):
        shown = [cache.first, cache.again]
        if cache.usual is not None:
            shown.append(cache.usual)
        yield Finding(FindingName.HIDDEN_CACHE, cache.sentence, tuple(shown))


def _faster_sets(points: Sequence[Point]) -> Iterator[Finding]:
    """The clearest case of a set that a cache holds, and of one that needs no drive."""
    small, zeros = pairs(points, "small"), beside_random(points, "zeros")
    kinds = (
        (small, thresholds.SMALL_SET_FACTOR, FindingName.SMALL_SET_CACHE, _small_sentence),
        (zeros, thresholds.ZEROS_FACTOR, FindingName.COMPRESSION, _zeros_sentence),
    )
    for beside, factor, finding, sentence in kinds:
        found = [(fast, slow) for _, fast, slow in beside if clearly_faster(fast, slow, factor)]
        if found:
            fast, slow = max(found, key=lambda pair: pair[0].rate_per_s / pair[1].rate_per_s)
            yield Finding(finding, sentence(fast, slow), (fast, slow))


def _small_sentence(small: Point, large: Point) -> str:
    threads = small.setting.threads
    return (
        f"A cache holds the small set of blocks: {figures.rate(small.rate_per_s)} against "
        f"{figures.rate(large.rate_per_s)} of the large set at {threads} "
        f"{'thread' if threads == 1 else 'threads'}. The large set feeds the rules."
    )


def _zeros_sentence(zeros: Point, usual: Point) -> str:
    return (
        f"Zeros are read at {figures.rate(zeros.rate_per_s)}, random data at "
        f"{figures.rate(usual.rate_per_s)}: something below compresses or leaves zeros out. Random "
        "data feeds the rules."
    )


def _cliffs(points: Sequence[Point], surroundings: Surroundings) -> Iterator[Finding]:
    for point in points:
        phases = read_phases(point.details)
        steps = list(itertools.pairwise(phases))
        drops = [(a, b) for a, b in steps if a.rate_per_s >= FACTOR * b.rate_per_s]
        if point.setting.probe is Probe.STEADY_WRITE and drops:
            # The largest fall is the cliff; smaller ones may be its foot.
            deepest = max(drops, key=lambda pair: pair[0].rate_per_s / max(pair[1].rate_per_s, 1))
            sentence = _cliff_sentence(*deepest, point, surroundings)
            yield Finding(FindingName.CLIFF, sentence, (point,))


def _cliff_sentence(before: Phase, after: Phase, point: Point, surroundings: Surroundings) -> str:
    setting = point.setting
    fast, slow = (phase.rate_per_s * setting.block_size_bytes for phase in (before, after))
    sold = sold_at(slow, surroundings, setting.directory, in_bytes=True)
    names = " or ".join(limit.name for limit, _ in sold)
    cause = f"that is {names}" if names else "a cache was full, or a credit was spent"
    return (
        f"A long write fell from {figures.rated_throughput(fast)} to "
        f"{figures.rated_throughput(slow)} after {figures.size(after.bytes_before)} and "
        f"{figures.seconds(after.start_s)}: {cause}. The lower figure is the sustained one."
    )


def _foreign_io(points: Sequence[Point]) -> Iterator[Finding]:
    """How many points somebody else took part in, with the worst of them."""
    seen = [(found, point) for point in points if (found := foreign(point))]
    seen += [(found, points[at]) for indexes, found in mixtures(points) for at in indexes]
    disturbed = [(found, point) for found, point in seen if found.is_much]
    if not disturbed:
        return
    worst, _ = max(disturbed, key=lambda pair: pair[0].share)
    count = "1 point" if len(disturbed) == 1 else f"{len(disturbed)} points"
    yield Finding(
        FindingName.FOREIGN_IO,
        f"Others used {worst.device or 'the device'} during {count} of {len(points)}: up to "
        f"{figures.percent(worst.share)} of its I/O. Measure again when it is quiet.",
        tuple(point for _, point in disturbed),
    )


def _beside_server(points: Sequence[Point]) -> Iterator[Finding]:
    """How many points show what the drive gives beside the server's own load."""
    seen = [(load.share, point) for point in points if (load := server_load(point)) is not None]
    if not seen:
        return
    most = max(share for share, _ in seen)
    count = "1 point" if len(seen) == 1 else f"{len(seen)} points"
    yield Finding(
        FindingName.BESIDE_SERVER,
        f"The server's own load used the drive during {count} of {len(points)}: up to "
        f"{figures.percent(most)} of its I/O. They show what the drive gives beside that "
        "load, not what it can do when idle.",
        tuple(point for _, point in seen),
    )


def _limited(points: Sequence[Point]) -> Iterator[Finding]:
    """From which thread count on something other than the drive decided, by kind of limit."""
    for limit, name, sentence in (
        (LimitedBy.CPU, FindingName.LIMITED_BY_CPU, _cpu_sentence),
        (LimitedBy.PROBER, FindingName.LIMITED_BY_PROBER, _prober_sentence),
    ):
        found = [
            curve
            for curve in curves(points)
            if any(point.limited_by is limit for point in curve.points)
        ]
        limited = tuple(
            point for curve in found for point in curve.points if point.limited_by is limit
        )
        if limited:
            yield Finding(name, sentence(found, limit), limited)


def _cpu_sentence(found: Sequence[Curve], limit: LimitedBy) -> str:
    return (
        f"The processors were busier than "
        f"{figures.percent(thresholds.BUSIEST_PROCESSORS)} {_from_levels(found, limit)}: there "
        "the figures show the CPUs' limit rather than the drive's."
    )


def _prober_sentence(found: Sequence[Curve], limit: LimitedBy) -> str:
    return (
        f"The prober came near its own limit {_from_levels(found, limit)}: there the drive may "
        "be faster than measured."
    )


def _from_levels(found: Sequence[Curve], limit: LimitedBy) -> str:
    """Say ``from 64 threads on (random read 16 KiB, page flush 16 KiB)``, the fewest first."""
    limited: dict[str, set[int]] = {}
    free: dict[str, set[int]] = {}
    for curve in found:
        size = curve.setting.block_size_bytes
        what = PROBES[curve.setting.probe].title + (f" {figures.size(size)}" if size else "")
        for point in curve.points:
            sort = limited if point.limited_by is limit else free
            sort.setdefault(what, set()).add(point.setting.threads)
    together: dict[str, list[str]] = {}
    for what in sorted(limited, key=lambda one: min(limited[one])):
        levels = _levels(sorted(limited[what]), sorted(free.get(what, ())))
        together.setdefault(levels, []).append(what)
    return ", ".join(f"{levels} ({_few(those)})" for levels, those in together.items())


def _levels(limited: Sequence[int], free: Sequence[int]) -> str:
    """Say ``at 1 and from 16 threads on``: "on" where no larger count was free of the limit."""
    beyond = free[-1] if free else 0
    after = [threads for threads in limited if threads > beyond]
    if not after or len({*limited, *free}) == 1:
        return f"at {_threads(limited)}"
    onward = f"from {_threads(after[:1])} on"
    before = [str(threads) for threads in limited if threads <= beyond]
    return f"at {figures.listed(before)} and {onward}" if before else onward


def _threads(counts: Sequence[int]) -> str:
    noun = "thread" if counts[-1] == 1 else "threads"
    return f"{figures.listed([str(each) for each in counts])} {noun}"


def _few(names: Sequence[str]) -> str:
    """All names, or the first ones and how many others there are."""
    others = len(names) - MOST_NAMES
    shown = names if others <= 1 else [*names[:MOST_NAMES], f"{others} others"]
    return ", ".join(shown)
