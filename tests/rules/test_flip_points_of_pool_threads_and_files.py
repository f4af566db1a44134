"""What would change the verdict of the rules on pool, threads, files and memory, tried.

The figure that a condition names is put into the case, on both sides of its bound.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from advisor.outcomes import Recommendation
from advisor.rulekit.registry import all_rules
from tests.rules.test_flip_points import (
    COUNT,
    DURATION,
    IEC,
    NUMBER,
    PAST,
    PERCENT,
    SHORT,
    Flip,
    Put,
    Spec,
    active,
    figure,
    flips_there,
    outcome_of,
    rate,
    row,
    size,
)
from tests.rules.test_rules import cases_of

VERBS = ("reaches", "exceeds", "falls below", "falls to")
SEARCHES = re.compile(r"[\d.]+ hash searches/s, [\d.]+ non-hash searches/s")


def number(name: str) -> Put:
    """Put a whole number into a variable."""

    def put(spec: Spec, value: float) -> Spec | None:
        variables = spec.get("variables", {})
        return spec | {"variables": variables | {name: str(round(value))}}

    return put


def inner(table: str, name: str, key: str) -> Put:
    """Put the figure into a table within a table."""

    def put(spec: Spec, value: float) -> Spec | None:
        rows = spec.get(table, {})
        if key not in rows.get(name, {}):
            return None
        return spec | {table: rows | {name: rows[name] | {key: value}}}

    return put


def answered(spec: Spec, share: float) -> Spec | None:
    """The hash index answers this share of ten thousand searches."""
    text = spec.get("server", {}).get("innodb_status", "")
    searches = f"{share * 1e4:.2f} hash searches/s, {(1 - share) * 1e4:.2f} non-hash searches/s"
    if "Innodb_adaptive_hash_hash_searches" in spec.get("rates", {}) or not text:
        return None
    return spec | {"server": spec["server"] | {"innodb_status": SEARCHES.sub(searches, text)}}


def innodb_files(spec: Spec, share: float) -> Spec | None:
    most = float(spec["variables"]["innodb_open_files"])
    return row("gauges", "Innodb_num_open_files")(spec, share * most)


def descriptors(spec: Spec, share: float) -> Spec | None:
    gauges = spec.get("gauges", {})
    if "Open_files" not in gauges:
        return None
    others = gauges["Threads_connected"] + gauges.get("Innodb_num_open_files", 0)
    limit = float(spec["variables"]["open_files_limit"])
    return row("gauges", "Open_files")(spec, share * limit - others)


def truncated(spec: Spec, per_minute: float) -> Spec | None:
    return row("rates", "Innodb_undo_truncations")(spec, per_minute / 60)


def history(spec: Spec, length: float) -> Spec | None:
    name = "Innodb_history_list_length"
    if name in spec.get("gauges", {}):
        return row("gauges", name)(spec, length)
    return inner("server", "metrics", "trx_rseg_history_len")(spec, length)


def memory_of(spec: Spec) -> float:
    host = spec["host"]
    return float(host.get("memory_limit_gib", host["memory_gib"])) * IEC["GiB"]


def pool(spec: Spec, share: float) -> Spec | None:
    return number("innodb_buffer_pool_size")(spec, share * memory_of(spec))


def instruments(spec: Spec, share: float) -> Spec | None:
    held = round(share * memory_of(spec))
    return spec | {"server": spec["server"] | {"performance_schema_bytes": held}}


def room(spec: Spec, share: float) -> Spec | None:
    free = round(share * spec["server"]["innodb_files_bytes"])
    return inner("where", "tmp", "free_bytes")(spec, free)


def kept(spec: Spec, share: float) -> Spec | None:
    size_bytes = float(spec["variables"]["innodb_buffer_pool_size"])
    return number("innodb_buffer_pool_size_auto_min")(spec, share * size_bytes)


def size_of_pool(spec: Spec, size_bytes: float) -> Spec | None:
    return row("variables", "innodb_buffer_pool_size")(spec, round(size_bytes))


def with_descriptors(spec: Spec, size_bytes: float) -> Spec | None:
    return size_of_pool(spec, size_bytes / 1.05)


@dataclass(frozen=True)
class Named:
    """A figure by its name in one rule's condition; a ``whole`` one is a number of things."""

    rule: str
    name: str
    unit: str
    put: Put
    whole: bool = False

    @property
    def pattern(self) -> str:
        """The clause that says at which figure the outcome changes."""
        return rf"^(?:.* )?{re.escape(self.name)} ({'|'.join(VERBS)}) {self.unit}"

    def sides(self, verb: str, bound: float) -> tuple[float, float]:
        """Give a value just short of the bound and one just past it."""
        rises = verb in {"reaches", "exceeds"}
        if not self.whole:
            return (SHORT * bound, PAST * bound) if rises else (PAST * bound, SHORT * bound)
        past = bound + {"exceeds": 1, "falls below": -1}.get(verb, 0)
        return past - 1 if rises else past + 1, past


