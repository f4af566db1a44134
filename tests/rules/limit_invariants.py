"""What must hold of every judgement, whatever the server: each raises AssertionError where not.

They read what users read, and compare it with the figures of the case.
"""

from __future__ import annotations

from advisor.case import Case
from advisor.gain import QueryTime, Wait
from advisor.outcomes import Judgement
from advisor.report.agenda import agenda, untimed
from advisor.report.decisions import nothing_to_change
from advisor.report.evidence_card import changes_asked
from advisor.report.limiting import limiting

HALF, FIFTH, MANY = 0.5, 0.2, 0.7
NOTHING, ELSEWHERE = "nothing limits", "none of the waits that were timed"
LIMITED = ("limited now by ", "limited perhaps by ")
ONE = ("does the work: ", "does the work: perhaps ")
SAYS_WHY = "no rule here shortens"


def explained(time: QueryTime) -> float:
    """The share of query time in all waits that are known."""
    return sum(each.value for each in time.waits.values()) / time.running.value


def waits_fit_into_the_queries_at_work(judgement: Judgement, case: Case) -> None:
    """No more queries wait for all things together than are at work; ranges hold their figures."""
    time = judgement.time
    if time is None:
        return
    assert explained(time) <= 1 + 1e-9, (case.target, time)
    for each in time.waits.values():
        assert 0 <= each.low <= each.value <= each.high + 1e-9, each


def first_line_matches_explained_share(judgement: Judgement, case: Case) -> None:
    """ "Nothing limits" stands only where the waits that were timed are most of query time.

    Where all that limit most servers were timed and make less, the first line says so.
    """
    time, line = judgement.time, limiting(judgement, case).lower()
    if time is None:
        assert NOTHING not in line
        return
    small = explained(time) < HALF
    if NOTHING in line:
        assert not untimed(time), line
        assert not small, (line, time)
    surely = any(each.high >= FIFTH * time.running.value for each in time.waits.values())
    if small and not untimed(time) and not surely and time.running.value >= 2:
        assert ELSEWHERE in line or "memory comes first" in line or "not innodb's" in line, line


def processors_limit_only_when_used(judgement: Judgement, case: Case) -> None:
    """Processors limit only where most are busy, or many threads wait for one."""
    line, watched = limiting(judgement, case).lower(), case.inventory.watched
    if not any(f"{how}{Wait.PROCESSORS}" in line for how in LIMITED):
        return
    assert watched is not None, line
    machine, host, time = watched.machine, case.inventory.host, judgement.time
    assert machine is not None and machine.server_cpu is not None and time is not None, line
    used, delay = machine.server_cpu.value, machine.server_run_delay
    waiting = 0.0 if delay is None else delay.value
    threads = None if host is None else host.cpu.threads
    process = case.inventory.server_process
    granted = None if process is None else process.cpu_limit
    shares = [0.0 if machine.cpu_busy is None else machine.cpu_busy.value]
    shares += [used / each for each in (threads, granted) if each]
    assert waiting >= FIFTH * time.running.value or max(shares) >= MANY, (line, shares, waiting)


def named_wait_has_a_line(judgement: Judgement, case: Case) -> None:
    """A wait that limits has a line in the lists, or the sentence says what would shorten it."""
    line = limiting(judgement, case)
    named = [
        each for each in Wait if any(f"{how}{each}" in line.lower() for how in (*LIMITED, *ONE))
    ]
    if judgement.time is None or (not named and ELSEWHERE not in line):
        return
    lists = agenda(judgement)
    shortened = {each.wait for one in (*lists.risks, *lists.lines) for each in one.relieves}
    if not shortened.intersection(named):
        assert SAYS_WHY in line, line
    if not changes_asked(judgement):
        assert "nothing needs a change" not in nothing_to_change(judgement, case), line


EVERY = (
    waits_fit_into_the_queries_at_work,
    first_line_matches_explained_share,
    processors_limit_only_when_used,
    named_wait_has_a_line,
)
