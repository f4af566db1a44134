"""The photo of conditions: what a contender's machine was doing while it was measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import median

from advisor.compare.contender import Contender
from probes.figures import counted, percent, size
from probes.inventory.facts import Inventory, Role
from probes.points import Point, Trust

SHARES = {"cpu_busy": "processors {} busy", "cpu_steal": "{} taken by the host (steal)"}
"""What the processors did meanwhile, in the middle of all points: conditions and their words."""


def taken(inventory: Inventory, points: Sequence[Point]) -> dict[str, str]:
    """Conditions by name that the run's own list lacks: ``governor``, ``cpu_busy``, ``cpu_steal``.

    Shares are 0..1.
    """
    found = {}
    if inventory.host is not None and inventory.host.kernel_settings.governor:
        found["governor"] = inventory.host.kernel_settings.governor
    for name in SHARES:
        known = [share for point in points if math.isfinite(share := _share(point, name))]
        if known:
            found[name] = f"{median(known):.3f}"
    return found


def drives(inventory: Inventory) -> tuple[str, ...]:
    """The disks under the probe's directory, each with its machine; () where that is not known."""
    storage, host = inventory.role(Role.PROBE), inventory.host
    if storage is None or host is None or not host.hostname:
        return ()
    return tuple(f"{host.hostname} {disk.name}" for disk in storage.disks)


def photo(contender: Contender) -> list[tuple[str, str]]:
    """Label and text of each condition that is known."""
    known = contender.conditions
    rows = [
        ("Directory", known.get("directory", "")),
        ("Drive", known.get("device", "")),
        ("Filesystem", _joined(known.get("filesystem", ""), _full(known))),
        ("Files", _bytes(known.get("file_bytes", ""))),
        ("Kernel", known.get("kernel", "")),
        ("Processors", _processors(known)),
        ("Meanwhile", _meanwhile(known)),
        ("Engine", _joined(known.get("engine", ""), known.get("engine_version", ""), " ")),
        ("Measured", _measured(contender)),
    ]
    return [(label, text) for label, text in rows if text]


def _share(point: Point, name: str) -> float:
    value = point.details.get(name)
    return float(value) if isinstance(value, int | float) else math.nan


def _number(known: Mapping[str, str], name: str) -> float:
    """A condition that is a number; nan where it is none: an import may say anything."""
    try:
        return float(known.get(name, ""))
    except ValueError:
        return math.nan


def _full(known: Mapping[str, str]) -> str:
    share = _number(known, "fill_share")
    return f"{percent(share)} full" if math.isfinite(share) else ""


def _bytes(text: str) -> str:
    return size(int(text)) if text.isdecimal() else ""


def _processors(known: Mapping[str, str]) -> str:
    governor = known.get("governor", "")
    return _joined(known.get("processors", ""), f"governor {governor}" if governor else "")


def _meanwhile(known: Mapping[str, str]) -> str:
    shares = ((_number(known, name), words) for name, words in SHARES.items())
    return ", ".join(
        words.format(percent(share)) for share, words in shares if math.isfinite(share)
    )


def _measured(contender: Contender) -> str:
    if not contender.run_ids:
        return ""
    doubtful = sum(point.trust is Trust.DOUBTFUL for point in contender.points)
    rejected = sum(point.trust is Trust.REJECTED for point in contender.points)
    counts = [counted(len(contender.run_ids), "time"), counted(len(contender.points), "point")]
    counts += [f"{doubtful} doubtful"] if doubtful else []
    counts += [f"{rejected} rejected"] if rejected else []
    return ", ".join(counts)


def _joined(one: str, other: str, between: str = ", ") -> str:
    return between.join(filter(None, (one, other)))
