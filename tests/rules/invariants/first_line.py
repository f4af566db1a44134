"""The first line against what was timed, what there is of processors, and the lists below it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor.gain import STANDS_OUT, QueryTime, Wait
from advisor.judging.agenda import agenda, changes_asked
from advisor.wording.advice.gains import untimed
from advisor.wording.advice.waits import WAITS
from tests.rules.invariants.answer import Answer
from tests.rules.invariants.query_time import explained

SEVERAL = 2.0
"""With fewer queries at work the line is of one thread, or of a server with little to do."""

MOST = 0.5
"""What has to be explained of query time before nothing is said to limit."""

BUSY = 0.7
"""From this share of all processors on they are busy, as the model has it (``cores``)."""

DELAYED = 0.2
"""Threads that wait for a processor are a queue where they are this part of the queries at work."""

NOTHING, ELSEWHERE = "nothing limits", "none of the waits that were timed"
BEFORE_THAT = ("memory comes first", "not innodb's")
"""What a line says before it says where the rest of the time goes."""

SAYS_WHY = re.compile(r"no rule here shortens|what may shorten that")
_NAMES = re.compile(
    r"(limited (?:now|perhaps) by|does the work:(?: perhaps)?|mostly compute \([^)]*\), and)"
    r" ([^,;:]*)"
)


def nothing_limits_unexplained(answer: Answer) -> Iterator[str]:
    """ "Nothing limits" is said only where most of the time of queries is explained."""
    time, line = answer.judgement.time, answer.first_line
    if NOTHING not in line.lower():
        return
    if time is None:
        yield f"nobody knows where queries spend their time: {line}"
    elif (unknown := untimed(time)) and not mostly_computes(time):
        yield f"{unknown}: {line}"
    elif (known := explained(time)) < MOST:
        yield f"{1 - known:.0%} of {time.running.value:.1f} unexplained: {line}"


def mostly_computes(time: QueryTime) -> bool:
    """Whether what was not timed has too little left to limit anything."""
    computing = time.share(Wait.PROCESSORS)
    return computing is not None and computing.low >= 1 - STANDS_OUT


def hidden_time_unsaid(answer: Answer) -> Iterator[str]:
    """Where all that limit most servers were timed and make less than half, the line says so."""
    time, line = answer.judgement.time, answer.first_line.lower()
    if time is None or time.running.value < SEVERAL or untimed(time):
        return
    all_of_it = sum(each.value for each in time.waits.values())
    limits = any(each.high >= STANDS_OUT * time.running.value for each in time.waits.values())
    if all_of_it >= MOST * time.running.value or limits:
        return
    if not any(said in line for said in (ELSEWHERE, *BEFORE_THAT)):
        yield f"{all_of_it:.2f} of {time.running.value:.2f} timed: {answer.first_line}"


def limited_by_idle_processors(answer: Answer) -> Iterator[str]:
    """Processors limit only where most are busy, or many threads wait for one."""
    if named_by(answer.first_line) is not Wait.PROCESSORS:
        return
    watched, host = answer.case.inventory.watched, answer.case.inventory.host
    machine, time = None if watched is None else watched.machine, answer.judgement.time
    if machine is None or machine.server_cpu is None or time is None:
        yield f"nobody watched the processors: {answer.first_line}"
        return
    used, delay = machine.server_cpu.value, machine.server_run_delay
    process, waiting = answer.case.inventory.server_process, delay.value if delay else 0.0
    there_are = None if host is None else host.cpu.threads
    granted = None if process is None else process.cpu_limit
    busy = [machine.cpu_busy.value if machine.cpu_busy else 0.0]
    busy += [used / each for each in (there_are, granted) if each]
    if max(busy) < BUSY and waiting < DELAYED * max(time.running.value, used):
        yield (
            f"{max(busy):.0%} of {there_are} processors busy, {waiting:.2f} threads wait for one "
            f"beside {used:.2f} that run: {answer.first_line}"
        )


def named_wait_without_a_line(answer: Answer) -> Iterator[str]:
    """A wait that limits has a line that shortens it, or the sentence says what would."""
    line, named = answer.first_line, named_by(answer.first_line)
    hidden = ELSEWHERE in line.lower().partition(";")[0]
    if answer.judgement.time is None or (named is None and not hidden):
        return
    lists = agenda(answer.judgement)
    shortened = {each.wait for one in (*lists.risks, *lists.lines) for each in one.relieves}
    if named not in shortened and not SAYS_WHY.search(line):
        yield f"no line shortens {named or ELSEWHERE}, and nothing says why: {line}"
    if not changes_asked(answer.judgement) and "nothing needs a change" in answer.nothing:
        yield f"nothing needs a change beside what limits: {line} {answer.nothing}"


def named_by(line: str) -> Wait | None:
    """The wait that is said to limit, not what comes next; None where none is."""
    found = _NAMES.search(line.lower())
    head = "" if found is None else found[2]
    return next((each for each in Wait if head.startswith(WAITS[each].lower())), None)
