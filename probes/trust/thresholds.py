"""From where on a point is doubted or rejected: every threshold of trust, and what it stands on.

`docs/probes/trust.md` has the tables below; `make docs` writes them.
"""

from __future__ import annotations

from typing import NamedTuple

from probes.figures import THIN, count, duration_us, percent, rated_throughput, seconds
from probes.trust.buses import ANY_DRIVE_BYTES_PER_S, CEILING_BYTES_PER_S

WIDEST_INTERVAL = 0.50
"""Half the 95 % interval of the rate's logarithm."""

STEP_FACTOR = 1.5
STEP_SAMPLES = 3
STEP_LEAST_SAMPLES = 10
SAMPLE_S = 0.2

DRIFT = 0.20
DRIFT_SIGMAS = 4.0
DRIFT_LEAST_SAMPLES = 8

SEEN_READS_SHARE = 0.5
SEEN_LEAST_BYTES = 1 << 20
"""Below this, a late counter of the kernel may explain the difference."""

SEEN_SYNCS_SHARE = 0.5
SEEN_LEAST_SYNCS = 20

FOREIGN_SHARE = 0.10
SAME_LOAD = 0.10
"""From this share of the server's load beside a curve's marked points on, it is the same load."""

STOLEN_MUCH = 0.10
STOLEN_SOME = 0.02
STOLEN_SWING = 0.10

PROBER_SHARE = 0.5
CALIBRATED_FARTHEST = 4
"""How many times the largest calibrated block another may have, for the ceiling to be known."""

BUSIEST_PROCESSORS = 0.85

CLOCK_CHANGE = 0.10
CLOCK_LEAST_SAMPLES = 6
CLOCK_JUMP_S = 0.05

LEAST_READ_US = 5.0
ROTATING_MOST_PER_S = 1000.0
LIKE_MEMORY_US = 30.0
SMALL_SET_FACTOR = 3.0
TOUCH_FACTOR = 1.5
ZEROS_FACTOR = 1.5
NO_DRIVE_SYNC_US = 8.0
PROTECTED_SYNC_US = 20.0
ROTATING_SYNC_US = 2000.0
SYNC_SHARE_OF_WRITE = 0.5

CACHED_LEAST = 0.05
"""What a cache answers may be twenty times as fast as what the drive would (our choice)."""

UNDURABLE_LEAST = 0.02
"""A sync that ended in a cache may take fifty times as long where it reaches the drive: 20 us
against 1 ms on flash without protected memory (our choice)."""

ROTATING_TURN_US = 8333.0
"""One turn of a disk with 7,200 rpm."""

SCATTERED = 1.5
"""Blocks in scattered pages of memory may cost a third of the rate (measured on virtio)."""


class Check(NamedTuple):
    """A check's line in the documentation; ``checks`` are the functions that it is about."""

    checks: tuple[str, ...]
    name: str
    when: str
    origin: str = ""


ARRIVAL = (
    Check(("nothing_finished",), "nothing finished", "rejected when no operation ended"),
    Check(
        ("wide_interval",),
        "wide interval",
        "the 95 % interval reaches further than from 0.6 to 1.65 times the rate",
        "(2) plans ask for 1.5 to 5 %",
    ),
    Check(
        ("stepped",),
        "bursts",
        f"the rate stepped between levels that are {STEP_FACTOR:g} times apart, each "
        f"{STEP_SAMPLES * SAMPLE_S:g} s or longer",
        "(1) change points by PELT, (2) factor",
    ),
    Check(
        ("not_settled",),
        "not settled",
        f"at its time cap, the halves of the point differ by {percent(DRIFT)} and "
        f"{DRIFT_SIGMAS:g} standard errors",
        "(1) test of two halves, (2) share",
    ),
    Check(("failed_operations", "missing_rows"), "failed operations, missing rows", "any"),
    Check(("fewer_threads",), "fewer threads", "fewer ran than the setting names"),
    Check(("through_page_cache",), "page cache", "the filesystem refused O_DIRECT"),
    Check(
        ("unseen_reads",),
        "unseen by the device",
        f"rejected when the device read less than {percent(SEEN_READS_SHARE)} of what was read "
        "past the page cache",
        "(2)",
    ),
    Check(
        ("unseen_syncs",),
        "unseen syncs",
        f"rejected when the device did fewer writes than {percent(SEEN_SYNCS_SHARE)} of the syncs",
        "(1) each sync needs one",
    ),
    Check(
        ("foreign_io",),
        "others' I/O",
        f"more than {percent(FOREIGN_SHARE)} of what the device did was neither ours nor the "
        "advised server's, after allowances for the filesystem's own journal",
        "(2)",
    ),
    Check(
        ("stolen_time",),
        "stolen time",
        f"the host gave {percent(STOLEN_MUCH)} of the processors' time to others, or "
        f"{percent(STOLEN_SOME)} while the rate swung by {percent(STOLEN_SWING)}",
        "(2)",
    ),
    Check(
        ("prober_limit",),
        "prober's limit",
        f"above {percent(PROBER_SHARE)} of what the prober reaches in memory on this machine; "
        "marked, too",
        "(2)",
    ),
    Check(
        ("busy_processors",),
        "busy processors",
        f"above {percent(BUSIEST_PROCESSORS)}: only marked, since the figure is true for this "
        "machine",
        f"(1) a queue at {percent(BUSIEST_PROCESSORS)} takes "
        f"{1 / (1 - BUSIEST_PROCESSORS):.1f} times the service time",
    ),
    Check(
        ("clock_frequency",),
        "processor clock",
        f"it changed by more than {percent(CLOCK_CHANGE)} within the point",
        "(2)",
    ),
    Check(
        ("clock_jump",),
        "clock jump",
        f"the wall clock left the steady one by more than {seconds(CLOCK_JUMP_S)}: the machine "
        "was paused or moved",
        "(2)",
    ),
)
"""What a point's own figures may say against it, at its arrival."""