ACTIVE = "the number of active connections"
HISTORY = "the history list length"
POOL = "the size of the buffer pool"
ON_DISK = "the rate of temporary tables on disk"
CREATED_ON_DISK = row("rates", "Created_tmp_disk_tables")

FIGURES = (
    Named("adaptive-hash.index", "its share of the searches", PERCENT, answered),
    Named(
        "read-ahead.random",
        "the rate of pages evicted unused",
        rate("pages"),
        row("rates", "Innodb_buffer_pool_read_ahead_evicted"),
    ),
    Named(
        "read-ahead.threshold",
        "the rate of pages evicted unused",
        rate("pages"),
        row("rates", "Innodb_buffer_pool_read_ahead_evicted"),
    ),
    Named(
        "files.data-file-write-through",
        "the time of a 4 KiB O_DSYNC write",
        DURATION,
        row("sync", "o_dsync"),
    ),
    Named(
        "files.innodb-open-files", "the share of innodb_open_files in use", PERCENT, innodb_files
    ),
    Named("files.open-files-limit", "the share of descriptors in use", PERCENT, descriptors),
    Named(
        "files.table-open-cache",
        "the rate of evicted tables",
        rate(""),
        row("rates", "Table_open_cache_overflows"),
    ),
    Named("files.undo-truncation", "the rate of truncations", rf"{NUMBER}()/min", truncated),
    Named("files.undo-truncation", HISTORY, COUNT, history),
    Named("memory-limits.dedicated-server", "the buffer pool's share of the memory", PERCENT, pool),
    Named("memory-limits.performance-schema", "its share of the memory", PERCENT, instruments),
    Named("temp.alter-room", "the room / size of all tables", PERCENT, room),
    Named("temp.shared-drive", ON_DISK, rate(""), CREATED_ON_DISK),
    Named("temp.temptable-max-ram", ON_DISK, rate(""), CREATED_ON_DISK),
    Named(
        "temp.temptable-max-ram",
        "the rate of limit hits",
        rate(""),
        row("rates", "TempTable_count_hit_max_ram"),
    ),
    Named(
        "temp.tmp-table-size",
        "their share of all",
        PERCENT,
        row("rates", "Created_tmp_disk_tables", "Created_tmp_tables"),
    ),
    Named("threads.commit-concurrency", ACTIVE, COUNT, active, whole=True),
    Named("threads.concurrency-cap", ACTIVE, COUNT, active, whole=True),
    Named("threads.concurrency-tickets", ACTIVE, COUNT, active, whole=True),
    Named("threads.thread-pool", ACTIVE, COUNT, active, whole=True),
    Named("threads.thread-sleep-delay", ACTIVE, COUNT, active, whole=True),
    Named("threads.max-purge-lag", HISTORY, COUNT, history),
    Named("threads.purge-batch-size", HISTORY, COUNT, history),
    Named("threads.purge-threads", HISTORY, COUNT, history),
    Named("buffer-pool.auto-shrink", "the share of the pool that is kept", PERCENT, kept),
    Named("buffer-pool.chunk-size", POOL, size(), size_of_pool),
    Named("buffer-pool.dump-at-shutdown", POOL, size(), size_of_pool),
    Named("buffer-pool.in-core-file", POOL, size(), size_of_pool),
    Named("buffer-pool.instances", POOL, size(), size_of_pool),
    Named("buffer-pool.large-pages", POOL, size(), size_of_pool),
    Named("buffer-pool.load-at-startup", POOL, size(), size_of_pool),
    Named("buffer-pool.numa-interleave", "the pool with its descriptors", size(), with_descriptors),
    Named(
        "buffer-pool.old-blocks-pct",
        "the old sublist's share",
        rf"{NUMBER}() %",
        number("innodb_old_blocks_pct"),
        whole=True,
    ),
    Named(
        "buffer-pool.instances",
        "the number of running threads",
        COUNT,
        row("gauges", "Threads_running"),
        whole=True,
    ),
    Named("buffer-pool.resize-limit", "the limit", size(), number("innodb_buffer_pool_size_max")),
)


def flips(named: Named) -> Iterator[Flip]:
    (rule,) = (rule for rule in all_rules() if rule.id == named.rule)
    for case in cases_of(rule):
        outcome = outcome_of(rule, case)
        if not isinstance(outcome, Recommendation) or case.get("sandbox"):
            continue
        text = outcome.flips_when.replace("\u202f", " ")
        for part in text.split(", or "):
            match = re.search(named.pattern, part)
            if match is None or " and " in part:
                continue  # what takes two things is not tried
            bound = re.search(named.unit, part[match.end(1) :])
            assert bound is not None
            sides = named.sides(match[1], figure(bound))
            short, past = (named.put(case, value) for value in sides)
            if short is not None and past is not None:
                yield Flip(rule, case, f"{case['name']}: {part}", short, past)


@pytest.mark.parametrize("rule", sorted({named.rule for named in FIGURES}))
def test_the_outcome_is_another_one_past_each_figure_that_is_named(rule: str) -> None:
    found = [flip for named in FIGURES if named.rule == rule for flip in flips(named)]
    assert found
    for flip in found:
        flips_there(flip)
