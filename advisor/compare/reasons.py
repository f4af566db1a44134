"""Why figures of two contenders may not be compared, each as a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from advisor.buffers import buffers_text
from advisor.compare.contender import Contender
from advisor.compare.matching import CurveKind
from probes.figures import counted, percent, size
from probes.imports.apart import DEPTH, PER_TRANSACTION, statements_words
from probes.kinds.table import PROBES
from probes.kinds.words import BESIDE_SERVER
from probes.points import BUFFERS, Curve, Point, Probe, Setting, Trust

FILE_RATIO = 1.25
"""Files whose sizes differ by more meet caches differently."""

FILL_DIFFERENCE = 0.15
"""How much fuller one file system may be: a full flash drive writes more slowly."""

BLOCK_PROBES = (Probe.RANDOM_READ, Probe.RANDOM_WRITE, Probe.REDO_SYNC, Probe.PAGE_FLUSH)


@dataclass(frozen=True, slots=True)
class Reason:
    """Something to know before figures are compared.

    ``aspect`` is stable (``same_disk``, ``filesystem``, ``file_bytes``, ``files``, ``fill_share``,
    ``block_size``, ``buffers``, ``transactions``, ``in_flight``, ``server_load``, ``engine``,
    ``engine_version``, ``doubtful``, ``tail_latency``), ``sentence`` is for people. ``unknown`` is
    what may be alike, but is not known.
    """

    aspect: str
    sentence: str
    unknown: bool = False


def reasons(
    contenders: Sequence[Contender], sides: Sequence[Mapping[CurveKind, Curve]]
) -> tuple[Reason, ...]:
    """All that differs or is unknown and may explain a difference on its own.

    What weighs most comes first, and what is merely not known last.
    """
    found = [
        reason
        for each in (
            _same_disk(contenders),
            _server_load(contenders),
            _filesystem(contenders),
            _file_bytes(contenders),
            _fill(contenders),
            _block_sizes(contenders, sides),
            _files(contenders, sides),
            _buffers(contenders),
            _transactions(contenders),
            _in_flight(contenders, sides),
            _engine(contenders),
            _doubtful(contenders),
        )
        for reason in each
    ]
    return tuple(sorted(found, key=lambda reason: reason.unknown))


def _same_disk(contenders: Sequence[Contender]) -> Iterator[Reason]:
    """One sentence for each disk that several of them share."""
    shared: dict[str, list[str]] = {}
    for each in contenders:
        for drive in each.drives:
            shared.setdefault(drive, []).append(each.name)
    for names in dict.fromkeys(tuple(found) for found in shared.values() if len(found) > 1):
        yield Reason(
            "same_disk",
            f"{' and '.join(names)} are on the same disk: a difference between them is not the "
            "drive's.",
        )


def _filesystem(contenders: Sequence[Contender]) -> Iterator[Reason]:
    known = _known(contenders, "filesystem")
    if len({value for _, value in known}) > 1:
        yield Reason("filesystem", f"The filesystems differ: {_listed(known)}.")
    yield from _unknown("filesystem", "filesystem", contenders, known)


def _file_bytes(contenders: Sequence[Contender]) -> Iterator[Reason]:
    known = [(each, int(value)) for each, value in _numbers(contenders, "file_bytes") if value > 0]
    sizes = [value for _, value in known]
    if sizes and max(sizes) > min(sizes) * FILE_RATIO:
        listing = _listed([(each, size(value)) for each, value in known])
        yield Reason(
            "file_bytes",
            f"The files' sizes differ: {listing}. Caches hold more of a smaller file.",
        )
    yield from _unknown("file_bytes", "size of the files", contenders, known)


def _fill(contenders: Sequence[Contender]) -> Iterator[Reason]:
    known = _numbers(contenders, "fill_share")
    shares = [value for _, value in known]
    if shares and max(shares) - min(shares) > FILL_DIFFERENCE:
        listing = _listed([(each, percent(value)) for each, value in known])
        yield Reason(
            "fill_share",
            f"The filesystems are filled differently: {listing}."
            " A flash drive that is nearly full writes more slowly.",
        )
    yield from _unknown("fill_share", "fill level", contenders, known)


def _block_sizes(
    contenders: Sequence[Contender], sides: Sequence[Mapping[CurveKind, Curve]]
) -> Iterator[Reason]:
    for probe in BLOCK_PROBES:
        measured = [
            (each, {kind.block_size_bytes for kind in side if kind.probe is probe})
            for each, side in zip(contenders, sides, strict=True)
        ]
        known = [(each, sizes) for each, sizes in measured if sizes]
        if len(known) > 1 and not set.intersection(*(sizes for _, sizes in known)):
            listing = _listed(
                [(each, ", ".join(map(size, sorted(found)))) for each, found in known]
            )
            yield Reason(
                "block_size", f"The block sizes of {PROBES[probe].operations} differ: {listing}."
            )


def _files(
    contenders: Sequence[Contender], sides: Sequence[Mapping[CurveKind, Curve]]
) -> Iterator[Reason]:
    for probe in (Probe.RANDOM_READ, Probe.RANDOM_WRITE):
        measured = [
            (each, {kind.many_files for kind in side if kind.probe is probe})
            for each, side in zip(contenders, sides, strict=True)
        ]
        known = [(each, many) for each, many in measured if many]
        if len(known) > 1 and not set.intersection(*(many for _, many in known)):
            listing = _listed([(each, "many" if True in many else "one") for each, many in known])
            more = (
                " Direct writes to one file may come one after the other."
                if probe is Probe.RANDOM_WRITE
                else ""
            )
            yield Reason(
                "files", f"The files of {PROBES[probe].operations} differ: {listing}.{more}"
            )


def _buffers(contenders: Sequence[Contender]) -> Iterator[Reason]:
    known = [(each, text) for each in contenders if (text := buffers_text(each.usable))]
    kinds = {point.buffers for each in contenders for point in each.usable if _usual(point)}
    if len(kinds - {None}) > 1:
        yield Reason(
            "buffers",
            f"The memory that blocks lie in differs: {_listed(known)}. In ordinary pages a block is"
            " a request in up to one piece for each 4 KiB, in huge pages always in one.",
        )


def _transactions(contenders: Sequence[Contender]) -> Iterator[Reason]:
    """What transactions were made of: others are another load, and other keys."""
    made_of: list[tuple[Contender, set[str]]] = []
    for each in contenders:
        settings = [p.setting for p in each.usable if p.setting.probe is Probe.OLTP]
        if settings:
            made_of.append((each, {_statements(setting) for setting in settings}))
    if len(made_of) > 1 and not set.intersection(*(words for _, words in made_of)):
        listing = _listed([(each, ", ".join(sorted(words))) for each, words in made_of])
        yield Reason(
            "transactions", f"The transactions differ: {listing}. Their rates don't compare."
        )


def _statements(setting: Setting) -> str:
    """``14 reads and 4 writes``, or what else is known of one transaction's statements."""
    words = setting.options.get(PER_TRANSACTION, "")
    return statements_words(words) if words else "nobody says how many statements each had"


