"""A case: what rules judge. An inventory and the points that were measured with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from advisor.tried import Pinned, RuleRecord, Tried
from probes.inventory.facts import Inventory
from probes.points import BUFFERS, Curve, Point, Probe, Setting
from probes.statistics.repeats import combined, curves
from probes.trust.across.first_touch import first_touch_instead


@dataclass(frozen=True)
class Case:
    """A target's inventory and its measured points; rules see nothing else.

    ``points`` are in the order of their arrival and carry the store's ids. ``conditions`` are
    facts about the run itself (``direct``: whether O_DIRECT worked, ``plan``, ``engine``).
    ``load_ahead`` says, in words that follow "because", why the server's counters tell too little
    of the load to come; "" where they are of it. ``flushing_asked`` is whether the load that was
    seen before asked for more flushing than is planned; None where none was seen. With ``pooled``
    the points are those of ``usable`` already, and those that compare buffers: nothing is combined
    again. ``curves_id`` is the run that measured the points, where ``run_id`` is another, which saw
    the server. ``tried`` is what labs and trials have found for this target, the latest first.
    ``records`` are what rules' advice came to on all targets, ``pins`` what a person keeps here.
    """

    target: str
    inventory: Inventory
    points: tuple[Point, ...] = ()
    run_id: int | None = None
    conditions: Mapping[str, str] = field(default_factory=dict)
    load_ahead: str = ""
    flushing_asked: bool | None = None
    pooled: bool = False
    tried: tuple[Tried, ...] = ()
    records: tuple[RuleRecord, ...] = ()
    pins: tuple[Pinned, ...] = ()
    curves_id: int | None = None

    @property
    def engine(self) -> str:
        """Which engine measured first: a second one only cross-checks, and feeds no rule."""
        return self.points[0].engine if self.points else ""

    @cached_property
    def plain(self) -> tuple[Point, ...]:
        """The points that speak for the target: of the first engine, none that explain others.

        Where a cache below O_DIRECT answered the usual reads, first touches stand in for them.
        Repeats of a setting are one point. Where a curve was measured on the idle drive and beside
        the server's own load, one of both stands: see ``_of_one_load``.
        """
        if self.pooled:
            return tuple(each for each in self.points if BUFFERS not in each.setting.options)
        return _of_one_load(
            point
            for point in combined(first_touch_instead(self.points))
            if point.engine == self.engine and not explains(point.setting)
        )

    @cached_property
    def usable(self) -> tuple[Point, ...]:
        """Those of the plain points that tell anything: all but the rejected ones."""
        return self.plain if self.pooled else tuple(p for p in self.plain if p.usable)

    @cached_property
    def comparing_buffers(self) -> tuple[Point, ...]:
        """Those of the first engine that hold two kinds of buffers against each other, each alone.

        They tell what the kind is worth, and nothing else.
        """
        return tuple(
            point
            for point in self.points
            if BUFFERS in point.setting.options and point.engine == self.engine and point.usable
        )

    def curves(
        self,
        probe: Probe,
        *,
        block_size_bytes: int | None = None,
        files: int | None = None,
        **options: str,
    ) -> list[Curve]:
        """The curves of a probe that match, of their usable points."""
        chosen = [
            point
            for point in self.usable
            if point.setting.probe is probe
            and (block_size_bytes is None or point.setting.block_size_bytes == block_size_bytes)
            and (files is None or point.setting.files == files)
            and all(point.setting.options.get(name) == value for name, value in options.items())
        ]
        return curves(chosen)


def _of_one_load(points: Iterable[Point]) -> tuple[Point, ...]:
    """Of each curve the points of the idle drive or those beside the server's own load, never both.

    Those that reach over more settings stand, of equally many those of the idle drive.
    """
    known = list(points)
    levels: dict[object, tuple[set[int], set[int]]] = {}
    for point in known:
        both = levels.setdefault(point.setting.curve_key, (set(), set()))
        if point.usable:
            both[point.beside_server].add(point.setting.threads)
    beside = {key for key, (idle, loaded) in levels.items() if len(loaded) > len(idle)}
    return tuple(
        point
        for point in known
        if not all(levels[point.setting.curve_key])
        or point.beside_server == (point.setting.curve_key in beside)
    )


def explains(setting: Setting) -> bool:
    """Whether a setting was measured to judge others by: a small set, a first touch, zeros.

    Two kinds of buffers beside each other tell what the kind is worth, and nothing else.
    """
    return not setting.options.keys().isdisjoint(("set", "touch", BUFFERS))
