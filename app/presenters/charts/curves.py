"""Measured points sorted into pictures: what a chart draws."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from advisor.case import explains
from app.presenters.charts.axes import Along, Axis, flush_axis, thread_axis
from app.presenters.probe.kinds import Differences
from app.presenters.texts.phrases import BY_WORKERS
from app.runtime.translation import tr
from probes.kinds.flush import PARTS
from probes.kinds.table import PROBES
from probes.kinds.words import capital, unit
from probes.points import Point, Probe, Setting, Trust
from probes.statistics.repeats import combined

Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Series:
    """One curve: ``points`` ascend along ``axis``; ``index`` picks its colour, dash and marker.

    ``key`` identifies this curve among all others, the same from one redraw to the next.
    """

    name: str
    index: int
    axis: Axis
    points: tuple[Point, ...]
    key: Key

    @property
    def line(self) -> tuple[Point, ...]:
        """The points that the line runs through: all but the rejected."""
        return tuple(point for point in self.points if point.trust is not Trust.REJECTED)

    def at(self, position: float) -> Point | None:
        """The point measured at ``position`` (log2), None when there is none."""
        return next((point for point in self.line if self._lies(point, position)), None)

    def rejected_at(self, position: float) -> bool:
        """Whether what was measured at ``position`` was rejected."""
        return self.at(position) is None and any(
            self._lies(point, position) for point in self.points
        )

    def _lies(self, point: Point, position: float) -> bool:
        return abs(self.axis.place(point.setting) - position) < 1e-6


@dataclass(frozen=True, slots=True)
class Picture:
    """Curves of one probe (of mixed: of one part) over one axis, to be drawn into one chart.

    ``planned`` are the positions (log2) of all settings, measured or still to come.
    """

    probe: Probe
    axis: Axis
    series: tuple[Series, ...]
    planned: tuple[float, ...]
    part: str = ""

    @property
    def key(self) -> str:
        """What distinguishes this picture from the others of a run."""
        return f"{self.probe.value}-{(self.part or self.axis.along.value).replace(' ', '-')}"

    @property
    def title(self) -> str:
        """What the chart is called."""
        title = capital(PROBES[self.probe].title)
        return f"{title}: {PARTS[self.part][0]}" if self.part in PARTS else title

    @property
    def aspect(self) -> str:
        """What distinguishes this picture from others of the same probe, in words."""
        if self.part:
            return capital(PARTS[self.part][0] if self.part in PARTS else self.part)
        if self.axis.along is Along.BLOCK_SIZE:
            return tr("By block size")
        return BY_WORKERS[self.axis.noun]

    @property
    def unit(self) -> str:
        """What the rate counts: reads, writes, ..."""
        options = {"part": self.part} if self.part else {}
        return unit(Setting(self.probe, 1, options=options))

    @property
    def latency_of(self) -> str:
        """Whose latency is drawn: ``a batch`` of page flushing, else nothing special."""
        flushing = self.probe is Probe.PAGE_FLUSH or self.part == "flush"
        return tr("Latency of a batch") if flushing else tr("Latency")

    @property
    def listed(self) -> tuple[Series, ...]:
        """The curves as lists have them: those that others are judged by tell less."""
        return tuple(
            sorted(self.series, key=lambda one: any(explains(each.setting) for each in one.points))
        )

    @property
    def positions(self) -> list[float]:
        """Where anything was measured, on the log2 axis, ascending."""
        return sorted({self.axis.place(point.setting) for point in self.points})

    @property
    def points(self) -> list[Point]:
        """All points, curve by curve."""
        return [point for series in self.series for point in series.points]

    def holds(self, setting: Setting) -> bool:
        """Whether a setting's point belongs here."""
        own = setting.probe is self.probe and setting.options.get("part", "") == self.part
        sizes = self.axis.along is Along.BLOCK_SIZE
        return own and not (sizes and setting.threads != 1 and self.probe is Probe.REDO_SYNC)

    def index_of(self, setting: Setting) -> int | None:
        """The index of the curve to which a setting belongs; None while it has no point yet."""
        key = curve_key(setting, self.axis)
        return next((one.index for one in self.series if one.key[0] == key), None)

    def nearest(self, position: float) -> float | None:
        """The measured position nearest to ``position``; a readout never interpolates."""
        return min(self.positions, key=lambda known: abs(known - position), default=None)