def _in_flight(
    contenders: Sequence[Contender], sides: Sequence[Mapping[CurveKind, Curve]]
) -> Iterator[Reason]:
    """The first level at which as many requests in flight came about in two ways."""
    for kind in dict.fromkeys(kind for side in sides for kind in side):
        ways: dict[int, list[tuple[Contender, int]]] = {}
        for each, side in zip(contenders, sides, strict=True):
            for point in side[kind].points if kind in side else ():
                depth = point.details.get(DEPTH)
                if isinstance(depth, int) and 0 < depth <= point.setting.threads:
                    ways.setdefault(point.setting.threads, []).append((each, depth))
        for threads, found in ways.items():
            if len({depth for _, depth in found}) > 1:
                listing = _listed([(each, _jobs(threads // depth, depth)) for each, depth in found])
                yield Reason(
                    "in_flight",
                    f"{counted(threads, 'request')} in flight of {PROBES[kind.probe].operations} "
                    f"came about in two ways: {listing}. They are not one setting.",
                )
                break


def _jobs(jobs: int, depth: int) -> str:
    return f"{counted(jobs, 'job')} with {counted(depth, 'request')} each"


def _server_load(contenders: Sequence[Contender]) -> Iterator[Reason]:
    """Named wherever there is any, since nobody's load is another's."""
    loaded = [(each, sum(p.beside_server for p in each.points)) for each in contenders]
    if any(count for _, count in loaded):
        listing = _listed(
            [
                (each, f"{count} of {counted(len(each.points), 'point')}" if count else "none")
                for each, count in loaded
            ]
        )
        yield Reason(
            "server_load",
            f"Points were measured {BESIDE_SERVER}: {listing}. They show what is left beside that"
            " load, not what an idle drive gives.",
        )


def _usual(point: Point) -> bool:
    """Whether it is none of those that compare both kinds on purpose."""
    return BUFFERS not in point.setting.options


def _engine(contenders: Sequence[Contender]) -> Iterator[Reason]:
    known = [(each, name) for each in contenders if (name := _engine_name(each))]
    if len({name for _, name in known}) > 1:
        yield Reason(
            "engine",
            f"Different programs measured: {_listed(known)}. Each counts and waits in its own way.",
        )
    yield from _unknown("engine", "program that measured", contenders, known)
    for name, group in groupby(sorted(known, key=lambda pair: pair[1]), key=lambda pair: pair[1]):
        versions = _known([each for each, _ in group], "engine_version")
        if len({version for _, version in versions}) > 1:
            yield Reason("engine_version", f"Versions of {name} differ: {_listed(versions)}.")


def _engine_name(contender: Contender) -> str:
    """Without a version that may stand behind it: ``sysbench 0.4``, ``fio-3.33``."""
    words = contender.conditions.get("engine") or contender.engine
    name = words.split()[0] if words.split() else ""
    head, dash, tail = name.rpartition("-")
    return head if dash and tail[:1].isdigit() else name


def _doubtful(contenders: Sequence[Contender]) -> Iterator[Reason]:
    """One sentence for what is doubtful and one for what is rejected, however many have such."""
    for trust, word, what in (
        (Trust.DOUBTFUL, "doubtful", "Compare with care."),
        (Trust.REJECTED, "rejected", "They are left out here."),
    ):
        counts = [(each, sum(p.trust is trust for p in each.points)) for each in contenders]
        listing = _listed(
            [
                (each, f"{number} of {counted(len(each.points), 'point')}")
                for each, number in counts
                if number
            ]
        )
        if listing:
            yield Reason("doubtful", f"{word.capitalize()}: {listing}. {what}")


def _known(contenders: Sequence[Contender], name: str) -> list[tuple[Contender, str]]:
    return [(each, value) for each in contenders if (value := each.conditions.get(name, ""))]


def _numbers(contenders: Sequence[Contender], name: str) -> list[tuple[Contender, float]]:
    """The conditions that are numbers; an import may say anything."""
    found = []
    for each, text in _known(contenders, name):
        try:
            found.append((each, float(text)))
        except ValueError:
            continue
    return found


def _listed(known: Sequence[tuple[Contender, str]]) -> str:
    """``ext4 – run 3 (db7); xfs – run 5 (db8) and run 6 (db9)``."""
    names: dict[str, list[str]] = {}
    for each, value in known:
        names.setdefault(value, []).append(each.name)
    return "; ".join(f"{value} – {' and '.join(found)}" for value, found in names.items())


def _unknown(
    aspect: str,
    what: str,
    contenders: Sequence[Contender],
    known: Sequence[tuple[Contender, object]],
) -> Iterator[Reason]:
    missing = [each.name for each in contenders if all(each is not other for other, _ in known)]
    if missing:
        names = " and ".join(missing)
        yield Reason(aspect, f"The {what} is not known of: {names}.", unknown=True)
