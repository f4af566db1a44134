"""Native asynchronous I/O (innodb_use_native_aio).

## What it checks
Whether InnoDB submits its background reads and page writes to the kernel many at a time.

## Why it matters
With native AIO each I/O thread may have 256 requests in flight. Without it each thread does one
request and waits for it, so four write threads never have more than four page writes in flight,
however fast the drive is. It is ON by default in MySQL 5.5 to 9.7 and MariaDB 10.2 to 11.8; the
server turns it OFF at its start when the kernel refuses.

## How it is judged
- ON: fine, except on ZFS, which executes libaio's requests one after another: OFF is proposed
  there. On MariaDB 10.6 and newer it is only watched where io_uring may be in use, which passes
  such requests to threads of the kernel.
- OFF on ZFS, tmpfs or ramfs: fine.
- OFF by an option, anywhere else: ON is proposed.
- OFF although no option sets it, or on a version that does not show who did (MySQL before 8.0):
  watched. Where the server turned it off at its start, a line in the option file would not help;
  the error log says why, most often `fs.aio-max-nr`. MariaDB from 10.6 on asks for io_uring: the
  kernel refuses it by `kernel.io_uring_disabled` (2 is the default of RHEL 9), by the limit of
  locked memory, or by a container's seccomp filter.
- OFF on MariaDB 10.6 and newer, unless it uses libaio: fine under a kernel whose io_uring loses
  writes, watched under one whose name does not show that.
- The cost comes from the drive's own write curve: the rate with as many requests as there are write
  threads, against the curve's peak.

## How to check by hand
`SELECT @@innodb_use_native_aio, @@innodb_write_io_threads;` and the line on native AIO or io_uring
in the error log; `sysctl fs.aio-nr fs.aio-max-nr`.

## Risk and undo
Low. A restart, and another one to undo. Several servers on one machine share `fs.aio-max-nr`.

## When it is wrong
On network and stacked file systems that accept such requests but execute them one by one, as ZFS
does.

## References
- MySQL reference manual, "Using Asynchronous I/O on Linux"
- OpenZFS documentation, "Workload Tuning", section on InnoDB
- MariaDB MDEV-26674 and MDEV-36182
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_KERNEL
from advisor.facts.machine.kernel import HOST_AIO_MAX, HOST_AIO_USED
from advisor.facts.measured.points import CURVE_RANDOM_WRITE_PAGE
from advisor.facts.server.storage import STORAGE_DATA
from advisor.facts.server.variables import variable
from advisor.model.curves.operating_point import rate_at
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Judged, Knowledge, rule
from advisor.rulekit.kernels import Uring, uring
from advisor.rules.threads._bounds import SLOTS
from advisor.variables.catalogue import MARIADB
from probes.figures import count, rate

WRITE_THREADS, CHOICE = variable("innodb_write_io_threads"), variable("innodb_linux_aio")
ONE_BY_ONE = ("zfs",)
NO_DRIVE = ("tmpfs", "ramfs")
NOBODY = ("COMPILED", "AUTO")
"""Origins that say that no person set the value."""


@rule(
    topic="Threads",
    do="Check whether asynchronous I/O works here",
    setting="innodb_use_native_aio",
    uses=(
        WRITE_THREADS,
        CHOICE,
        STORAGE_DATA,
        HOST_KERNEL,
        HOST_AIO_MAX,
        HOST_AIO_USED,
        CURVE_RANDOM_WRITE_PAGE,
    ),
    findings=("F61", "F126"),
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Judge the switch by the file system, the kernel and who set it."""
    storage, kernel = facts.find(STORAGE_DATA), facts.find(HOST_KERNEL) or ""
    filesystem = "" if storage is None else storage.filesystem
    state = _uring(facts, kernel)
    if facts.now.on:
        return _on(facts, filesystem, libaio=state is Uring.ABSENT)
    off = facts.card(
        "Native AIO is off.", flips_when="the data moves to a drive under another file system"
    )
    if filesystem in ONE_BY_ONE + NO_DRIVE:
        return off.fine(f"Fine as it is: {filesystem} does not benefit from it.")
    if state is Uring.LOSES_WRITES:
        return off.fine(
            f"Fine as it is: io_uring of kernel {kernel} can lose a write.",
            formula=f"5.11 ≤ {kernel} < 5.15.3",
            flips_when="the kernel's io_uring is sound",
        )
    return _off(facts, sound=state is not Uring.UNKNOWN)


