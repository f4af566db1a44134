"""Which points show what a drive gives beside the advised server's own load, and what load that is.

That load is what the advice is for, so such a point keeps its trust; but it answers another
question than an idle drive's: what one more request gets. From a tenth of the drive's bytes on it
counts. The same load takes a smaller share where a probe asks for more, so the other points of the
same curve (of a mixture: at all rates of flushing) go with those that are marked, unless the load
was gone meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median

from probes.points import SERVER_LOAD, SERVER_PROBES, Point, Probe
from probes.trust.across.mixtures import together
from probes.trust.arrival.seen import Seen, as_number
from probes.trust.foreign import servers_share
from probes.trust.thresholds import FOREIGN_SHARE, SAME_LOAD


@dataclass(frozen=True, slots=True)
class ServerLoad:
    """What the server moved while a point was measured, and its share of the drive's bytes."""

    share: float
    read_bytes_per_s: float
    written_bytes_per_s: float

    @property
    def bytes_per_s(self) -> float:
        """Both ways."""
        return self.read_bytes_per_s + self.written_bytes_per_s

    @property
    def is_much(self) -> bool:
        """Whether the point does not show an idle drive: more than a tenth of the bytes."""
        return self.share > FOREIGN_SHARE


def server_load(point: Point) -> ServerLoad | None:
    """The load that a point is marked with; None for one of an idle drive."""
    reported = point.details.get(SERVER_LOAD)
    if not isinstance(reported, Mapping):
        return None
    names = ("share", "read_bytes_per_s", "written_bytes_per_s")
    return ServerLoad(*(max(0.0, as_number(reported.get(name, 0))) for name in names))


def marked_alone(point: Point) -> Point:
    """The point at its arrival, marked where it shows a server's load on its own."""
    load = None if point.setting.probe is Probe.MIXED else _load([point])
    return _with(point, load) if load is not None and load.is_much else point


def marked(points: Sequence[Point]) -> list[Point]:
    """The same points, in their order; those beside the server's load have its figures.

    Marking again changes nothing.
    """
    loads = _loads(points)
    families: dict[object, list[int]] = {}
    for index in loads:
        families.setdefault(_family(points[index]), []).append(index)
    made = list(points)
    for indexes in families.values():
        for index in _beside(indexes, loads):
            made[index] = _with(points[index], loads[index])
    return made


def _beside(indexes: Iterable[int], loads: Mapping[int, ServerLoad]) -> list[int]:
    """Of one family those beside the load: it is much, or the same as where it is much."""
    known = list(indexes)
    much = [loads[index].bytes_per_s for index in known if loads[index].is_much]
    if not much:
        return []
    least = SAME_LOAD * median(much)
    return [index for index in known if loads[index].is_much or loads[index].bytes_per_s >= least]


def _loads(points: Sequence[Point]) -> dict[int, ServerLoad]:
    """What the server did during each point, by its index; those of which nobody knows left out."""
    alone = [
        [index] for index, point in enumerate(points) if point.setting.probe is not Probe.MIXED
    ]
    found: dict[int, ServerLoad] = {}
    for indexes in (*alone, *together(points)):
        load = _load([points[index] for index in indexes])
        if load is not None:
            found.update(dict.fromkeys(indexes, load))
    return found


def _load(parts: Sequence[Point]) -> ServerLoad | None:
    """What the server did during one point, or during all parts of a mixture."""
    first = parts[0]
    if first.setting.probe in SERVER_PROBES or any(part.direct is False for part in parts):
        return None
    seen = [Seen(part, ()) for part in parts]
    server, seconds = seen[0].part("server"), first.seconds
    read, written = (as_number(server.get(name)) for name in ("read_bytes", "written_bytes"))
    if not (read >= 0 and written >= 0 and seconds > 0 and math.isfinite(read + written)):
        return None
    issued = [part.part("issued") for part in seen]
    share = servers_share(seen[0].part("device"), issued, server)
    return ServerLoad(share, read / seconds, written / seconds)


def _family(point: Point) -> object:
    """What points have in common that show one thing at several levels."""
    setting = point.setting
    if setting.probe is not Probe.MIXED:
        return point.engine, setting.curve_key
    kept = {name: each for name, each in setting.options.items() if name not in _LEVELS}
    return point.engine, replace(setting, options=kept).curve_key


_LEVELS = ("part", "flush_per_s")


def _with(point: Point, load: ServerLoad) -> Point:
    figures = {
        "share": load.share,
        "read_bytes_per_s": load.read_bytes_per_s,
        "written_bytes_per_s": load.written_bytes_per_s,
    }
    return replace(point, details={**point.details, SERVER_LOAD: figures})