def curve_key(setting: Setting, axis: Axis) -> Key:
    """What all points of one curve share, the engine left out."""
    flushing = axis.along is Along.FLUSH_RATE
    options = sorted(setting.options.items())
    if flushing:
        options = [(name, text) for name, text in options if name != "flush_per_s"]
    fixed = (setting.probe, setting.files, setting.directory, tuple(options))
    if axis.along is Along.BLOCK_SIZE:
        return fixed
    if flushing:
        return (*fixed, setting.block_size_bytes, setting.threads)
    return (*fixed, setting.block_size_bytes)


def pictures(
    points: Iterable[Point], coming: Sequence[Setting] = (), *, over: bool = False
) -> list[Picture]:
    """The pictures of each probe, in the order of ``Probe``.

    ``coming`` are the plan's settings, measured or not: they decide early which axes there are and
    how far they reach, so that nothing jumps while points arrive. When all is ``over``, the axes
    reach as far as anything was measured: an adaptive plan leaves out what adds nothing.
    """
    return Gallery().pictures(points, coming, over=over)


class Gallery:
    """Makes pictures again and again of a run that grows: only those that have grown."""

    def __init__(self) -> None:
        self._made: dict[Probe, tuple[_Grounds, list[Picture]]] = {}

    def pictures(
        self, points: Iterable[Point], coming: Sequence[Setting] = (), *, over: bool = False
    ) -> list[Picture]:
        """What ``pictures`` gives; the same object for what is as it was."""
        measured, planned = list(points), _with_parts(coming)
        found = []
        for probe in Probe:
            grounds = _Grounds(
                [point for point in measured if point.setting.probe is probe],
                [setting for setting in planned if setting.probe is probe],
                over,
            )
            before = self._made.get(probe)
            if before is None or not grounds.same(before[0]):
                before = self._made[probe] = (grounds, grounds.pictures())
            found += before[1]
        return found


@dataclass(frozen=True, slots=True)
class _Grounds:
    """What the pictures of one probe are made of."""

    measured: list[Point]
    planned: list[Setting]
    over: bool

    def same(self, other: _Grounds) -> bool:
        if (self.over, len(self.measured)) != (other.over, len(other.measured)):
            return False
        alike = all(map(operator.is_, self.measured, other.measured))
        return alike and self.planned == other.planned

    def pictures(self) -> list[Picture]:
        made = []
        settings = [point.setting for point in self.measured] + self.planned
        for part in sorted({one.options.get("part", "") for one in settings}, key=_part_rank):
            shared = [one for one in settings if one.options.get("part", "") == part]
            found = _sorted_out(shared)
            made += [_picture(axis, chosen, self.measured, part) for axis, chosen in found]
        return [_closed(picture) for picture in made if picture.series] if self.over else made


def _closed(picture: Picture) -> Picture:
    """A picture that will not grow any more."""
    return replace(picture, planned=tuple(picture.positions))


def _with_parts(coming: Iterable[Setting]) -> list[Setting]:
    """The settings with all parts of mixed, of which a plan may name but one."""
    made: list[Setting] = []
    for setting in coming:
        if setting.probe is Probe.MIXED:
            made += [replace(setting, options={**setting.options, "part": part}) for part in PARTS]
        else:
            made.append(setting)
    return made


def _part_rank(part: str) -> int:
    return list(PARTS).index(part) if part in PARTS else len(PARTS)


