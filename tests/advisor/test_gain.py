"""Gain: the waits of running queries, what a change takes off them, and the order that follows."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.gain import QueryTime, Relief, Stakes, Wait
from advisor.judging.agenda import Part, part_of
from advisor.judging.engine import judge, time_of
from advisor.judging.order import in_order
from advisor.outcomes import Confidence, Recommendation, Verdict
from advisor.ranking import negligible, only_asked, rank
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.wording.advice.gains import gain_of, why_minor
from probes.statistics.ranges import Range
from tests.rules.casework import build

TIME = QueryTime(
    Range(10.0, 8.0, 12.0),
    {Wait.PAGE_READS: Range(6.0, 5.0, 7.0), Wait.COMMITS: Range(1.0, 1.0, 1.0)},
)


def advice(rule: str, **fields: object) -> Recommendation:
    given = {"verdict": Verdict.RECOMMEND, "saw": "Seen.", "title": rule, "topic": ""} | fields
    return Recommendation(rule=rule, **given)  # type: ignore[arg-type]


def test_the_gain_is_the_part_of_the_running_queries_that_waits_no_more() -> None:
    gain = TIME.gain([Relief(Wait.PAGE_READS, Range.exact(0.5))])
    assert gain is not None
    assert gain.value == pytest.approx(0.3)
    # Each part's own error, as the root of the sum of squares: 0.5 of 3, and a sixth or a quarter.
    assert gain.low == pytest.approx(0.3 - math.hypot(0.5, 3 * (1 - 10 / 12)) / 10)
    assert gain.high == pytest.approx(0.3 + math.hypot(0.5, 3 * (10 / 8 - 1)) / 10)


def test_two_waits_add_up_and_no_gain_is_more_than_all() -> None:
    both = TIME.gain([Relief.whole(Wait.PAGE_READS), Relief.whole(Wait.COMMITS)])
    assert both is not None
    assert both.value == pytest.approx(0.7)
    small = replace(TIME, running=Range(5.0, 4.0, 6.0))
    most = small.gain([Relief.whole(Wait.PAGE_READS)])
    assert most is not None
    assert most.value == most.high == 1.0


def test_a_wait_that_nobody_counted_gives_no_gain() -> None:
    assert TIME.gain([Relief.whole(Wait.CHECKPOINTS)]) is None
    assert TIME.gain(()) is None


def test_a_known_wait_that_is_small_says_nothing_of_one_that_nobody_timed() -> None:
    time = QueryTime(Range.exact(8.0), {Wait.FREE_PAGES: Range.exact(0.0)})
    assert time.gain([Relief.whole(Wait.PAGE_READS), Relief.whole(Wait.FREE_PAGES)]) is None
    assert time.gain([Relief.whole(Wait.FREE_PAGES)]) == Range.exact(0.0)
    # What is known to bring much is a gain already.
    both = TIME.gain([Relief.whole(Wait.PAGE_READS), Relief.whole(Wait.FREE_PAGES)])
    assert both == TIME.gain([Relief.whole(Wait.PAGE_READS)])


def test_an_idle_server_has_no_query_time() -> None:
    idle = build({"version": "8.0.33", "status": {"Threads_running": 1}})
    assert time_of(FactSource(idle)) is None


def test_what_brings_more_is_first_and_what_is_not_quantified_last() -> None:
    small = advice("a.small", gain=Range.exact(0.02))
    large = advice("b.large", gain=Range.exact(0.4), confidence=Confidence.LOW)
    unknown = advice("c.unknown", confidence=Confidence.HIGH)
    risk = advice("d.risk", stakes=Stakes.DATA, verdict=Verdict.WATCH)
    line = advice("e.line", stakes=Stakes.HOUSEKEEPING, gain=Range.exact(0.9))
    nothing = advice("f.nothing", gain=Range.exact(0.001))
    ordered = sorted([line, unknown, nothing, small, risk, large], key=rank)
    assert [one.rule for one in ordered] == [
        "d.risk", "b.large", "a.small", "c.unknown", "f.nothing", "e.line",
    ]  # fmt: skip


def test_what_nobody_counted_stands_below_what_was_counted_and_above_what_is_small() -> None:
    late = (Relief.up_to(Wait.CHECKPOINTS, 1.0),)
    redo = advice("a.redo", gain=Range(0.44, 0.0, 0.87), relieves=late)
    pool = advice("b.pool", gain=Range(0.08, 0.04, 0.15), relieves=(Relief.whole(Wait.PAGE_READS),))
    small = advice("c.small", gain=Range.exact(0.015))
    unknown = advice("d.unknown", confidence=Confidence.HIGH)
    assert sorted([unknown, small, redo, pool], key=rank) == [pool, redo, small, unknown]
    # A low end that is certain counts whole.
    sure = replace(redo, gain=Range(0.44, 0.3, 0.87))
    assert sorted([pool, sure], key=rank) == [sure, pool]
    # Of a wait that was counted, but nobody knows how much of it ends, a part of the middle does.
    limit = advice(
        "e.limit", gain=Range(0.19, 0.0, 0.38), relieves=(Relief.up_to(Wait.COMMITS, 1),)
    )
    assert sorted([unknown, limit, pool], key=rank) == [pool, limit, unknown]
    assert gain_of(limit) == "gain not known: how much of that wait it ends shows only afterwards"
    assert gain_of(redo) == "gain not known: nothing counts that wait"
    assert gain_of(replace(limit, gain=Range(0.2, 0.03, 0.38))) == "at least 3\u202f% of query time"
    assert gain_of(pool) == "4 to 15\u202f% of query time"


def test_what_is_urgent_comes_before_what_was_counted() -> None:
    redo = advice("a.redo", gain=Range(0.001, 0.0, 0.002), urgency=1.0)
    pool = advice("b.pool", gain=Range.exact(0.5))
    history = advice("c.history", verdict=Verdict.WATCH, urgency=1.0)
    assert sorted([pool, history, redo], key=rank) == [redo, history, pool]
    assert part_of(redo) is Part.CHANGE
    assert part_of(history) is Part.WATCH
    assert part_of(replace(redo, urgency=0.0)) is Part.MINOR


def test_what_nobody_counted_is_minor_where_nothing_suffers() -> None:
    slight = advice("a.slight", slight=True)
    assert part_of(slight) is Part.MINOR
    assert only_asked(slight)
    assert (
        why_minor(slight)
        == "nothing that was counted gets slower without it, planned only if asked for"
    )
    assert part_of(replace(slight, gain=Range.exact(0.1))) is Part.CHANGE
    assert part_of(replace(slight, stakes=Stakes.DATA)) is Part.RISK


def test_a_pool_that_is_known_to_save_little_is_minor() -> None:
    pool = advice("a.pool", gain=Range(0.015, 0.01, 0.03), least_gain=0.02)
    assert part_of(pool) is Part.MINOR
    assert why_minor(pool) == "below 2\u202f% of query time"
    assert part_of(replace(pool, gain=Range(0.015, 0.001, 0.3))) is Part.CHANGE
    assert part_of(replace(pool, gain=Range(0.02, 0.01, 0.03))) is Part.CHANGE


def test_published_effects_order_what_is_not_quantified() -> None:
    plain, major = advice("a.plain", confidence=Confidence.HIGH), advice("b.major", major=True)
    assert sorted([plain, major], key=rank) == [major, plain]


def test_a_symptom_is_minor_under_its_cause_and_a_part_follows_its_whole() -> None:
    pool = advice("buffer-pool.size", gain=Range.exact(0.5))
    waits = advice("flushing.free-page-waits", verdict=Verdict.WATCH, gain=Range.exact(0.9))
    method = advice("flushing.flush-method")
    other = advice("redo.capacity", gain=Range.exact(0.1))
    ordered = in_order([other, method, waits, pool], all_rules())
    named = {one.rule: one for one in ordered}
    assert named["flushing.free-page-waits"].cause == "buffer-pool.size"
    assert part_of(named["flushing.free-page-waits"]) is Part.MINOR
    changes = [one.rule for one in ordered if part_of(one) is Part.CHANGE]
    assert changes == ["buffer-pool.size", "redo.capacity", "flushing.flush-method"]
    unknown = in_order([replace(other, gain=None), method, pool], all_rules())
    assert [one.rule for one in unknown] == [
        "buffer-pool.size",
        "flushing.flush-method",
        "redo.capacity",
    ]
    alone = in_order([replace(pool, verdict=Verdict.FINE), waits], all_rules())
    assert {one.rule: one.cause for one in alone}["flushing.free-page-waits"] == ""


def test_what_brings_next_to_nothing_is_minor_and_what_is_unknown_is_not() -> None:
    little = advice("a.little", gain=Range(0.001, 0.0, 0.009))
    assert negligible(little)
    assert part_of(little) is Part.MINOR
    perhaps = advice("b.perhaps", gain=Range(0.001, 0.0, 0.2))
    assert part_of(perhaps) is Part.CHANGE
    assert gain_of(perhaps) == "gain not known: how much of that wait it ends shows only afterwards"
    assert gain_of(advice("c.unknown")) == "gain not quantified"


SHORT = {
    "version": "8.0.33",
    "variables": {
        "innodb_redo_log_capacity": "104857600",
        "innodb_buffer_pool_size": "34359738368",
        "innodb_log_writer_threads": "ON",
    },
    "watched": {"running": [10, 10, 10], "cpu": [1.5, 7.5]},
    "storage": {"free_bytes": 500000000000},
    "drive": {"filesystem": "ext4"},
}
"""Ten queries at work, nine of them on a processor or waiting for one."""


def short_of_processors(**rates: float) -> Case:
    return build(SHORT | {"rates": {"Innodb_redo_log_current_lsn": 2097152, **rates}})


def test_processors_are_what_query_time_goes_to_where_they_are_short() -> None:
    time = judge(short_of_processors()).time
    assert time is not None
    busy = time.share(Wait.PROCESSORS)
    assert busy is not None
    assert busy.value == pytest.approx(0.9)
    assert time.longest[0][0] is Wait.PROCESSORS


def test_page_writes_that_a_small_log_makes_again_cost_processors() -> None:
    judged = judge(short_of_processors(Innodb_pages_written=1000)).recommendations
    redo = next(one for one in judged if one.rule == "redo.capacity")
    assert redo.gain is not None
    # At most all of 1,000 writes x 90 us of 1.5 processors, which are nine tenths of the time.
    assert redo.gain.high == pytest.approx(0.06 * 0.9)
    assert not negligible(redo)
    unknown = judge(short_of_processors()).recommendations
    assert next(one for one in unknown if one.rule == "redo.capacity").gain is None


def test_redo_that_is_handed_over_costs_processors_and_where_they_are_many_perhaps_none() -> None:
    commits = {"Com_commit": 1000, "Com_update": 1000}
    for cpus, least_us in ((4, 50.0), (5, 0.0)):
        judged = judge(build(SHORT | {"host": {"cpus": cpus}, "rates": commits})).recommendations
        threads = next(one for one in judged if one.rule == "redo.writer-threads")
        assert threads.gain is not None
        # 1,000 commits x 100 us of 1.5 processors, which are nine tenths of the time.
        assert threads.gain.value == pytest.approx(0.1 / 1.5 * 0.9)
        assert threads.gain.low == pytest.approx(least_us * 1e-3 / 1.5 * 0.9)


def waiting_for_free_pages(**watched: object) -> Range:
    spec = {
        "version": "8.0.33",
        "rates": {"Innodb_buffer_pool_wait_free": 400},
        "watched": {"running": [10, 10, 10], **watched},
    }
    time = judge(build(spec)).time
    assert time is not None
    return time.waits[Wait.FREE_PAGES]


def test_who_waits_for_a_free_page_writes_one_as_long_as_the_server_timed_it() -> None:
    assert waiting_for_free_pages() == Range(2.0, 0.4, 4.0)
    assert waiting_for_free_pages(own_writes=[1.2, 1.0, 1.5]) == Range(1.2, 1.0, 4.0)
    # The page cleaner did it for them: connections only waited.
    assert waiting_for_free_pages(own_writes=[0.1, 0.0, 0.2]) == Range(2.0, 0.4, 4.0)


def test_a_judgement_says_where_the_time_of_its_queries_goes() -> None:
    assert judge(build({"version": "8.0.33"})).time is None


def test_most_is_hidden_where_no_timed_wait_takes_as_much() -> None:
    waits = {Wait.PAGE_READS: Range.exact(1.0), Wait.COMMITS: Range.exact(1.0)}
    timed = QueryTime(Range.exact(10.0), waits | {Wait.PROCESSORS: Range.exact(3.0)})
    assert timed.hidden == pytest.approx(0.5)
    assert timed.hides_most
    in_locks = {**timed.waits, Wait.ROW_LOCKS: Range.exact(2.5)}
    assert not replace(timed, waits=in_locks).hides_most, "rows that others have locked"
    assert not QueryTime(Range.exact(10.0), waits).hides_most, "nobody timed the processors"
