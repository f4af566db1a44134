"""What limits a server, in the sentence that stands first."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.facts.server.load import READ_AHEAD
from advisor.gain import QueryTime, Relief, Stakes, VolumeLimit, Wait
from advisor.judging.memory_first import OF_MEMORY
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.wording.advice.gains import time_sentence
from advisor.wording.advice.limiting import limiting
from advisor.wording.watch.beside import beside_others
from probes.points import Probe, Setting
from probes.statistics.ranges import Range
from probes.watch.watched import OtherWork, ProcessWork, WatchedMachine
from tests.app.window.machine import inventory
from tests.app.window.replay import replayed
from tests.app.window.watched import watched_inventory
from tests.knowledge.production.cases import not_watched, production_servers
from tests.present import present
from tests.rules.casework import build

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
    assert less.startswith("Limited perhaps by page reads: ")
    assert less.endswith(f"; processors were not timed; {AT_WORK}")
    # What was not timed has what is left, which is less than that.
    rest = said(PAGE_READS=4.5, COMMITS=3.0)
    assert rest.startswith("Limited now by page reads: ")
    assert "not timed" not in rest


def test_a_drive_that_is_idle_for_most_of_the_time_does_not_perhaps_limit() -> None:
    """The rest was not timed; half of the time at least a read is under way, or not."""
    few = QueryTime(Range(2.0, 1.8, 2.2), {Wait.PAGE_READS: Range.exact(0.45)})
    found = limiting(Judgement(time=few), CASE)
    assert found.startswith("What limits the server is open: ")
    assert "and page reads take 20 to 25\u202f% of query time" in found
    more = QueryTime(Range(2.0, 1.8, 2.2), {Wait.PAGE_READS: Range.exact(0.55)})
    assert limiting(Judgement(time=more), CASE).startswith("Limited perhaps by page reads: ")


def test_nothing_limits_only_where_the_waits_that_were_timed_are_most_of_the_time() -> None:
    """Each of them is below a fifth, and together they are nearly all there is."""
    small = {"PAGE_READS": 1.9, "COMMITS": 1.8, "PROCESSORS": 1.9, "TEMPORARY": 1.7}
    quiet = said(**small, LOG_BUFFER=0.9)
    assert quiet.startswith("Nothing limits the server now: page reads take most, 17 to 21")
    assert "none of the waits" not in quiet


@pytest.mark.parametrize(
    ("waits", "hidden", "then"),
    [
        ({}, 100, ""),
        ({"COMMITS": 0.5}, 95, "syncs at commit take 4.5 to 5.6"),
        ({"TEMPORARY": 0.5, "LOG_BUFFER": 1.0}, 85, "room in the log buffer takes 9.1 to 11"),
        ({"PROCESSORS": 3.0}, 70, "queries compute 27 to 33"),
    ],
)
def test_most_of_the_time_in_no_wait_that_was_timed_is_no_nothing(
    waits: dict[str, float], hidden: int, then: str
) -> None:
    found = said(**TIMED | waits)
    assert found.startswith(
        f"{hidden}\u202f% of the time of 10.0 queries at work is in none of the waits that were "
        "timed (row locks, latches, table locks); the drive is not it: "
    )
    assert "; no rule here shortens that: fewer queries at once, or shorter transactions" in found
    assert then in found


def test_row_locks_that_were_timed_are_not_among_what_may_take_the_rest() -> None:
    few = said(**TIMED | {"ROW_LOCKS": 0.3})
    assert "none of the waits that were timed (latches, table locks)" in few
    many = said(**TIMED | {"ROW_LOCKS": 6.0})
    assert many.startswith("Limited now by row locks: 55 to 67")
    assert "no rule here shortens that: shorter transactions, an index" in many


def test_a_wait_that_stands_out_is_named_with_the_greater_part_that_is_in_none() -> None:
    found = said(**TIMED | {"COMMITS": 3.0, "PROCESSORS": 3.0})
    assert found.startswith("Limited now by syncs at commit: 27 to 33")
    assert "queries compute 27 to 33\u202f% of the time" in found
    assert "40\u202f% of the time is in none of the waits that were timed" in found


def test_the_drive_is_ruled_out_only_where_what_it_takes_is_known_and_small() -> None:
    aside = "the drive is not it"
    limit = watch(
        "a.limit", limit=VolumeLimit.REQUESTS, relieves=(Relief.up_to(Wait.COMMITS, 0.9),)
    )
    assert aside in said(**TIMED)
    assert aside not in said(limit, **TIMED)
    assert aside not in said(PAGE_READS=0.0, PROCESSORS=0.0)
    # It may be a fifth.
    assert aside not in said(**TIMED | {"FREE_PAGES": Range(1.0, 0.5, 2.0)})
    busy = limiting(waiting(**TIMED), beside_device(0.93))
    assert "is in none of the waits that were timed" in busy
    assert aside not in busy
    assert "; vda is busy 93\u202f% of the time; " in busy
    # One that serves many requests at once is busy long before it has no room for more.
    with_room = limiting(waiting(**TIMED), beside_device(0.93, 2000))
    assert (
        "; vda is busy 93\u202f% of the time, though it gave 5.00× as many reads when it was "
        "measured; "
    ) in with_room
    scanning = limiting(waiting(**TIMED), beside_device(0.93, rates={READ_AHEAD[0]: 5_600}))
    assert "timed (read-ahead, row locks, latches, table locks); statements scan: " in scanning
    assert "; vda is busy 93\u202f% of the time, with pages that are read ahead; " in scanning
    assert "vda is busy 4\u202f% of the time" in limiting(waiting(**TIMED), beside_device(0.04))
    # The swap may lie on it: what the device reads counts, and not what InnoDB asks of it alone.
    assert "it gave 100× as many reads" in limiting(waiting(**TIMED), beside_device(0.04, 100))
    assert "it gave 5.00× as many reads" in limiting(waiting(**TIMED), beside_device(0.04, 2000))


def test_what_limits_is_open_where_the_usual_waits_were_not_timed() -> None:
    assert said(PAGE_READS=0.5, COMMITS=0.0).startswith(
        "What limits the server is open: processors were not timed, and page reads take "
    )
    assert said() == (
        "What limits the server is open: page reads, syncs at commit and processors "
        f"were not timed; {AT_WORK}"
    )


@pytest.mark.parametrize(
    ("used", "delay", "cpus", "granted", "first"),
    [
        (7.9, 1.1, 32, None, "Nothing limits the server now: queries mostly compute (82 to 1"),
        (1.9, 7.1, 2, None, "Limited now by processors"),
        # A queue, whoever keeps them busy; and threads that want the same one now and then.
        (1.9, 7.1, 64, None, "Limited now by processors"),
        (7.6, 1.4, 64, None, "Nothing limits the server now: queries mostly compute (82 to 1"),
        # Seven tenths of all, or of what a control group grants.
        (9.0, 0.0, 13, None, "Nothing limits the server now: queries mostly compute"),
        (9.0, 0.0, 12, None, "Processors are used to 75\u202f%: 82 to 1"),
        (9.0, 0.0, 64, 12.5, "Processors are used to 72\u202f%: 82 to 1"),
        (9.0, 0.0, 64, 9.5, "Limited now by processors"),
        (9.0, 0.0, 64, 13.5, "Nothing limits the server now: queries mostly compute"),
    ],
)
def test_processors_limit_where_most_are_busy_or_many_queries_wait_for_one(
    used: float, delay: float, cpus: int, granted: float | None, first: str
) -> None:
    case = build(
        {
            "version": "8.4.5",
            "host": {"cpus": cpus},
            "process": {"cpu_limit": granted},
            "watched": {"running": [10] * 5, "cpu": [used, delay]},
        }
    )
    found = limiting(waiting(**TIMED | {"PROCESSORS": used + delay}), case)
    assert found.startswith(first)
    assert ("threads wait for one" in found) == (delay >= 0.2 * max(1.0, used))
    assert ("no queue" in found) == (delay < 0.05 * max(1.0, used))
    assert "hardly a queue" not in found or "no queue" not in found


def test_queries_that_compute_beside_a_wait_are_no_limit_and_it_is() -> None:
    found = said(**TIMED | {"PAGE_READS": 3.0, "PROCESSORS": 6.5})
    assert found.startswith("Limited now by page reads: 27 to 33")
    assert "queries compute 59 to 72\u202f% of the time" in found


def test_a_wait_beside_queries_that_mostly_compute_is_a_part_of_their_time() -> None:
    part = said(**TIMED | {"PAGE_READS": 2.1, "PROCESSORS": 7.5})
    assert part.startswith(
        "Queries mostly compute (68 to 83\u202f% of their time), and page reads "
    )
    assert "page reads take 19 to 23\u202f% of query time; no rule here shortens that: " in part
    assert part.count("compute") == 1
    assert said(**TIMED | {"PAGE_READS": 2.1, "PROCESSORS": 6.9}).startswith("Limited perhaps by ")


def test_queries_do_not_mostly_compute_where_much_of_their_time_was_not_timed() -> None:
    found = said(**TIMED | {"PROCESSORS": 5.1})
    assert found.startswith(
        "Queries compute 46 to 57\u202f% of the time, and 49\u202f% of it is in none "
    )
    # A rest that would stand out as a wait is named, and nothing limits where there is none.
    part = said(**TIMED | {"PAGE_READS": 1.8, "PROCESSORS": 5.1, "FREE_PAGES": Range(0.3, 0, 0.6)})
    assert "28\u202f% of it is in none of the waits" in part
    assert "no rule here shortens that: fewer queries at once, or " in part
    assert "then perhaps free pages of the buffer pool (up to 6" in part
    most = said(**TIMED | {"PROCESSORS": 8.1})
    assert most.startswith("Nothing limits the server now: queries mostly compute (")


def test_commits_that_follow_one_another_are_said_to() -> None:
    waits = {Wait.COMMITS: Range(9.0, 6.0, 9.0), Wait.PAGE_READS: Range.exact(0.0)}
    time = QueryTime(Range(10.0, 9.0, 11.0), waits, log_busy=0.96)
    found = limiting(Judgement(time=time), CASE)
    assert found.startswith("Limited now by syncs at commit: ")
    assert (
        "hardly any commits share a sync, and one follows the other 96\u202f% of the time" in found
    )


def test_a_wait_that_may_be_none_limits_perhaps_and_stands_below_a_sure_one() -> None:
    late = Range(5.0, 0.0, 9.0)
    found = said(**TIMED | {"CHECKPOINTS": late})
    assert found.startswith("Limited perhaps by room in the redo log: up to 9")
    sure = said(**TIMED | {"CHECKPOINTS": late, "COMMITS": 3.0})
    assert sure.startswith("Limited now by syncs at commit: ")
    assert ", then perhaps room in the redo log (up to 90\u202f%); " in sure


def test_a_change_of_what_comes_next_is_named_where_no_rule_shortens_the_first() -> None:
    larger = watch(
        "redo.capacity",
        verdict=Verdict.RECOMMEND,
        setting="innodb_redo_log_capacity",
        relieves=(Relief.whole(Wait.CHECKPOINTS),),
    )
    waits = TIMED | {"PAGE_READS": 3.0, "CHECKPOINTS": Range(2.5, 2.0, 3.0)}
    found = said(larger, **waits)
    assert found.startswith("Limited now by page reads: ")
    assert (
        "; the proposed innodb_redo_log_capacity shortens room in the redo log; "
        "no rule here shortens page reads: statements "
    ) in found
    # What relieves next to nothing is no answer.
    little = waits | {"CHECKPOINTS": Range(0.5, 0.4, 0.6)}
    assert "; no rule here shortens that: " in said(larger, **little)


@pytest.mark.parametrize("topic", sorted(OF_MEMORY))
def test_where_memory_runs_out_nothing_is_not_what_limits(topic: str) -> None:
    risk = watch("a.risk", topic, stakes=Stakes.DATA)
    first = "Memory comes first, as the risks say"
    assert said(risk, **TIMED) == f"{first}; {AT_WORK}"
    memory = said(risk, MEMORY=Range(0.6, 0.0, 1.2))
    assert memory.startswith(f"{first}; memory takes up to ")
    assert "were not timed" in memory
    assert said(risk, CHECKPOINTS=Range(5.0, 0.0, 9.0)).startswith(first)
    waits = said(risk, PAGE_READS=6.0)
    assert waits.startswith("Limited now by page reads")
    assert "; all the same memory comes first, as the risks say; " in waits
    assert "memory comes first" not in said(PAGE_READS=6.0)
    elsewhere = "100\u202f% of the time of 10.0 queries at work is in none of the waits"
    assert said(replace(risk, verdict=Verdict.FINE), **TIMED).startswith(elsewhere)
    assert said(replace(risk, stakes=Stakes.TIME), **TIMED).startswith(elsewhere)


def test_a_limit_of_the_volume_stands_behind_the_waits_that_it_makes_longer() -> None:
    held = tuple(Relief.up_to(wait, 0.88) for wait in (Wait.PAGE_READS, Wait.COMMITS))
    limit = watch("a.limit", limit=VolumeLimit.REQUESTS, relieves=held, used=0.88)
    used = "; 88\u202f% of the volume's limit on requests is used; "
    assert used in said(limit, PAGE_READS=6.0)
    # Where neither was timed, what limits is open; the limit is not.
    assert used in said(limit)
    assert "limit on requests" not in said(limit, PAGE_READS=0.5, PROCESSORS=8.0)
    assert "limit on requests" not in said(replace(limit, verdict=Verdict.FINE), PAGE_READS=6.0)


def beside_device(
    busy: float, reads_per_s: float = 0.0, rates: dict[str, float] | None = None
) -> Case:
    devices = [{"name": "vda", "roles": ["data"], "busy": busy, "reads": [reads_per_s, 100]}]
    watched = {"running": [10] * 5, "devices": devices}
    counted = {"Innodb_data_reads": 100.0, "Innodb_pages_read": 100.0}
    if rates is not None:
        counted |= {"Innodb_buffer_pool_reads": 420.0} | rates
    spec = {"version": "8.4.5", "drive": {"name": "vda"}, "rates": counted, "watched": watched}
    return build(spec | {"reads_16k": [[1, 2000], [16, 10000]]})


@pytest.mark.parametrize(
    ("name", "first"),
    [
        ("zfs", "What limits the server is open: processors were not"),
        ("swapping", "Memory comes first, as the risks say; memory takes up to 12"),
        ("old_sata", "Limited perhaps by room in the redo log: an unknown part of query time"),
    ],
)
def test_no_production_server_is_cleared_by_what_nobody_timed(name: str, first: str) -> None:
    server = not_watched(name)
    assert limiting(server.judged(), server.case).startswith(first)


def test_a_production_server_that_was_watched_is_limited_by_its_volume() -> None:
    server = production_servers()["network_volume"]
    found = limiting(server.judged(), server.case)
    assert found.startswith("Limited now by page reads: 68 to 75")
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
    machine = WatchedMachine((), server_cpu=Range.exact(0.5), others=others)
    shared = Case("local", replace(seen, watched=replace(watched, machine=machine)), POINTS)
    assert beside_others(waiting(PROCESSORS=6.0), shared) == then
    assert beside_others(waiting(PAGE_READS=6.0, PROCESSORS=1.0), shared) == ""
    assert beside_others(Judgement(), shared) == ""


def test_where_query_time_goes_says_as_well_what_is_in_no_timed_wait() -> None:
    assert time_sentence(waiting(**TIMED | {"COMMITS": 0.5})) == (
        "Query time: 95\u202f% none of the waits that were timed and 4.5 to 5.6\u202f% syncs at "
        "commit; 10.0 queries at work."
    )
    assert "none of" not in time_sentence(waiting(**TIMED | {"COMMITS": 6.0}))
