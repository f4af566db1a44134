"""What a server's counters, gauges and sizes have to keep among each other."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from probes.figures import count, size
from probes.plans.patterns import FLUSH_LADDER_PER_S, server_flush_per_s

Spec = Mapping[str, Any]

SOME = 1.05
"""What the ends of one window, and rounding, may make of a figure."""

NEAR = 1.25
"""What two ways of counting the same may differ by: headers, parts of blocks, other files."""

GIB = 1 << 30
POOL = "innodb_buffer_pool_size"
LOG_HEADS = ("Innodb_redo_log_current_lsn", "Innodb_lsn_current")
LOG_TAILS = ("Innodb_redo_log_checkpoint_lsn", "Innodb_lsn_last_checkpoint")
AT_MOST = (
    ("Innodb_buffer_pool_reads", "Innodb_pages_read"),
    ("Innodb_buffer_pool_reads", "Innodb_buffer_pool_read_requests"),
    ("Innodb_pages_read", "Innodb_data_reads"),
    ("Com_commit", "Questions"),
    ("Com_select", "Questions"),
)
"""Counters of which the first counts no more than the second."""

CHANGES = {"Com_insert", "Com_update", "Com_delete"}

GAUGES_AT_MOST = (
    ("Threads_running", "Threads_connected"),
    ("Threads_connected", "Max_used_connections"),
    ("Innodb_buffer_pool_pages_free", "Innodb_buffer_pool_pages_total"),
    ("Innodb_buffer_pool_pages_dirty", "Innodb_buffer_pool_pages_total"),
)


def against_each_other(spec: Spec) -> Iterator[str]:
    """Each pair of figures that can't both be true, as a sentence."""
    rates, gauges = spec.get("rates", {}), spec.get("gauges", {})
    for table, pairs, unit in ((rates, AT_MOST, "/s"), (gauges, GAUGES_AT_MOST, "")):
        for less, more in pairs:
            if less in table and more in table and table[less] > SOME * table[more]:
                said, most = (f"{count(table[each])}{unit}" for each in (less, more))
                yield f"{less} {said} is above {more} {most}."
    if "Com_commit" in rates and not rates.keys() >= CHANGES:
        yield f"A server that tells Com_commit tells {', '.join(sorted(CHANGES))}."
    yield from _pages(spec)
    yield from _mixtures(spec)
    yield from _log(spec)
    yield from _memory(spec)
    yield from _connections(spec)


def number(spec: Spec, name: str) -> float | None:
    """A variable as a number; None where it is none."""
    text = spec.get("variables", {}).get(name, "")
    try:
        return float(text)
    except ValueError:
        return None


def page_bytes(spec: Spec) -> float:
    """The server's page size."""
    return number(spec, "innodb_page_size") or 16384.0


def writes_twice(spec: Spec) -> bool:
    """Whether pages go through the doublewrite buffer as a whole."""
    value = str(spec.get("variables", {}).get("innodb_doublewrite", "ON")).upper()
    return value not in {"OFF", "0", "DETECT_ONLY", "FAST"}


def opens_direct(spec: Spec) -> bool:
    """Whether data files go around the page cache."""
    return str(spec.get("variables", {}).get("innodb_flush_method", "")).startswith("O_DIRECT")


def _pages(spec: Spec) -> Iterator[str]:
    rates, page = spec.get("rates", {}), page_bytes(spec)
    reads, read = rates.get("Innodb_data_reads"), rates.get("Innodb_data_read")
    if reads and read and not 1 / NEAR <= read / (reads * page) <= NEAR:
        yield (
            f"{count(reads)} Innodb_data_reads/s of {size(page)} are not Innodb_data_read "
            f"{size(read)}/s."
        )
    written, data = rates.get("Innodb_pages_written"), rates.get("Innodb_data_written")
    if written is not None and data is not None:
        log = rates.get("Innodb_os_log_written", 0.0)
        # A compressed page, and blocks of the log that are written again, blur it.
        least = written * page * (2 if writes_twice(spec) else 1) + log
        if data * NEAR < least:
            yield (
                f"{count(written)} pages written, as often as doublewrite does, and {size(log)} of "
                f"log are {size(least)}/s, above Innodb_data_written {size(data)}/s."
            )
    total, pool = _gauge(spec, "Innodb_buffer_pool_pages_total"), number(spec, POOL)
    if total is not None and pool and not 1 / SOME <= total * page / pool <= SOME:
        yield f"{count(total)} pages of {size(page)} are no pool of {size(pool)}."
    free, dirty = (_gauge(spec, f"Innodb_buffer_pool_pages_{each}") for each in ("free", "dirty"))
    if None not in (total, free, dirty) and free + dirty > total:  # type: ignore[operator]
        yield "More pages are free and dirty than the pool has."


