"""Queries at work and what they wait for: Little's law, held to what files, devices and
processors did.

``work`` of a case says how many queries are ``running``, how many of them are in which of the
``waits`` (reads, commits, processors, and any that nobody times, by the name that people give it),
and how many are ``unexplained``. All of it together is what is running.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from probes.figures import count, duration_us, size
from tests.rules.coherence.counters import (
    NEAR,
    SOME,
    number,
    opens_direct,
    page_bytes,
    writes_twice,
)

Spec = Mapping[str, Any]

READS, COMMITS, PROCESSORS, ROW_LOCKS = "reads", "commits", "processors", "row locks"
"""The waits that a watch can time; the others it can't, whatever they are called."""

OFF_BY = 0.04
OFF_BY_QUERIES = 0.25
"""What a sum may differ from the queries at work by: a share of them, and a part of one."""

FOLLOWED = 1.6
"""Syncs that a commit waits for at most: half of the one under way, and its own."""

ALONE_S = 1.02
"""A log is synced by one thread at a time: its syncs fill no more than each second."""

RELAXED = frozenset({"0", "2"})


def adding_up(spec: Spec) -> Iterator[str]:
    """Each way in which a case's ``work`` can't be, as a sentence."""
    work = spec["work"]
    waits = dict(work.get("waits", {}))
    yield from _sum(spec, work, waits)
    yield from _reads(spec, work, waits)
    yield from _commits(spec, work, waits)
    yield from _row_locks(spec, waits)
    yield from _processors(spec, work, waits)
    yield from _devices(spec, work)


def file_row(work: Mapping[str, Any], role: str, operation: str) -> tuple[float, float] | None:
    """How often a second, and how long each; None where it was not timed."""
    for row in work.get("files", ()):
        if row[0] == role and row[1] == operation:
            return float(row[2]), float(row[3])
    return None


def syncs_us(spec: Spec) -> float | None:
    """What the syncs of one commit take, one after the other; None where one is not timed."""
    work, variables = spec["work"], spec.get("variables", {})
    rows = []
    if str(variables.get("innodb_flush_log_at_trx_commit", "1")) not in RELAXED:
        rows.append(file_row(work, "redo", "sync"))
    binlog = str(variables.get("log_bin", "OFF")).upper() in {"ON", "1"}
    if binlog and str(variables.get("sync_binlog", "0")) == "1":
        rows.append(file_row(work, "binlog", "sync"))
    known = [row[1] for row in rows if row is not None]
    return sum(known) if len(known) == len(rows) else None


def _sum(spec: Spec, work: Mapping[str, Any], waits: Mapping[str, float]) -> Iterator[str]:
    running = float(work["running"])
    unexplained = float(work.get("unexplained", 0.0))
    parts = sum(waits.values()) + unexplained
    if abs(parts - running) > max(OFF_BY * running, OFF_BY_QUERIES):
        said = ", ".join(f"{name} {each:.2f}" for name, each in waits.items())
        yield (
            f"{running:.2f} queries are at work, and {parts:.2f} are in {said}, unexplained "
            f"{unexplained:.2f}."
        )
    if min([unexplained, *waits.values()]) < 0:
        yield "Fewer than no queries wait for something."
    gauges = spec.get("gauges", {})
    connected = work.get("connected", gauges.get("Threads_connected"))
    if connected is not None and running > connected:
        yield f"{running:.1f} queries are at work on {connected} connections."
    told = gauges.get("Threads_running")
    if told is not None and not running / 2 - 1 <= told - 1 <= 2 * running + 2:
        yield f"Threads_running {told}, with Leadline's own, is not {running:.1f} queries at work."


def _reads(spec: Spec, work: Mapping[str, Any], waits: Mapping[str, float]) -> Iterator[str]:
    rates, row = spec.get("rates", {}), file_row(work, "data", "read")
    if row is None:
        return
    asked = rates.get("Innodb_data_reads")
    if asked is not None and row[0] > SOME * asked + 1:
        yield f"{count(row[0])} reads/s of data files are above Innodb_data_reads {count(asked)}/s."
    missed = rates.get("Innodb_buffer_pool_reads")
    if missed is not None and row[0] * SOME + 1 < missed:
        yield f"{count(missed)} misses/s are more than {count(row[0])} reads/s of data files."
    if missed is None or READS not in waits:
        return
    waiting = missed * row[1] / 1e6
    if not 1 / NEAR <= (waits[READS] + 0.05) / (waiting + 0.05) <= NEAR:
        yield (
            f"{count(missed)} misses/s of {duration_us(row[1])} are {waiting:.2f} queries in wait, "
            f"and not {waits[READS]:.2f}."
        )


def _commits(spec: Spec, work: Mapping[str, Any], waits: Mapping[str, float]) -> Iterator[str]:
    rates = spec.get("rates", {})
    for role, counter in (("redo", "Innodb_os_log_fsyncs"), ("binlog", "")):
        row = file_row(work, role, "sync")
        if row is None:
            continue
        if row[0] * row[1] > ALONE_S * 1e6:
            yield (
                f"{count(row[0])} syncs/s of {role} of {duration_us(row[1])} each take more than a "
                "second of each second: one thread syncs a log."
            )
        told = rates.get(counter)
        if told is not None and not 1 / NEAR <= (row[0] + 2) / (told + 2) <= NEAR:
            yield f"{counter} {count(told)}/s is not {count(row[0])} syncs/s of {role}."
    took, commits = syncs_us(spec), _committed(spec)
    if took is None or commits is None or COMMITS not in waits:
        return
    least, most = commits[0] * took / 1e6, FOLLOWED * commits[1] * took / 1e6
    if not least / NEAR - 0.05 <= waits[COMMITS] <= most * SOME + 0.05:
        yield (
            f"{count(commits[0])} to {count(commits[1])} commits/s of {duration_us(took)} are "
            f"{least:.2f} to {most:.2f} queries in wait, and not {waits[COMMITS]:.2f}."
        )