def _uring(facts: Facts, kernel: str) -> Uring:
    """Give the state of io_uring in the kernel, ABSENT for a server that would not use it."""
    choice = facts.find(CHOICE)
    if not facts.version.at_least(MARIADB, 10, 6) or (choice and choice.value.lower() == "aio"):
        return Uring.ABSENT
    return uring(kernel)


def _on(facts: Facts, filesystem: str, *, libaio: bool) -> Judged:
    card = facts.card("Native AIO is on.", flips_when="it is off, or the data moves to ZFS")
    if filesystem not in ONE_BY_ONE:
        return card.fine()
    card = facts.card(
        f"Native AIO is on, and the data is on {filesystem}.",
        formula=f"one request at a time on {filesystem}, against one per write thread",
        flips_when="the data moves to another file system",
        because="OpenZFS documents it; it was not measured here.",
    )
    if not libaio:
        return card.watch(
            "If the error log says libaio, OFF lets page writes run in parallel; with io_uring "
            "they do already.",
            confidence=Confidence.LOW,
        )
    return card.recommend(
        facts.to("OFF"),
        effect=f"Page writes no longer queue behind each other when submitted to {filesystem}.",
        risk="Low: needs a restart.",
        cost_of_error="Little: without native AIO each write thread still has one write in flight.",
        side_effects="More write threads can then help; with native AIO they do not.",
    )


def _off(facts: Facts, *, sound: bool) -> Judged:
    origin = facts.now.origin
    formula, seen = _price(facts)
    card = facts.card(
        f"Native AIO is off{seen}.",
        formula=formula,
        flips_when="the data moves to ZFS or into memory",
        confidence=Confidence.MEDIUM if origin else Confidence.LOW,
        because="The number of requests in flight follows from how InnoDB works; who set the "
        f"switch is {'known' if origin else 'not shown by this version'}.",
    )
    if not origin or origin.upper() in NOBODY:
        return card.watch(
            "Check whether an option line sets it. If none does, the server was built without it, "
            f"as some old packages are, or the kernel refused it at the start: {_refused(facts)}",
        )
    if not sound:
        return card.watch(
            "The kernel's name does not show whether its io_uring is sound: check threads.io-uring "
            "first, and leave it off until that is known.",
            flips_when="the kernel's io_uring is known to be sound",
        )
    return card.recommend(
        facts.to("ON"),
        effect=f"Up to {SLOTS} requests per I/O thread reach the drive instead of one.",
        risk="Low: needs a restart; if the kernel refuses, the server goes on without.",
        cost_of_error="A restart without a benefit.",
        side_effects="Bursts of page writes get larger, and reads beside them may wait longer.",
    )


def _refused(facts: Facts) -> str:
    """Say where to look for what the kernel refused."""
    if facts.version.at_least(MARIADB, 10, 6):
        return (
            "then the error log mentions io_uring. EPERM: kernel.io_uring_disabled, or a container "
            "whose seccomp filter keeps it away; ENOMEM: LimitMEMLOCK of the service."
        )
    raised = f"fs.aio-max-nr has to be raised{_slots(facts)}"
    return f"then the error log mentions native AIO, and {raised}."


def _slots(facts: Facts) -> str:
    """Say how many AIO slots the machine has, "" when not known."""
    most, taken = facts.find(HOST_AIO_MAX), facts.find(HOST_AIO_USED)
    if most is None or taken is None:
        return ""
    return f" (now {count(most)}, {count(taken)} in use)"


def _price(facts: Facts) -> tuple[str, str]:
    """Say what the drive would do with more in flight: formula, half sentence."""
    threads, curve = facts.find(WRITE_THREADS), facts.find(CURVE_RANDOM_WRITE_PAGE)
    if threads is None:
        return "one request in flight per write thread", ""
    few = f"{count(threads.number)} write threads x 1 = {count(threads.number)} in flight"
    if curve is None:
        return few, f", so at most {count(threads.number)} page writes are in flight"
    reached, most = rate_at(curve, threads.number), curve.peak.rate_per_s
    seen = (
        f": at most {count(threads.number)} page writes are in flight, with which this drive does "
        f"{rate(reached)} of {rate(most)}"
    )
    formula = f"{few}: {rate(reached)} of {rate(most)} on this drive"
    return formula, seen