ACROSS = (
    Check(("in_memory",), "memory", "tmpfs, ramfs, RAM disks, loop devices on them: rejected"),
    Check(
        ("impossible_latency",),
        "impossible latency",
        f"reads with a median below {duration_us(LEAST_READ_US)}: rejected",
        "(1) the fastest NVMe drive's data sheet",
    ),
    Check(
        ("faster_than_bus",),
        "faster than the bus",
        "more bytes than all disks' buses carry together: rejected",
        "(1) bus standards",
    ),
    Check(
        ("rotating_disks",),
        "rotating disks",
        f"more than {count(ROTATING_MOST_PER_S)} random reads/s for each: doubtful",
        "(1) rotations and seeks",
    ),
    Check(
        ("emulated_direct",),
        "emulated O_DIRECT",
        "ZFS: doubtful. Overlay, FUSE, NFS and others that hide what is below: doubtful when a "
        f"read takes less than {duration_us(LIKE_MEMORY_US)}",
        "(2)",
    ),
    Check(
        ("small_set",),
        "small set",
        f"{SMALL_SET_FACTOR:g} times as fast as the large one: doubtful, a cache holds it",
        "(2)",
    ),
    Check(("first_touch",), "first touch", "see below", f"(2) {TOUCH_FACTOR:g} times"),
    Check(
        ("zeros_and_holes",),
        "zeros and holes",
        f"{ZEROS_FACTOR:g} times as fast as random data: zeros doubtful, holes rejected",
        "(2)",
    ),
    Check(
        ("undurable_sync",),
        "undurable sync",
        f"below {duration_us(NO_DRIVE_SYNC_US)}: rejected. Below "
        f"{duration_us(PROTECTED_SYNC_US)} unless the drive says that its cache is protected, "
        f"below {duration_us(ROTATING_SYNC_US)} on a rotating disk, faster than "
        f"{percent(SYNC_SHARE_OF_WRITE)} of a plain write's time, or a filesystem without "
        "barriers: doubtful",
        "(1) published sync times, rotations",
    ),
    Check(
        ("mixed_io",),
        "others' I/O during a mixture",
        "as at arrival, of all its parts together",
        "(2)",
    ),
    Check(
        ("mixed_buffers",),
        "mixed buffers",
        "the point's buffers lay in huge pages and most others' in ordinary ones, or the other "
        "way round: doubtful",
    ),
)
"""What shows beside other points, and against the drive."""

BUSES = (
    "Buses at most: "
    + ", ".join(
        f"{name} {rated_throughput(CEILING_BYTES_PER_S[bus])}"
        for name, bus in (
            ("SATA", "sata"),
            ("SAS", "sas"),
            ("USB", "usb"),
            ("NVMe", "nvme"),
            ("Fibre Channel", "fibre channel"),
        )
    )
    + f", networks and what is not known {rated_throughput(ANY_DRIVE_BYTES_PER_S)}; for each disk."
)


def documented() -> dict[str, str]:
    """The parts of docs/probes/trust.md that are written from here, by their marks in it."""
    return {
        "arrival": _table("doubtful when", ARRIVAL),
        "across": _table("verdict", ACROSS),
        "buses": BUSES.replace(THIN, " "),
    }


def _table(column: str, rows: tuple[Check, ...]) -> str:
    lines = [f"| {row.name} | {row.when} | {row.origin} |" for row in rows]
    head = f"| check | {column} | threshold from |\n| --- | --- | --- |"
    return "\n".join((head, *lines)).replace(THIN, " ")