def _row_locks(spec: Spec, waits: Mapping[str, float]) -> Iterator[str]:
    took_ms, now = (
        spec.get(table, {}).get(f"Innodb_row_lock_{name}")
        for table, name in (("rates", "time"), ("gauges", "current_waits"))
    )
    waiting = waits.get(ROW_LOCKS, 0.0)
    if took_ms is not None and not 1 / NEAR <= (took_ms / 1e3 + 0.3) / (waiting + 0.3) <= NEAR:
        yield f"{count(took_ms)} ms/s of waits for rows are not {waiting:.1f} queries in wait."
    if now is not None and now > 2 * waiting + 2:
        yield f"{count(now)} wait for rows right now, and {waiting:.1f} do on average."


def _committed(spec: Spec) -> tuple[float, float] | None:
    """How many transactions commit changes, at least and at most; None where nobody counted."""
    rates = spec.get("rates", {})
    if rates.get("Binlog_commits"):
        return (rates["Binlog_commits"],) * 2
    changes = [rates[name] for name in ("Com_insert", "Com_update", "Com_delete") if name in rates]
    ended = rates.get("Com_commit", 0.0)
    if not changes:
        return (ended, ended) if ended else None
    # A replica's threads commit without statements of their own.
    most = max(sum(changes), ended)
    return (min(ended, sum(changes)) or most, most)


def _processors(spec: Spec, work: Mapping[str, Any], waits: Mapping[str, float]) -> Iterator[str]:
    cpus, cpu = spec.get("host", {}).get("cpus"), work.get("cpu")
    if cpu is None:
        return
    used, delayed = map(float, cpu)
    if waits.get(PROCESSORS, 0.0) > SOME * (used + delayed) + 0.05:
        yield (
            f"{waits[PROCESSORS]:.2f} queries are on processors or wait for one, and the server "
            f"has {used:.2f} and {delayed:.2f} of it."
        )
    if cpus is None:
        return
    if used > cpus:
        yield f"The server keeps {used:.1f} of {cpus} processors busy."
    beside = sum(row[2] for row in work.get("others", ())) + work.get("kernel", 0.0)
    share = work.get("machine", (None,))[0]
    if share is not None and not used - 0.1 <= share * cpus * SOME + 0.1:
        yield f"{share:.0%} of {cpus} processors are busy, and the server alone takes {used:.1f}."
    if (share is not None and share > 1) or used + beside > SOME * cpus:
        yield f"More processors are busy than the {cpus} that there are."
    if share is not None and work.get("others") and used + beside > SOME * share * cpus + 0.1:
        yield f"Server and others take {used + beside:.1f}, and {share:.0%} of {cpus} are busy."
    if delayed > 0.5 * used + 0.5 and share is not None and share < 0.5:
        yield f"{delayed:.1f} threads wait for a processor while {share:.0%} of them are busy."


def _devices(spec: Spec, work: Mapping[str, Any]) -> Iterator[str]:
    devices = work.get("devices", ())
    for device in devices:
        yield from _one_device(device)
    data = next((each for each in devices if "data" in each.get("roles", ("data",))), None)
    row = file_row(work, "data", "read")
    if data is None:
        return
    reads = data.get("reads", (0.0, 0.0))
    if row is not None and opens_direct(spec) and len(reads) > 2:
        # Neighbours that are read ahead may reach the device as one request.
        asked = row[0] * page_bytes(spec)
        if reads[2] * NEAR + 1 < asked:
            yield f"{size(asked)}/s are read with O_DIRECT, and the device reads {size(reads[2])}."
    wrote, did = spec.get("rates", {}).get("Innodb_pages_written"), data.get("writes", (0.0, 0.0))
    if wrote is not None and len(did) > 2 and did[2] * NEAR < wrote * page_bytes(spec):
        yield f"{count(wrote)} pages/s are written, and the device writes {size(did[2])}/s."
    yield from _beyond_the_drive(spec, reads, wrote)


def _beyond_the_drive(spec: Spec, reads: Any, wrote: float | None) -> Iterator[str]:
    """More than the drive gave when it was measured."""
    most = max((row[1] for row in spec.get("reads_16k", ())), default=None)
    if most is not None and opens_direct(spec) and reads[0] > NEAR * most:
        yield f"The device does {count(reads[0])} reads/s, above the {count(most)} that it gives."
    flush = spec.get("flush", {})
    flushed = flush.get("on" if writes_twice(spec) else "off")
    if wrote is not None and flushed is not None and wrote > NEAR * flushed:
        yield f"{count(wrote)} pages/s are written, above the {count(flushed)} that it flushes."


def _one_device(device: Mapping[str, Any]) -> Iterator[str]:
    rows = [device[name] for name in ("reads", "writes", "syncs") if name in device]
    in_flight = sum(row[0] * row[1] / 1e6 for row in rows)
    busy = device.get("busy", 0.0)
    if not 0 <= busy <= 1 or busy > in_flight * NEAR + 0.03:
        yield f"A device with {in_flight:.2f} requests in flight is not {busy:.0%} busy."
    if in_flight > 3 and busy < 0.6:
        yield f"A device with {in_flight:.1f} requests in flight is busy {busy:.0%} of the time."


def connected_of(spec: Spec) -> float:
    """How many connections there are, Leadline's own among them."""
    told = spec.get("gauges", {}).get("Threads_connected")
    most = number(spec, "max_connections") or 151.0
    return float(told if told is not None else min(most, 2 * spec["work"]["running"] + 10))
