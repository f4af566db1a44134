"""Native asynchronous I/O.

## What it checks
Whether InnoDB hands its background reads and page writes to the kernel many at a time.

## Why it matters
With native AIO each I/O thread may have 256 requests in the drive. Without it each thread does one
request and waits for it, so that four write threads never have more than four page writes in
flight, however fast the drive is. Real servers of every version from MySQL 5.5 to 9.7 and MariaDB
10.2 to 11.8 have it ON by default; the server turns it OFF by itself when the kernel refuses.

## How it is judged
- ON: fine, except on ZFS, which does libaio's requests one after another: OFF is proposed there.
  On MariaDB 10.6 and newer it is only watched where io_uring may be in use: that hands such
  requests to threads of the kernel.
- OFF on ZFS, tmpfs or ramfs: fine.
- OFF by an option, anywhere else: ON is proposed.
- OFF although nobody set it, or on a version that does not tell who did (MySQL before 8.0):
  watched. Where the server did it itself at its start, a line in the option file would not help;
  the error log says why, most often `fs.aio-max-nr`.
- OFF on MariaDB 10.6 and newer, unless it is told to use libaio: fine under a kernel whose io_uring
  loses writes, watched under one whose name does not tell that.
- What it costs is read off the drive's own write curve: the rate with as many requests as there
  are write threads, against the curve's highest rate.

## How to check by hand
`SELECT @@innodb_use_native_aio, @@innodb_write_io_threads;` and the line on native AIO or io_uring
in the error log; `sysctl fs.aio-nr fs.aio-max-nr`.

## Risk and undo
Low. A restart, and another one to undo. Several servers on one machine share `fs.aio-max-nr`.

## When it is wrong
On network and stacked file systems that take such requests but do them one by one, as ZFS does.

## References
- MySQL reference manual, "Using Asynchronous I/O on Linux"
- OpenZFS documentation, "Workload Tuning", section on InnoDB
- MariaDB MDEV-26674
"""

from __future__ import annotations

from dataclasses import replace

from advisor.facts.known import (
    CURVE_RANDOM_WRITE_PAGE,
    HOST_AIO_MAX,
    HOST_AIO_USED,
    HOST_KERNEL,
    MYSQL_VERSION,
    STORAGE_DATA,
    variable,
)
from advisor.model.operating_point import rate_at
from advisor.outcomes import Confidence, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.change import change
from advisor.rulekit.facts import Facts
from advisor.rulekit.kernels import Uring, uring
from advisor.rulekit.rule import rule
from advisor.variables.catalogue import MARIADB
from advisor.variables.standing import Standing
from probes import figures
from probes.version import ServerVersion

SETTING = "innodb_use_native_aio"
SLOTS = 256
"""Requests that one I/O thread may have in the kernel at a time."""

ONE_BY_ONE = ("zfs",)
NO_DRIVE = ("tmpfs", "ramfs")
NOBODY = ("COMPILED", "AUTO")
"""Origins that say that no person set the value."""


@rule(
    topic="Threads",
    needs=(MYSQL_VERSION, variable(SETTING)),
    uses=(
        variable("innodb_write_io_threads"),
        variable("innodb_linux_aio"),
        STORAGE_DATA,
        HOST_KERNEL,
        HOST_AIO_MAX,
        HOST_AIO_USED,
        CURVE_RANDOM_WRITE_PAGE,
    ),
    settings=(SETTING,),
    findings=("F61",),
)
def check(facts: Facts) -> Answer:
    """Judge the switch by the file system, the kernel and who set it."""
    version = facts.get(MYSQL_VERSION)
    now = facts.get(variable(SETTING))
    storage = facts.find(STORAGE_DATA)
    filesystem = "" if storage is None else storage.filesystem
    if now.on:
        kernel = facts.find(HOST_KERNEL) or ""
        libaio = _uring(version, kernel, facts) is Uring.ABSENT
        return _on(version, now, filesystem, libaio=libaio)
    if filesystem in ONE_BY_ONE + NO_DRIVE:
        return _fine(now, f"Fine as it is: {filesystem} gains nothing from it.")
    kernel = facts.find(HOST_KERNEL) or ""
    state = _uring(version, kernel, facts)
    if state is Uring.LOSES_WRITES:
        return _fine(now, f"Fine as it is: io_uring of kernel {kernel} can lose a write.")
    return _off(version, now, facts, sound=state is not Uring.UNTOLD)


def _uring(version: ServerVersion, kernel: str, facts: Facts) -> Uring:
    """How io_uring stands in the kernel, ABSENT for a server that would not use it."""
    choice = facts.find(variable("innodb_linux_aio"))
    if not version.at_least(MARIADB, 10, 6) or (choice and choice.text.lower() == "aio"):
        return Uring.ABSENT
    return uring(kernel)


