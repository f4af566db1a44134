"""Builds a Case from a few lines of TOML, so that a rule's cases can be read at a glance.

Curves are rows of [threads, rate per s] or [threads, rate per s, median latency in µs]; without a
latency it is threads / rate, as it must be when all threads always have one request in flight.
``flush`` holds pages/s by the way of doublewrite (off, on, legacy);
``mixed`` are rows of [pages flushed per s, median of reads in µs, median of commits in µs].
``buffers`` are reads/s at 64 threads by the kind of memory (ordinary, huge), a list for each.
``commits`` are rows of redo appends with fdatasync, as curves are; ``binlog_sync`` is ``sync`` with
a binlog synced too. ``samples`` are a status value's [before, after]; ``storage`` are fields of
every directory, ``where`` those of one role; ``server`` are fields of MySQLFacts,
``process`` those of the server's process.
``long_write`` are rows of [seconds, pages/s] of one long write. ``options`` are lines of option
files, "/etc/my.cnf:12 innodb_io_capacity = 400" or with a group before the name ("[mariadb] ..."),
with a "?" before what is no option; ``ages_s`` how long ago a file was written to, ``unread`` why
one was not read, ``ends`` why a start ends in it and at which line.
``told`` is what a person said of a machine that can't be asked: ``memory_bytes``,
``machine_class``, ``volume_requests_per_s``, ``volume_bytes_per_s``.
``load_ahead`` says why the counters are not of the load to come, ``flushing_asked`` what the load
before it asked for.
``taken_at`` is when the inventory was taken, ``vendor`` the server's where its version tells none.
``watched`` is what the watch saw, see ``watched_work.py``.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields as fields_of
from dataclasses import replace
from typing import Any

from advisor.case import Case
from probes.doubts import Doubt
from probes.inventory.facts import (
    CpuFacts,
    Disk,
    HostFacts,
    Inventory,
    Layer,
    Missing,
    MySQLFacts,
    Partition,
    Role,
    StatusWindow,
    Storage,
    Variable,
)
from probes.inventory.kernel_facts import KernelFacts
from probes.inventory.option_files import Ending, OptionFile, OptionFileLine, OptionFiles
from probes.inventory.server_process import ServerProcess
from probes.points import Point, Probe, Setting, Trust
from probes.targets.address import StatedMachine
from probes.trust.change_points import Phase
from probes.version import ServerVersion
from tests.points import doubted, point
from tests.rules.watched_work import WINDOW_S, watched_work

CURVES = {
    "reads_4k": (Probe.RANDOM_READ, 4096, 1),
    "reads_8k": (Probe.RANDOM_READ, 8192, 1),
    "reads_16k": (Probe.RANDOM_READ, 16384, 1),
    "reads_64k": (Probe.RANDOM_READ, 65536, 1),
    "writes_one": (Probe.RANDOM_WRITE, 16384, 1),
    "writes_many": (Probe.RANDOM_WRITE, 16384, 16),
}


def build(spec: Mapping[str, Any]) -> Case:
    """Make the case that ``spec`` describes."""
    ids = itertools.count(1)
    points: list[Point] = []
    for name, (probe, size, files) in CURVES.items():
        for row in spec.get(name, ()):
            setting = Setting(probe, int(row[0]), size, files, "/probe")
            points.append(_point(setting, row[1:], next(ids), direct=spec.get("direct", True)))
    for way, rate in spec.get("flush", {}).items():
        setting = Setting(Probe.PAGE_FLUSH, 4, 16384, 1, "/probe", {"doublewrite": way})
        points.append(point(setting, rate, id=next(ids), direct=True, engine="test"))
    for row in spec.get("mixed", ()):
        points += _mixture(row, ids)
    for word, p50_us in spec.get("sync", {}).items():
        setting = Setting(Probe.REDO_SYNC, 1, 4096, 1, "/probe", {"sync": word})
        points.append(point(setting, 1e6 / p50_us, p50_us=p50_us, id=next(ids), engine="test"))
    points += _buffers(spec, ids)
    points += _commits(spec, ids)
    points += _long_write(spec, ids)
    trust = Trust(spec.get("trust", "ok"))
    doubts = doubted(*spec.get("trust_reasons", ()), rejects=trust is Trust.REJECTED)
    trusted = tuple(_trusted(points, trust, doubts))
    ahead, asked = spec.get("load_ahead", ""), spec.get("flushing_asked")
    return Case("test", _inventory(spec), trusted, load_ahead=ahead, flushing_asked=asked)


def _point(
    setting: Setting, figures: Sequence[float], identity: int, *, direct: bool | None
) -> Point:
    """One point from its rate and, if given, its median latency."""
    p50_us = float(figures[1]) if len(figures) > 1 else None
    return point(
        setting, float(figures[0]), p50_us=p50_us, id=identity, direct=direct, engine="test"
    )


def _commits(spec: Mapping[str, Any], ids: Iterator[int]) -> Iterator[Point]:
    for row in spec.get("commits", ()):
        setting = Setting(Probe.REDO_SYNC, int(row[0]), 4096, 1, "/probe", {"sync": "fdatasync"})
        yield _point(setting, row[1:], next(ids), direct=None)
    for word, p50_us in spec.get("binlog_sync", {}).items():
        setting = Setting(Probe.REDO_SYNC, 1, 4096, 1, "/probe", {"sync": word, "binlog": "1"})
        yield point(setting, 1e6 / p50_us, p50_us=p50_us, id=next(ids), engine="test")


def _buffers(spec: Mapping[str, Any], ids: Iterator[int]) -> Iterator[Point]:
    """Both kinds of memory beside each other, at 64 threads."""
    for kind, rates in spec.get("buffers", {}).items():
        for rate in rates:
            setting = Setting(Probe.RANDOM_READ, 64, 16384, 1, "/probe", {"buffers": kind})
            one = point(setting, rate, id=next(ids), direct=True, engine="test")
            yield replace(one, details={"buffers": kind})


def _long_write(spec: Mapping[str, Any], ids: Iterator[int]) -> Iterator[Point]:
    """One long write from rows of [seconds, pages/s]."""
    start_s, written, phases = 0.0, 0.0, []
    for seconds, rate in spec.get("long_write", ()):
        before = round(written * 16384)
        phases.append(Phase(start_s, seconds, rate, before).as_detail())
        start_s, written = start_s + seconds, written + seconds * rate
    if phases:
        setting = Setting(Probe.STEADY_WRITE, 16, 16384, 1, "/probe")
        long = point(setting, written / start_s, id=next(ids), engine="test")
        yield replace(long, details={"phases": phases})


def _mixture(row: Sequence[float], ids: Iterator[int]) -> Iterator[Point]:
    """Reads, commits and flushing at once: [pages/s flushed, reads' median, commits' median]."""
    flushed, read_us, commit_us = row
    figures = {"reads": (16e6 / read_us, read_us), "redo": (1e6 / commit_us, commit_us)}
    if flushed:
        figures["flush"] = (flushed, 5000.0)
    for part, (rate, p50_us) in figures.items():
        options = {"part": part, "flush_per_s": f"{flushed:.0f}", "doublewrite": "on"}
        setting = Setting(Probe.MIXED, 16, 16384, 1, "/probe", {**options, "sync": "fdatasync"})
        yield point(setting, rate, p50_us=p50_us, id=next(ids), direct=None, engine="test")


def _trusted(points: Iterable[Point], trust: Trust, doubts: tuple[Doubt, ...]) -> Iterable[Point]:
    return (replace(one, trust=trust, doubts=doubts) for one in points)


def _inventory(spec: Mapping[str, Any]) -> Inventory:
    return Inventory(
        taken_at=spec.get("taken_at", "2026-01-01T00:00:00Z"),
        host=_host(spec.get("host")),
        storage=_storages(spec),
        mysql=_mysql(spec),
        missing=tuple(Missing(*pair) for pair in spec.get("missing", {}).items()),
        server_process=ServerProcess(7, **spec["process"]) if "process" in spec else None,
        option_files=_option_files(spec) if "options" in spec else None,
        watched=watched_work(spec.get("watched")),
        told=StatedMachine(**spec["told"]) if "told" in spec else None,
    )


def _option_files(spec: Mapping[str, Any]) -> OptionFiles:
    lines = tuple(_option_line(text) for text in spec["options"])
    ages, unread, ends = (spec.get(name, {}) for name in ("ages_s", "unread", "ends"))
    return OptionFiles(
        tuple(
            OptionFile(
                path,
                ages.get(path, 1e6),
                because=unread.get(path, ""),
                ends=Ending(ends[path][0]) if path in ends else None,
                line=ends[path][1] if path in ends else 0,
            )
            for path in dict.fromkeys([*(line.file for line in lines), *unread, *ends])
        ),
        lines,
        none=spec.get("no_defaults", False),
    )


def _option_line(text: str) -> OptionFileLine:
    place, _, line = text.strip().partition(" ")
    file, _, number = place.rpartition(":")
    group = "mysqld"
    if line.startswith("["):
        group, _, line = line[1:].partition("] ")
    if line.startswith("?"):
        return OptionFileLine(file, int(number), group, "", None, line[1:])
    name, equals, value = (part.strip() for part in line.partition("="))
    return OptionFileLine(file, int(number), group, name, value if equals else None, line)


def _host(facts: Mapping[str, Any] | None) -> HostFacts | None:
    if facts is None:
        return None
    sizes = {
        f"{name}_bytes": int(facts[f"{name}_gib"] * 2**30)
        for name in ("memory", "memory_limit")
        if f"{name}_gib" in facts
    }
    return HostFacts(
        **{"hostname": "db", **sizes, **_known(HostFacts, facts)},
        cpu=CpuFacts(
            threads=facts.get("cpus"),
            cores=facts.get("cores"),
            sockets=facts.get("sockets"),
            numa_nodes=facts.get("numa_nodes"),
        ),
        kernel_settings=KernelFacts(**_known(KernelFacts, facts)),
    )


def _known(kind: type[Any], facts: Mapping[str, Any]) -> dict[str, Any]:
    names = {field.name for field in fields_of(kind)}
    return {name: value for name, value in _fields(facts).items() if name in names}


def _storages(spec: Mapping[str, Any]) -> tuple[Storage, ...]:
    drive = spec.get("drive")
    if drive is None:
        return ()
    fields = {key: value for key, value in drive.items() if key != "filesystem"}
    disk = Disk(**{"name": "vda", **_fields(fields)})
    where = {Role(name): fields for name, fields in spec.get("where", {}).items()}
    roles = dict.fromkeys((Role.PROBE, Role.DATA, Role.REDO, *where))
    apart = {Role(name): Disk(f"other-{name}") for name in spec.get("elsewhere", ())}
    return tuple(
        replace(
            Storage(
                role,
                f"/{role}",
                filesystem=drive.get("filesystem", "ext4"),
                disks=(apart.get(role, disk),),
            ),
            **_fields(spec.get("storage", {}) | where.get(role, {})),
        )
        for role in roles
    )


PARTS = {"layers": Layer, "partitions": Partition, "disks": Disk}


def _fields(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name: _value(PARTS.get(name), value) for name, value in table.items()}


def _value(part: Any, value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return tuple(part(**row) for row in value) if part else tuple(value)


def _mysql(spec: Mapping[str, Any]) -> MySQLFacts | None:
    if "version" not in spec:
        return None
    variables = spec.get("variables", {})
    return MySQLFacts(
        version=replace(
            ServerVersion.parse(spec["version"]),
            **({"vendor": spec["vendor"]} if "vendor" in spec else {}),
        ),
        variables={
            name: Variable(name, value, spec.get("origin", {}).get(name, ""))
            for name, value in variables.items()
        },
        window=_window(spec),
        sandbox=spec.get("sandbox", False),
        **spec.get("server", {}),
    )


def _window(spec: Mapping[str, Any]) -> StatusWindow | None:
    rates, gauges = spec.get("rates", {}), spec.get("gauges", {})
    samples = spec.get("samples", {})
    if not rates and not gauges and not samples:
        return None
    seconds = spec.get("window_s", WINDOW_S)
    still = {name: str(value) for name, value in gauges.items()}
    before = dict.fromkeys(rates, "1000")
    after = {name: str(1000 + value * seconds) for name, value in rates.items()}
    before |= {name: str(pair[0]) for name, pair in samples.items()}
    after |= {name: str(pair[1]) for name, pair in samples.items()}
    return StatusWindow(seconds, before | still, after | still)
