"""Each kind of doubt is said with this point's figures, and for several points without them."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest

from advisor.wording.measured.doubts import in_general, sentence
from probes.doubts import Doubt, DoubtKind, doubt, stated
from probes.figures import THIN, UNKNOWN
from probes.trust.foreign import Foreign

OTHERS = Foreign("vda", 384.0, 0.0, 6 << 20, 0.0, 0.3)

SAID = [
    (doubt(DoubtKind.NOTHING_FINISHED), "Nothing finished within the time."),
    (
        doubt(DoubtKind.SWUNG, low_per_s=500.0, high_per_s=1500.0),
        "The rate swung: its 95 % interval goes from 500/s to 1.50 k/s.",
    ),
    (
        doubt(DoubtKind.STEPPED, first_per_s=100.0, next_per_s=200.0, after_s=1.5),
        "The rate stepped from 100/s to 200/s after 1.50 s: the mean is neither.",
    ),
    (
        doubt(DoubtKind.STEPPED, first_per_s=100.0, next_per_s=200.0, after_s=2.0, last_per_s=50.0),
        "The rate stepped from 100/s to 200/s after 2 s, then to 50.0/s: the mean is neither.",
    ),
    (
        doubt(DoubtKind.NOT_SETTLED, before_per_s=100.0, after_per_s=200.0),
        "The rate had not settled when its time was up: it rose from 100/s in the first half to "
        "200/s in the second.",
    ),
    (doubt(DoubtKind.FAILED_OPERATIONS, operations=1.0), "1 operation failed."),
    (
        doubt(DoubtKind.MISSING_ROWS, lookups=7.0),
        "7 lookups found no row, which is less work.",
    ),
    (
        doubt(DoubtKind.FEWER_THREADS, ran=100.0, asked=1024),
        "Only 100 of 1,024 threads could be started.",
    ),
    (OTHERS.doubt, "Others used vda during the point: 384 reads (6 MiB), 30 % of its I/O."),
    (
        Foreign("", 0.2, 3.0, 8192.0, 0.0, 0.5).doubt,
        "Others used the device during the point: 8 KiB of reads and 3 writes, 50 % of its I/O.",
    ),
    (
        doubt(DoubtKind.STOLEN_TIME, share=0.4),
        "The host gave 40 % of the processors' time to others (steal).",
    ),
    (
        doubt(DoubtKind.STOLEN_AND_SWUNG, share=0.04, swing_share=0.2),
        "A noisy neighbour: the host gave 4 % of the processors' time to others (steal) while the "
        "rate swung by 20 %.",
    ),
    (
        doubt(DoubtKind.PROBER_LIMIT, ceiling_per_s=1000.0, share=0.7),
        "The prober itself reaches 1.00 k/s in memory here; at 70 % of that the drive may do more "
        "than was seen.",
    ),
    (
        doubt(DoubtKind.CLOCK_FREQUENCY, before_mhz=3000.0, after_mhz=2500.0),
        "The processors' clock changed from 3,000 to 2,500 MHz during the point.",
    ),
    (
        doubt(DoubtKind.CLOCK_JUMP, jump_s=-0.5),
        "The clock jumped back by 500 ms during the point: the machine was paused or moved, or its "
        "time was set.",
    ),
    (
        doubt(DoubtKind.BUFFERED),
        "The filesystem refused O_DIRECT, so the page cache took part and the figure may be "
        "memory's.",
    ),
    (
        doubt(DoubtKind.UNSEEN_READS, device="", asked_bytes=2 << 20, seen_bytes=1 << 20),
        "Of 2 MiB that were read past the page cache, the device saw 1 MiB: something above it "
        "answered.",
    ),
    (
        doubt(DoubtKind.UNSEEN_SYNCS, device="vda", syncs=100.0, writes=3.0),
        "Of 100 syncs, vda saw 3 writes: something above it said yes.",
    ),
    (
        doubt(DoubtKind.CACHE_BELOW, again_per_s=9800.0, first_per_s=3000.0),
        "A cache below O_DIRECT answers what was read before: 9.80 k/s against 3.00 k/s at the "
        "first touch of each block.",
    ),
    (
        doubt(DoubtKind.OTHER_PAGES, kind="huge", usual="ordinary"),
        "Its blocks lay in huge pages of memory, those of most other points in ordinary ones.",
    ),
    (
        doubt(DoubtKind.NO_DRIVE_ASKED, took_us=2.0),
        "A commit took 2 µs: no drive was asked; the fastest with protected memory need 8 µs and "
        "more.",
    ),
    (
        doubt(DoubtKind.ABOVE_ROTATION_SYNC, took_us=900.0),
        "A commit took 900 µs, but a disk needs 2 ms to turn: the sync ended in a cache that may "
        "be lost.",
    ),
    (
        doubt(DoubtKind.UNPROTECTED_SYNC, took_us=15.0),
        "A commit took 15 µs: too fast to be durable, unless the drive has protected memory that "
        "it does not report.",
    ),
    (
        doubt(DoubtKind.SYNC_BELOW_WRITE, took_us=30.0, write_us=90.0),
        "An append and its sync took 30 µs, a mere direct write 90 µs: the sync can't have reached "
        "the drive.",
    ),
    (
        doubt(DoubtKind.WITHOUT_BARRIERS, option="nobarrier"),
        "The filesystem is mounted with nobarrier: a sync does not make the drive empty its cache.",
    ),
    (doubt(DoubtKind.IN_MEMORY, what="tmpfs"), "tmpfs lives in memory: no drive was measured."),
    (
        doubt(DoubtKind.IMPOSSIBLE_LATENCY, took_us=0.9),
        "A read took 900 ns: too fast for any drive, the fastest needs 5 µs. This is memory.",
    ),
    (
        doubt(
            DoubtKind.ABOVE_BUS,
            moved_bytes_per_s=2e9,
            most_bytes_per_s=6e8,
            buses="fibre channel,sata",
            disks=2,
        ),
        "2 GB/s is more than 2 disks on Fibre Channel and SATA can carry (600 MB/s): a cache gave "
        "it.",
    ),
    (
        doubt(DoubtKind.ABOVE_BUS, moved_bytes_per_s=2e9, most_bytes_per_s=6e8, buses="", disks=1),
        "2 GB/s is more than any drive can carry (600 MB/s): a cache gave it.",
    ),
    (
        doubt(DoubtKind.ABOVE_ROTATION, reads_per_s=5000.0, disks=1, most_per_s=1000.0),
        "5.00 k/s random reads are more than 1 rotating disk can do (at most 1.00 k/s): a cache "
        "gave some of them.",
    ),
    (
        doubt(DoubtKind.OWN_CACHE, filesystem="ZFS"),
        "ZFS may accept O_DIRECT and still answer from its own cache.",
    ),
    (
        doubt(DoubtKind.PASSED_ON, filesystem="overlay", took_us=20.0),
        "overlay hides whether O_DIRECT reached a drive, and 20 µs a read looks like memory.",
    ),
    (
        doubt(DoubtKind.SMALL_SET, small_per_s=9000.0, large_per_s=300.0),
        "A cache holds this small set: 9.00 k/s against 300/s of the large one.",
    ),
    (
        doubt(DoubtKind.ZEROS, zeros_per_s=9000.0, random_per_s=300.0),
        "Zeros are read at 9.00 k/s, random data at 300/s: something below compresses or leaves "
        "them out.",
    ),
    (
        doubt(DoubtKind.HOLES, holes_per_s=9000.0, random_per_s=300.0),
        "Blocks that were never written come at 9.00 k/s, written ones at 300/s: holes are "
        "answered without the drive.",
    ),
    (stated("4 writes were cut short."), "4 writes were cut short."),
]


@pytest.mark.parametrize(("found", "said"), SAID, ids=[said[:40] for _, said in SAID])
def test_a_doubt_is_said_with_its_figures(found: Doubt, said: str) -> None:
    assert sentence(found).replace(THIN, " ") == said


def test_every_kind_is_said() -> None:
    assert {found.kind for found, _ in SAID} == set(DoubtKind)


@pytest.mark.parametrize("found", [each for each, _ in SAID if each.kind is not DoubtKind.STATED])
def test_of_several_points_no_figure_is_said(found: Doubt) -> None:
    said = in_general(found)
    assert re.fullmatch(r"\S.*\.", said)
    constant = re.sub(r"O_DIRECT|2 disks on", "", said)
    assert not re.search(r"\d", constant), said


def test_a_statement_has_words_of_its_own_for_several_points() -> None:
    found = stated("17 operations were in flight.", "Rate and latency don't fit.")
    assert sentence(found) == "17 operations were in flight."
    assert in_general(found) == found.key == "Rate and latency don't fit."
    assert in_general(stated("It swung.")) == "It swung."


def test_a_figure_that_a_damaged_file_left_out_is_unknown() -> None:
    for kind in DoubtKind:
        said = sentence(Doubt(kind))
        assert "{" not in said
    assert UNKNOWN in sentence(Doubt(DoubtKind.SWUNG))


@pytest.mark.parametrize("odd", [math.nan, math.inf, -1.0, 0.0, 1e300, "{x}", ""])
def test_odd_figures_of_a_foreign_file_are_said_somehow(odd: float | str) -> None:
    for found, _ in SAID:
        strange = replace(found, figures=dict.fromkeys(found.figures, odd))
        assert isinstance(sentence(strange), str)
        assert isinstance(in_general(strange), str)