def _on(version: ServerVersion, now: Standing, filesystem: str, *, libaio: bool) -> Judged:
    if filesystem not in ONE_BY_ONE:
        return _fine(now, "Fine as it is.")
    judged = Judged(
        Verdict.RECOMMEND,
        f"Native AIO is ON and the data lies on {filesystem}.",
        SETTING,
        now.now,
        effect=f"Page writes no longer queue behind each other where they are handed to "
        f"{filesystem}.",
        risk="Low: takes a restart.",
        flips_when="the data moves to another file system",
        gain=0.2,
        formula=f"one request at a time on {filesystem}, against one per write thread",
        valid="ZFS on Linux",
        because="OpenZFS says so of itself; it was not measured here.",
        cost_of_error="Little: without native AIO each write thread still has one write in flight.",
        side_effects="More write threads can then help; with native AIO they do not.",
    )
    if libaio:
        return judged.by(change(version, now, "OFF"))
    effect = (
        "Where the error log says libaio, OFF lets page writes go to the file system side by side; "
        "with io_uring they do so already."
    )
    return replace(
        judged,
        verdict=Verdict.WATCH,
        effect=effect,
        confidence=Confidence.LOW,
        risk="",
        gain=0.1,
    )


def _off(version: ServerVersion, now: Standing, facts: Facts, *, sound: bool) -> Judged:
    set_by_people = now.origin != "" and now.origin.upper() not in NOBODY
    formula, seen, gain = _price(facts)
    judged = Judged(
        Verdict.WATCH,
        f"Native AIO is OFF{seen}.",
        SETTING,
        now.now,
        effect="See whether a line says so. If none does, the server was built without "
        "it, as some old packages are, or the kernel refused it at the start: look for native AIO "
        f"in the error log, and in that case raise fs.aio-max-nr{_places(facts)}.",
        confidence=Confidence.MEDIUM if now.origin else Confidence.LOW,
        flips_when="the data moves to ZFS or into memory",
        gain=gain,
        formula=formula,
        valid="Linux file systems on block devices",
        because="The number of requests in flight follows from how InnoDB works; who set the "
        f"switch is {'known' if now.origin else 'not told by this version'}.",
        cost_of_error="A restart for nothing.",
        side_effects="Bursts of page writes get larger, and reads beside them may wait longer.",
    )
    if not set_by_people:
        return judged
    if not sound:
        effect = (
            "The kernel's name does not tell whether its io_uring can lose a write: see "
            "threads.io-uring first, and leave it OFF until that is known."
        )
        return replace(judged, effect=effect, flips_when="the kernel's io_uring is known as sound")
    return replace(
        judged,
        verdict=Verdict.RECOMMEND,
        effect=f"Up to {SLOTS} requests per I/O thread reach the drive in place of one.",
        risk="Low: takes a restart; where the kernel refuses, the server goes on without.",
    ).by(change(version, now, "ON"))


def _places(facts: Facts) -> str:
    """Say how many places for native AIO the machine has, "" when not known."""
    most, taken = facts.find(HOST_AIO_MAX), facts.find(HOST_AIO_USED)
    if most is None or taken is None:
        return ""
    return f" ({figures.count(most)}, of which {figures.count(taken)} are taken)"


def _price(facts: Facts) -> tuple[str, str, float]:
    """Say what the drive would do with more in flight: formula, half sentence, gain."""
    threads = facts.find(variable("innodb_write_io_threads"))
    curve = facts.find(CURVE_RANDOM_WRITE_PAGE)
    if threads is None:
        return "one request in flight per write thread", "", 0.2
    few = f"{threads.number:.0f} write threads x 1 = {threads.number:.0f} in flight"
    if curve is None:
        return few, f", so at most {threads.number:.0f} page writes are in flight", 0.2
    reached, most = rate_at(curve, threads.number), curve.peak.rate_per_s
    seen = (
        f": at most {threads.number:.0f} page writes are in flight, with which this drive does "
        f"{figures.rate(reached)} of {figures.rate(most)}"
    )
    share = 1 - reached / most if most > 0 else 0.0
    formula = f"{few}: {figures.rate(reached)} of {figures.rate(most)} on this drive"
    return formula, seen, min(0.6, max(0.1, share))


def _fine(now: Standing, effect: str) -> Judged:
    return Judged(
        Verdict.FINE,
        f"Native AIO is {'ON' if now.on else 'OFF'}.",
        SETTING,
        now.now,
        effect=effect,
        flips_when="it is OFF, or the data moves to ZFS"
        if now.on
        else "the data moves to a drive under another file system",
        formula=f"with native AIO {SLOTS} requests per I/O thread, without it one",
        valid="Linux",
        because="How InnoDB hands over its requests is known for all versions.",
    )