def _mixtures(spec: Spec) -> Iterator[str]:
    """Rates of flushing beside reads are the probe's own; the highest is all that is flushed."""
    rates = sorted(row[0] for row in spec.get("mixed", ()))
    if not rates:
        return
    written = spec.get("rates", {}).get("Innodb_pages_written")
    known = {0, *FLUSH_LADDER_PER_S, server_flush_per_s(written)}
    for each in rates[:-1]:
        if each not in known:
            yield (
                f"No mixture flushes {count(each)} pages/s: its rates are "
                f"{', '.join(map(count, FLUSH_LADDER_PER_S))} and two digits of the server's own."
            )
    flushed = spec.get("flush", {}).get("on")
    if flushed is not None and rates[-1] > NEAR * flushed:
        yield f"{count(rates[-1])} pages/s beside reads are above the {count(flushed)} without."


def _gauge(spec: Spec, name: str) -> float | None:
    value = spec.get("gauges", {}).get(name)
    return None if value is None else float(value)


def log_rate(spec: Spec) -> float | None:
    """Bytes/s that the redo log grew by, by its positions; None where they are not told."""
    samples = spec.get("samples", {})
    for name in LOG_HEADS:
        if name in samples:
            before, after = samples[name]
            return (float(after) - float(before)) / float(spec.get("window_s", 10.0))
    return None


def _log(spec: Spec) -> Iterator[str]:
    samples, rates = spec.get("samples", {}), spec.get("rates", {})
    grew, written = log_rate(spec), rates.get("Innodb_os_log_written")
    # Blocks are written again while they fill, so that more is written than the log grows.
    if grew is not None and written and not grew / SOME <= written <= 4 * grew + 1e5:
        yield (
            f"The log's positions moved by {size(grew)}/s, and Innodb_os_log_written says "
            f"{size(written)}/s."
        )
    heads, tails = (
        next((samples[n] for n in each if n in samples), None) for each in (LOG_HEADS, LOG_TAILS)
    )
    room = _log_room(spec)
    if heads is None or tails is None:
        return
    ages = [float(head) - float(tail) for head, tail in zip(heads, tails, strict=True)]
    if min(ages) < 0:
        yield "The checkpoint is ahead of the log."
    over, said = room is not None and max(ages) > room, bool(spec.get("log_overwritten"))
    if room is not None and said and not over:
        yield f"A checkpoint of {size(max(ages))} behind fits a log of {size(room)}: none was lost."
    if room is not None and over and not said:
        yield f"A checkpoint of {size(max(ages))} behind does not fit a log of {size(room)}."
    age = _gauge(spec, "Innodb_checkpoint_age")
    if age is not None and not 1 / NEAR <= (age + 1e6) / (ages[-1] + 1e6) <= NEAR:
        yield f"Innodb_checkpoint_age {size(age)} is not {size(ages[-1])} by the log's positions."


def _log_room(spec: Spec) -> float | None:
    capacity = number(spec, "innodb_redo_log_capacity")
    resized = _gauge(spec, "Innodb_redo_log_capacity_resized")
    if resized is not None and capacity is not None and resized != capacity:
        return max(resized, capacity)
    if capacity is not None:
        return capacity
    each = number(spec, "innodb_log_file_size")
    return None if each is None else each * (number(spec, "innodb_log_files_in_group") or 1)


def _memory(spec: Spec) -> Iterator[str]:
    host, process = spec.get("host", {}), spec.get("process", {})
    memory = host.get("memory_gib")
    if memory is None:
        return
    whole, free = memory * GIB, host.get("memory_available_bytes")
    if free is not None and free > whole:
        yield f"{size(free)} are available of {size(whole)}."
    held = process.get("resident_bytes")
    if free is not None and held is not None and free + held > SOME * whole:
        yield f"{size(free)} available and {size(held)} of the server are above {size(whole)}."
    used = _pool_used(spec)
    if used is None:
        return
    if held is not None and held + process.get("swapped_bytes", 0) < used / SOME:
        yield f"The server holds {size(held)}, and pages for {size(used)} are in its pool."
    if free is not None and not process.get("swapped_bytes") and free + used > SOME * whole:
        yield f"{size(free)} available and a pool of {size(used)} are above {size(whole)}."
    limit = host.get("memory_limit_gib")
    if limit is not None and used > SOME * limit * GIB:
        yield f"A pool of {size(used)} is in a control group of {size(limit * GIB)}."


def _pool_used(spec: Spec) -> float | None:
    total, free = (_gauge(spec, f"Innodb_buffer_pool_pages_{each}") for each in ("total", "free"))
    return None if total is None or free is None else (total - free) * page_bytes(spec)


def _connections(spec: Spec) -> Iterator[str]:
    used, most = _gauge(spec, "Max_used_connections"), number(spec, "max_connections")
    if used is not None and most is not None and used > most + 1:
        yield f"Max_used_connections {count(used)} is above max_connections {count(most)}."
    data, storage = spec.get("server", {}).get("innodb_files_bytes"), spec.get("storage", {})
    taken = storage.get("size_bytes", math.inf) - storage.get("free_bytes", 0)
    if data is not None and data > taken:
        yield f"InnoDB's files of {size(data)} are not on a file system that holds {size(taken)}."
