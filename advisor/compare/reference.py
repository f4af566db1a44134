"""Published figures to lay a curve over: the tables in ``resources/reference``.

Each file holds one publication: who wrote it and when, what holds for all of its figures, and a
contender for each drive or server that was measured. Figures that the author rounded, or gave
only in relation to others, are marked or left out.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import resources
from typing import Any

from advisor.compare.contender import Contender
from probes.points import Latency, Point, Probe, Setting


def library() -> list[Contender]:
    """Every published table, the newest year first, then in the order of the publication."""
    return list(_library())


@cache
def _library() -> tuple[Contender, ...]:
    folder = resources.files("resources") / "reference"
    publications = [
        tomllib.loads(file.read_text(encoding="utf-8"))
        for file in sorted(folder.iterdir(), key=lambda each: each.name)
        if file.name.endswith(".toml")
    ]
    publications.sort(key=lambda publication: -int(publication["year"]))
    return tuple(each for publication in publications for each in _contenders(publication))


def _contenders(publication: Mapping[str, Any]) -> Iterator[Contender]:
    for content in publication["contender"]:
        engine = str(publication["engine"])
        yield Contender(
            name=content["title"],
            source=_source(publication),
            conditions={**publication["conditions"], **content.get("conditions", {})},
            points=tuple(point for curve in content["curve"] for point in _points(curve, engine)),
            key=content["key"],
            caveats=(*content.get("caveats", ()), *publication["caveats"]),
        )


def _source(publication: Mapping[str, Any]) -> str:
    source = f"{publication['year']}, {publication['author']}, {publication['publication']}"
    return f"{source}, {publication['url']}" if publication["url"] else source


def _points(curve: Mapping[str, Any], engine: str) -> Iterator[Point]:
    rates: Sequence[float] = curve["rate_per_s"]
    p95s_us: Sequence[float] = curve.get("p95_us", [math.nan] * len(rates))
    for threads, rate, p95_us in zip(curve["threads"], rates, p95s_us, strict=True):
        setting = Setting(
            Probe(curve["probe"]),
            threads,
            curve.get("block_size_bytes", 0),
            curve.get("files", 1),
            options=curve.get("options", {}),
        )
        yield _point(setting, engine, rate, p95_us, curve)


def _point(
    setting: Setting, engine: str, rate: float, p95_us: float, curve: Mapping[str, Any]
) -> Point:
    unknown = math.nan
    return Point(
        setting=setting,
        engine=engine,
        seconds=float(curve.get("seconds", unknown)),
        operations=0,
        rate_per_s=float(rate),
        ci95_per_s=(unknown, unknown),
        latency=Latency(unknown, unknown, float(p95_us), unknown, unknown, unknown),
        histogram="",
        cpu_user_us_per_op=unknown,
        cpu_system_us_per_op=unknown,
        direct=curve.get("direct"),
        warmup_s=unknown,
    )
