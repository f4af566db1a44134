"""What limits a server, in the sentence that stands first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.gain import QueryTime, Relief, Stakes, Wait
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.report.limiting import CEILINGS, OF_MEMORY, beside_others, limiting
from advisor.rulekit.registry import all_rules
from probes.points import Probe, Setting
from probes.ranges import Range
from probes.watch.watched import Machine, OtherWork, ProcessWork
from tests.app.window.machine import inventory
from tests.app.window.replay import replayed
from tests.app.window.watched import watched_inventory
from tests.knowledge.production_cases import not_watched, production_servers
from tests.present import present

POINTS = tuple(
    replace(replayed(Setting(Probe.RANDOM_READ, threads, 16384, 1, "/data")), id=threads)
    for threads in (1, 8, 64)
)
CASE = Case("local", inventory(), POINTS)
TIMED: dict[str, float | Range] = {"PAGE_READS": 0.0, "COMMITS": 0.0, "PROCESSORS": 0.0}
AT_WORK = "10.0 queries at work."


def waiting(*said: Recommendation, **waits: float | Range) -> Judgement:
    """Ten queries at work, so many of them in each wait."""
    ranges = {
        Wait[name]: each if isinstance(each, Range) else Range.exact(each)
        for name, each in waits.items()
    }
    return Judgement(said, time=QueryTime(Range(10.0, 9.0, 11.0), ranges))


def said(*advice: Recommendation, **waits: float | Range) -> str:
    return limiting(waiting(*advice, **waits), CASE)


def watch(rule: str, topic: str = "", **fields: object) -> Recommendation:
    given = {"verdict": Verdict.WATCH, "saw": "Seen.", "title": rule} | fields
    return Recommendation(rule=rule, topic=topic, **given)  # type: ignore[arg-type]


def test_the_longest_wait_limits_where_it_stands_out() -> None:
    found = said(COMMITS=6.0, PAGE_READS=1.0)
    assert found.startswith("Limited now by syncs at commit: 5")
    assert "then page reads with" in found
    # More than half is the longest, whatever was not timed.
    assert "not timed" not in found
    assert found.endswith(AT_WORK)
    less = said(PAGE_READS=3.0, COMMITS=1.0)
    assert less.startswith("Limited now by page reads: ")
    assert less.endswith(f"; processors (used or waited for) were not timed; {AT_WORK}")


def test_nothing_limits_only_where_the_usual_waits_were_timed() -> None:
    quiet = said(**TIMED | {"COMMITS": 0.5})
    assert quiet.startswith("Nothing limits the server now: syncs at commit take most, ")
    assert said(**TIMED) == f"Nothing limits the server now; {AT_WORK}"
    assert said(**TIMED | {"TEMPORARY": 0.5, "LOG_BUFFER": 1.0}).startswith(
        "Nothing limits the server now: room in the log buffer takes most, "
    )
    assert said(PAGE_READS=0.5, COMMITS=0.0).startswith(
        "What limits the server is open: processors (used or waited for) were not timed, and page "
        "reads take "
    )
    assert said() == (
        "What limits the server is open: page reads, syncs at commit and processors (used or "
        f"waited for) were not timed; {AT_WORK}"
    )


def test_a_server_with_few_queries_has_little_to_do_whatever_they_wait_for() -> None:
    def light(**waits: Range) -> str:
        found = {Wait[name]: each for name, each in waits.items()}
        return limiting(Judgement(time=QueryTime(Range(0.4, 0.3, 0.5), found)), CASE)

    assert light(COMMITS=Range(0.3, 0.2, 0.4)).startswith(
        "The server has little to do: 0.4 queries at work, and syncs at commit take most of what "
        "was timed, "
    )
    idle = {name: Range.exact(each) for name, each in TIMED.items() if isinstance(each, float)}
    assert light(**idle) == "The server has little to do: 0.4 queries at work."
    vague = light(**idle | {"COMMITS": Range(0.3, 0.2, 0.4), "PAGE_READS": Range(0.2, 0.01, 0.4)})
    assert vague.endswith(" of query time, then perhaps page reads.")


def test_a_wait_that_may_be_none_limits_perhaps_and_stands_below_a_sure_one() -> None:
    late = Range(5.0, 0.0, 9.0)
    found = said(**TIMED | {"CHECKPOINTS": late})
    assert found.startswith("Limited perhaps by room in the redo log: 0 to ")
    sure = said(**TIMED | {"CHECKPOINTS": late, "COMMITS": 3.0})
    assert sure.startswith("Limited now by syncs at commit: ")
    assert ", then perhaps room in the redo log; " in sure


@pytest.mark.parametrize("topic", sorted(OF_MEMORY))
def test_where_memory_runs_out_nothing_is_not_what_limits(topic: str) -> None:
    risk = watch("a.risk", topic, stakes=Stakes.DATA)
    first = "Memory comes first, as the risks say"
    assert said(risk, **TIMED) == f"{first}; {AT_WORK}"
    memory = said(risk, MEMORY=Range(0.6, 0.0, 1.2))
    assert memory.startswith(f"{first}; memory takes 0 to ")
    assert "were not timed" in memory
    assert said(risk, CHECKPOINTS=Range(5.0, 0.0, 9.0)).startswith(first)
    assert said(risk, PAGE_READS=6.0).startswith("Limited now by page reads")
    assert said(replace(risk, verdict=Verdict.FINE), **TIMED).startswith("Nothing limits")
    assert said(replace(risk, stakes=Stakes.TIME), **TIMED).startswith("Nothing limits")


def test_a_limit_of_the_volume_stands_behind_the_waits_that_it_makes_longer() -> None:
    held = tuple(Relief.up_to(wait, 0.88) for wait in (Wait.PAGE_READS, Wait.COMMITS))
    limit = watch("cloud.request-limit", relieves=held)
    used = "; 88\u202f% of the volume's limit on requests is used; "
    assert used in said(limit, PAGE_READS=6.0)
    # Where neither was timed, what limits is open; the limit is not.
    assert used in said(limit)
    assert "limit on requests" not in said(limit, PAGE_READS=0.5, PROCESSORS=8.0)
    assert "limit on requests" not in said(replace(limit, verdict=Verdict.FINE), PAGE_READS=6.0)


def test_the_rules_that_are_named_exist() -> None:
    assert set(CEILINGS) <= {rule.id for rule in all_rules()}
    assert {rule.topic for rule in all_rules()} >= OF_MEMORY


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("zfs", "What limits the server is open: processors (used or waited for) were not"),
        ("swapping", "Memory comes first, as the risks say; memory takes 0 to 12"),
        ("old_sata", "Limited perhaps by room in the redo log: 0 to 97"),
    ],
)
def test_no_production_server_is_cleared_by_what_nobody_timed(name: str, first: str) -> None:
    server = not_watched(name)
    assert limiting(server.judged(), server.case).startswith(first)


def test_a_production_server_that_was_watched_is_limited_by_its_volume() -> None:
    server = production_servers()["network_volume"]
    found = limiting(server.judged(), server.case)
    assert found.startswith("Limited now by page reads: 68 to 76")
    assert "88\u202f% of the volume's limit on requests is used" in found


def test_without_a_load_it_says_what_the_drive_gives() -> None:
    assert limiting(Judgement(), CASE).startswith("The drive gives ")
    idle = Case("local", watched_inventory(), POINTS)
    found = limiting(Judgement(), idle)
    assert found.startswith("No query was at work while it was watched. The drive gives ")


@pytest.mark.parametrize(
    ("java", "then"),
    [
        (1.4, "The server keeps 0.5 processors busy, other programs 1.4 (java 1.4)."),
        (0.3, ""),
    ],
)
def test_who_else_keeps_the_processors_busy_is_said_where_it_is_more(
    java: float, then: str
) -> None:
    others = OtherWork((ProcessWork(7, "java", java),), 0.0, 0.1, 0.0)
    seen = watched_inventory()
    watched = present(seen.watched)
    machine = Machine((), server_cpu=Range.exact(0.5), others=others)
    shared = Case("local", replace(seen, watched=replace(watched, machine=machine)), POINTS)
    assert beside_others(waiting(PROCESSORS=6.0), shared) == then
    assert beside_others(waiting(PAGE_READS=6.0, PROCESSORS=1.0), shared) == ""
    assert beside_others(Judgement(), shared) == ""
