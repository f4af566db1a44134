"""The settings of each kind of probe, in the order in which they are measured."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from probes.kinds.flush import ALL_FLUSHED, MIXED_CLEANERS, NOTHING_FLUSHED
from probes.kinds.kind import Kind
from probes.plans.shapes import KIB, MIB, Shape
from probes.plans.wishes import Wishes
from probes.points import BUFFERS, PAGE_BYTES, Buffers, Probe, Setting

MANY_FILES = 16
COMPARED_READERS = 64
"""This many reads in flight show what the pieces of a block cost: each is more work for a drive."""

MOST_COMMITTERS = 64
MOST_CLEANERS = 64
STEADY_BLOCK_BYTES = MIB
STEADY_THREADS = 4
MOST_STEADY_THREADS = 64
"""As many blocks as the smallest file has."""

FLUSH_LADDER_PER_S = (250, 500, 1000, 2000, 4000, 8000, 16000, 32000, 64000)
"""Rates of flushing beside reads; beside these there are none at all and as many as possible."""

MIXED_READERS = (1, 4, 8, 16, 32, 64, 128)
MIXED_READERS_ALL = (1, 16, 64)


@dataclass(frozen=True, slots=True)
class Pattern:
    """All that decides which settings a plan has.

    ``working_sets`` are the server's tables that can be asked; ``max_connections`` caps lookups on
    a server that others use. ``redo_directory`` is where redo_sync writes, "" for where all do.
    ``buffers`` are the kinds that are measured beside each other. ``server_flush_per_s`` is as in
    Plan.
    """

    shape: Shape
    directory: str
    wishes: Wishes
    working_sets: tuple[str, ...] = ()
    max_connections: int | None = None
    redo_directory: str = ""
    buffers: tuple[Buffers, ...] = ()
    server_flush_per_s: float = 0.0

    def wants(self, probe: Probe) -> bool:
        """Whether the wishes leave it in."""
        return not self.wishes.probes or probe in self.wishes.probes

    def levels(self, usual: Sequence[int], most: int = 1024) -> tuple[int, ...]:
        """The levels of concurrency: those wished for, as far as the probe can take them."""
        wished = sorted(set(self.wishes.threads)) or usual
        return tuple(level for level in wished if level <= most)

    def sizes(
        self,
        usual: Sequence[int],
        least: int = 512,
        most: int = 64 * KIB,
        *,
        power_of_two: bool = True,
    ) -> tuple[int, ...]:
        """The block sizes: those wished for, as far as the probe can take them."""
        wished = sorted(set(self.wishes.block_sizes)) or usual
        return tuple(
            size
            for size in wished
            if least <= size <= most and not (power_of_two and size & (size - 1))
        )

    @property
    def narrowed(self) -> bool:
        """Whether the user named levels or sizes: then nothing else is added to them."""
        return bool(self.wishes.threads or self.wishes.block_sizes)


def settings(kind: Kind, pattern: Pattern) -> Iterator[Setting]:
    """What ``kind`` measures under ``pattern``."""
    made = _MAKERS[kind](pattern)
    if kind is Kind.MIXED:
        # Its reads and flushes alone are what a mixture is chosen by, wished for or not.
        return made if pattern.wants(Probe.MIXED) else iter(())
    return (setting for setting in made if pattern.wants(setting.probe))


def _storage(pattern: Pattern) -> Iterator[Setting]:
    shape, directory = pattern.shape, pattern.directory
    reads = pattern.levels(shape.read_threads)
    # The page size that nearly every server has comes first: a budget may end before the others.
    for size in sorted(pattern.sizes(shape.read_sizes), key=lambda each: each != PAGE_BYTES):
        for threads in reads:
            yield Setting(Probe.RANDOM_READ, threads, size, 1, directory)
    if not pattern.narrowed:
        for kind in pattern.buffers:
            options = {BUFFERS: kind.value}
            yield Setting(Probe.RANDOM_READ, COMPARED_READERS, PAGE_BYTES, 1, directory, options)
        yield from _telling(pattern)
    for size in pattern.sizes(shape.write_sizes):
        for threads in pattern.levels(shape.write_threads):
            yield Setting(Probe.RANDOM_WRITE, threads, size, 1, directory)
    for size in pattern.sizes(shape.write_sizes):
        for threads in pattern.levels(shape.many_threads):
            yield Setting(Probe.RANDOM_WRITE, threads, size, MANY_FILES, directory)


def _telling(pattern: Pattern) -> Iterator[Setting]:
    """A few reads that tell caches, compression and thin provisioning from the drive."""
    shape = pattern.shape

    def read(threads: int, **options: str) -> Setting:
        return Setting(Probe.RANDOM_READ, threads, PAGE_BYTES, 1, pattern.directory, options)

    for threads in shape.touch_threads:
        yield read(threads, set="first_touch", touch="first")
        yield read(threads, set="first_touch", touch="again")
    for threads in shape.small_threads:
        yield read(threads, set="small")
    most = shape.small_threads[-1]
    yield read(most, set="zeros")
    yield read(most, set="sparse")


def _redo(pattern: Pattern) -> Iterator[Setting]:
    shape = pattern.shape

    def sync(size: int, threads: int = 1, word: str = "fdatasync", **options: str) -> Setting:
        chosen = {"sync": word, **options}
        directory = pattern.redo_directory or pattern.directory
        return Setting(Probe.REDO_SYNC, threads, size, 1, directory, chosen)

    sizes = pattern.sizes(shape.redo_sizes, power_of_two=False)
    grouped = pattern.sizes(shape.committer_sizes, power_of_two=False)
    for size in sizes:
        usual = (1, *shape.committers) if size in grouped else (1,)
        for threads in pattern.levels(usual, MOST_COMMITTERS):
            yield sync(size, threads)
    few = pattern.levels((1,), MOST_COMMITTERS)
    for word in ("fsync", "o_dsync"):
        for size in pattern.sizes(shape.redo_sync_sizes, power_of_two=False):
            yield from (sync(size, threads, word) for threads in few)
    for size in pattern.sizes(shape.growing_sizes, power_of_two=False):
        yield from (sync(size, threads, log="growing") for threads in few)
    for size in grouped[:1]:
        for threads in pattern.levels(shape.binlog_committers, MOST_COMMITTERS):
            yield sync(size, threads, binlog="1")


def _flush(pattern: Pattern) -> Iterator[Setting]:
    for size in sorted(
        pattern.sizes(pattern.shape.page_sizes, 4 * KIB), key=lambda each: each != PAGE_BYTES
    ):
        for doublewrite in ("off", "on", "legacy"):
            for cleaners in pattern.levels(pattern.shape.cleaners, MOST_CLEANERS):
                yield _page_flush(pattern, size, cleaners, doublewrite)


def _page_flush(pattern: Pattern, size: int, cleaners: int, doublewrite: str) -> Setting:
    options = {"doublewrite": doublewrite}
    return Setting(Probe.PAGE_FLUSH, cleaners, size, 1, pattern.directory, options)


def _mixed(pattern: Pattern) -> Iterator[Setting]:
    """Reads for their knee, a flush for its highest rate, then both at once with redo.

    Where the user named the readers there is no knee to look for.
    """
    directory = pattern.directory
    flushed = {*FLUSH_LADDER_PER_S, *filter(None, [round(pattern.server_flush_per_s)])}
    rates = (NOTHING_FLUSHED, *map(str, sorted(flushed)), ALL_FLUSHED)
    readers: Sequence[int] = MIXED_READERS
    if pattern.wishes.every_level:
        readers = MIXED_READERS_ALL
    for size in pattern.sizes((PAGE_BYTES,), 4 * KIB):
        if not pattern.wishes.threads:
            for threads in pattern.shape.read_threads:
                yield Setting(Probe.RANDOM_READ, threads, size, 1, directory)
        yield _page_flush(pattern, size, MIXED_CLEANERS, "on")
        for threads in pattern.levels(readers):
            for rate in rates:
                options = {"flush_per_s": rate, "doublewrite": "on", "sync": "fdatasync"}
                yield Setting(Probe.MIXED, threads, size, 1, directory, options)


def _steady(pattern: Pattern) -> Iterator[Setting]:
    for size in pattern.sizes((STEADY_BLOCK_BYTES,), 4 * KIB, MIB):
        for threads in pattern.levels((STEADY_THREADS,), MOST_STEADY_THREADS):
            yield Setting(Probe.STEADY_WRITE, threads, size, 1, pattern.directory)


def _mysql(pattern: Pattern) -> Iterator[Setting]:
    most = 1024 if pattern.max_connections is None else pattern.max_connections
    connections = pattern.levels(pattern.shape.connections, most)
    for working_set in pattern.working_sets:
        for protocol in pattern.wishes.protocols:
            for threads in connections:
                yield _ask(Probe.POINT_SELECT, threads, protocol, working_set)
    if not pattern.wishes.update:
        return
    # A user's own table is only read, and HANDLER only reads.
    for working_set in [each for each in pattern.working_sets if each != "existing"]:
        for protocol in [each for each in pattern.wishes.protocols if each != "handler"]:
            for threads in connections:
                yield _ask(Probe.PK_UPDATE, threads, protocol, working_set)


def _ask(probe: Probe, threads: int, protocol: str, working_set: str) -> Setting:
    return Setting(probe, threads, options={"protocol": protocol, "working_set": working_set})


_MAKERS = {
    Kind.STORAGE: _storage,
    Kind.REDO: _redo,
    Kind.FLUSH: _flush,
    Kind.MIXED: _mixed,
    Kind.STEADY: _steady,
    Kind.MYSQL: _mysql,
}


def server_flush_per_s(pages_written_per_s: float | None) -> float:
    """The rate of a mixture that stands for a server's own page writes; 0 where there is none.

    It has two digits, and is no higher than the server's: a mixture shows what the server reaches.
    """
    if pages_written_per_s is None or pages_written_per_s < FLUSH_LADDER_PER_S[0]:
        return 0.0
    digit = 10.0 ** (math.floor(math.log10(pages_written_per_s)) - 1)
    return pages_written_per_s // digit * digit


def without_part(setting: Setting) -> Setting:
    """A part's setting as its whole step has it: that of mixed without ``part``."""
    if "part" not in setting.options:
        return setting
    options = {name: value for name, value in setting.options.items() if name != "part"}
    return replace(setting, options=options)