def _sorted_out(settings: Sequence[Setting]) -> list[tuple[Axis, list[Setting]]]:
    """The axes on which one probe's settings are drawn, with those that lie on each."""
    probe = settings[0].probe
    if probe is Probe.MIXED:
        return [(flush_axis(settings), list(settings))]
    sizes = Axis(Along.BLOCK_SIZE)
    if probe is not Probe.REDO_SYNC:
        by_size = along(settings) is Along.BLOCK_SIZE
        return [(sizes if by_size else thread_axis(probe), list(settings))]
    alone = [one for one in settings if one.threads == 1]
    groups: dict[Key, set[int]] = {}
    for one in settings:
        groups.setdefault(curve_key(one, thread_axis(probe)), set()).add(one.threads)
    grouped = [one for one in settings if groups[curve_key(one, thread_axis(probe))] - {1}]
    if len({one.block_size_bytes for one in alone}) < 2:
        return [(thread_axis(probe), list(settings))]
    made = [(sizes, alone)]
    return [*made, (thread_axis(probe), grouped)] if grouped else made


def along(settings: Iterable[Setting]) -> Along:
    """Threads, unless only block sizes differ."""
    known = list(settings)
    one_thread = len({setting.threads for setting in known}) == 1
    sizes = len({setting.block_size_bytes for setting in known})
    return Along.BLOCK_SIZE if one_thread and sizes > 1 else Along.THREADS


def _picture(
    axis: Axis, settings: Sequence[Setting], measured: Sequence[Point], part: str
) -> Picture:
    probe = settings[0].probe
    held = {_spot(setting, axis) for setting in settings}
    drawn = [
        point
        for point in measured
        if point.setting.probe is probe and _spot(point.setting, axis) in held
    ]
    planned = sorted({axis.place(setting) for setting in settings})
    return Picture(probe, axis, _series(drawn, settings, axis), tuple(planned), part)


def _spot(setting: Setting, axis: Axis) -> Key:
    """A setting as something that can be looked up."""
    return (curve_key(setting, axis), axis.place(setting), setting.threads)


def _series(points: Sequence[Point], settings: Sequence[Setting], axis: Axis) -> tuple[Series, ...]:
    """Points by curve; those of a second engine make curves of their own, behind the first's.

    So do those beside the server's own load, behind the idle drive's: a key has ten of them, so it
    says that in three words, and a point's remarks in a sentence. Repeats of a setting are
    drawn as the one point that rules read of them.
    """
    main = points[0].engine if points else ""
    slots: dict[Key, Setting] = {}
    for setting in sorted(settings, key=lambda one: _rank(one, axis)):
        slots.setdefault((curve_key(setting, axis), "", False), setting)
    groups: dict[Key, dict[float, list[Point]]] = {}
    for point in points:
        engine = "" if point.engine == main else point.engine
        slot = (curve_key(point.setting, axis), engine, point.beside_server)
        slots.setdefault(slot, point.setting)
        groups.setdefault(slot, {}).setdefault(axis.place(point.setting), []).append(point)
    engines = {slot[1] for slot in groups}
    order = list(slots)
    differences = Differences(
        settings,
        sizes=axis.along is not Along.BLOCK_SIZE,
        readers=axis.along is Along.FLUSH_RATE,
    )
    return tuple(
        Series(
            ", ".join(
                text
                for text in (
                    differences.of(slots[slot]) or capital(PROBES[slots[slot].probe].title),
                    str(slot[1] or main) if len(engines) > 1 else "",
                    tr("beside the server") if slot[2] else "",
                )
                if text
            ),
            order.index(slot),
            axis,
            tuple(combined(groups[slot][at])[-1] for at in sorted(groups[slot])),
            slot,
        )
        for slot in order
        if slot in groups
    )


def _rank(setting: Setting, axis: Axis) -> tuple[int, int, int]:
    """Small blocks first, then in the plan's order: a curve keeps its colour through a run."""
    size_rank = 0 if axis.along is Along.BLOCK_SIZE else setting.block_size_bytes
    readers = setting.threads if axis.along is Along.FLUSH_RATE else 0
    return (size_rank, readers, setting.files)
