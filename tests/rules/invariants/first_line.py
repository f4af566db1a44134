"""The first line against what was timed, what there is of processors, and the lists below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor.gain import UNCOUNTED, QueryTime, Wait
from advisor.report.agenda import agenda
from tests.rules.invariants.answer import Answer

FEW = 4.0
"""With fewer queries at work a part that nothing explains may be chance."""

MOST = 0.5
"""What has to be explained of query time before nothing is said to limit."""

STANDS_OUT = 0.2
BUSY = 0.7
"""From this share of all processors on they are busy, as the model has it (``cores``)."""

DELAYED = 0.2
"""A run delay of this part of what is used is a queue."""

ABOUT = {
    Wait.PAGE_READS: re.compile(r"\breads?\b|\bmiss", re.IGNORECASE),
    Wait.COMMITS: re.compile(r"\bcommits?\b|\bsyncs?\b", re.IGNORECASE),
    Wait.REPLICA: re.compile(r"semi-sync|replica", re.IGNORECASE),
    Wait.CHECKPOINTS: re.compile(r"\bredo\b|checkpoint", re.IGNORECASE),
    Wait.FREE_PAGES: re.compile(r"free page", re.IGNORECASE),
    Wait.LOG_BUFFER: re.compile(r"log buffer", re.IGNORECASE),
    Wait.TEMPORARY: re.compile(r"temporary", re.IGNORECASE),
    Wait.MEMORY: re.compile(r"memory|swap", re.IGNORECASE),
    Wait.PROCESSORS: re.compile(r"processor|\bCPU\b|connections", re.IGNORECASE),
}
"""What a line says that is about a wait, where it does not say that it shortens it."""

WHY_NONE = re.compile(r"no (rule|setting)\b", re.IGNORECASE)
_LIMITED = re.compile(r"Limited (now |perhaps )?by ")


def nothing_limits_unexplained(answer: Answer) -> Iterator[str]:
    """ "Nothing limits" is said only where most of the time of queries is explained."""
    time = answer.judgement.time
    if time is None or time.running.value < FEW or "Nothing limits" not in answer.first_line:
        return
    known = explained(time)
    if known < MOST:
        yield f"{1 - known:.0%} of {time.running.value:.1f} unexplained: {answer.first_line}"


def explained(time: QueryTime) -> float:
    """The share of query time that is in waits which somebody counted, at most 1."""
    waits = (each.value for wait, each in time.waits.items() if wait not in UNCOUNTED)
    return min(1.0, sum(waits) / time.running.value)


def limited_by_idle_processors(answer: Answer) -> Iterator[str]:
    """Processors limit only where most are busy, or threads queue for them."""
    if not _LIMITED.match(answer.first_line) or not _names_processors(answer.first_line):
        return
    watched, host = answer.case.inventory.watched, answer.case.inventory.host
    machine = None if watched is None else watched.machine
    there_are = None if host is None else host.cpu.threads
    if machine is None or machine.server_cpu is None or not there_are:
        return
    used = machine.server_cpu.value
    delay = machine.server_run_delay.value if machine.server_run_delay else 0.0
    busy = max(used / there_are, machine.cpu_busy.value if machine.cpu_busy else 0.0)
    if busy < BUSY and delay < DELAYED * max(used, 1.0):
        yield (
            f"{busy:.0%} of {there_are} processors busy, {delay:.2f} threads wait for one beside "
            f"{used:.2f} that run: {answer.first_line}"
        )


def _names_processors(line: str) -> bool:
    """Whether processors are what limits, and not what comes next."""
    return "processors" in re.split(r"[,;:]", line, maxsplit=1)[0]


def named_wait_without_a_line(answer: Answer) -> Iterator[str]:
    """A wait that limits has a line in the lists, or a sentence on why none shortens it."""
    time = answer.judgement.time
    if time is None or not answer.first_line.startswith("Limited"):
        return
    head = re.split(r"[,;:]", answer.first_line, maxsplit=1)[0]
    wait = next((each for each in Wait if each.value in head), None)
    share = None if wait is None else time.share(wait)
    if wait is None or share is None or share.value < STANDS_OUT:
        return
    lists = agenda(answer.judgement)
    lines = [*lists.risks, *lists.lines]
    told = [f"{one.saw} {one.effect}" for one in lines]
    told += [f"{one.title} {one.because}" for one in answer.judgement.open]
    if any(each.wait is wait for one in lines for each in one.relieves):
        return
    if any(ABOUT[wait].search(text) for text in told):
        return
    if not WHY_NONE.search(f"{answer.first_line} {answer.nothing}"):
        yield f"no line is about {wait.value} ({share.value:.0%}), and nothing says why"
