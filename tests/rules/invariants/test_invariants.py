"""Each invariant finds what breaks it, and lets pass what keeps it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from advisor.gain import QueryTime, Relief, Stakes, Wait
from advisor.outcomes import Allowed, Judgement, NotJudged, Recommendation, Verdict
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.steps import Needs, SetVariable
from advisor.target_config.configuration import TargetConfiguration
from advisor.variables.standing import Standing
from advisor.why import RuleFailed
from probes.statistics.ranges import Range
from probes.version import ServerVersion
from tests.rules.casework import build
from tests.rules.invariants import ALL, Answer, broken

RUNNING = Range(20.0, 18.0, 22.0)
NOW = {
    "innodb_buffer_pool_size": str(8 << 30),
    "innodb_io_capacity": "4000",
    "innodb_dedicated_server": "ON",
}


def one(rule: str, **fields: Any) -> Recommendation:
    given = {"verdict": Verdict.RECOMMEND, "saw": "Seen.", "title": rule, "topic": ""} | fields
    return Recommendation(rule=rule, **given)


def answer(
    *said: Recommendation,
    line: str = "",
    nothing: str = "",
    planned: Mapping[str, tuple[str, str]] | None = None,
    waits: Mapping[Wait, float] | None = None,
    **spec: Any,
) -> Answer:
    """An answer with these outcomes; ``planned`` are value and rule by setting."""
    case = build({"version": "8.0.39", "variables": NOW, "host": {"cpus": 32}} | spec)
    time = QueryTime(RUNNING, {name: Range.exact(each) for name, each in (waits or {}).items()})
    actions = tuple(
        Action(Group.ONLINE, SetVariable(Standing(name, NOW[name]), value, Needs.DYNAMIC), (rule,))
        for name, (value, rule) in (planned or {}).items()
    )
    plan = ChangePlan("test", ServerVersion.parse("8.0.39"), actions)
    judgement = Judgement(said, time=time if waits is not None else None)
    return Answer(case, judgement, line, nothing, TargetConfiguration(plan, said, case, 1, True))


def names(found: Answer) -> set[str]:
    return set(broken(found))


UNSAID = {"nothing_limits_unexplained", "hidden_time_unsaid"}
MOSTLY_UNKNOWN = {Wait.PAGE_READS: 0.5, Wait.COMMITS: 1.0, Wait.PROCESSORS: 3.0}


def test_nothing_limits_only_where_most_is_explained() -> None:
    line = "Nothing limits the server now: processors take most, 15 % of query time."
    assert names(answer(line=line, waits=MOSTLY_UNKNOWN)) == UNSAID
    assert not names(answer(line=line, waits=MOSTLY_UNKNOWN | {Wait.COMMITS: 8.0}))


def test_room_that_nobody_counts_explains_nothing() -> None:
    waits = MOSTLY_UNKNOWN | {Wait.CHECKPOINTS: 12.0}
    found = answer(line="Nothing limits the server now.", waits=waits)
    assert names(found) == {"nothing_limits_unexplained"}


def test_nothing_limits_only_what_was_watched_and_timed() -> None:
    line = "Nothing limits the server now."
    assert names(answer(line=line)) == {"nothing_limits_unexplained"}
    untimed = {Wait.PAGE_READS: 12.0, Wait.PROCESSORS: 4.0}
    assert names(answer(line=line, waits=untimed)) == {"nothing_limits_unexplained"}
    assert not names(answer(line=line, waits=untimed | {Wait.COMMITS: 0.0}))


def test_a_line_says_how_much_is_in_no_wait() -> None:
    short = {Wait.PAGE_READS: 0.5, Wait.COMMITS: 1.0, Wait.PROCESSORS: 2.0}
    assert names(answer(line="Queries wait.", waits=short)) == {"hidden_time_unsaid"}
    said = "83 % of it is in none of the waits that were timed; no rule here shortens that: locks."
    assert not names(answer(line=said, waits=short))
    assert not names(answer(line="Memory comes first, as the risks say.", waits=short))
    assert not names(answer(line="Queries wait.", waits=short | {Wait.COMMITS: 4.0}))
    few = {Wait.PAGE_READS: 0.05, Wait.COMMITS: 0.1, Wait.PROCESSORS: 0.2}
    found = answer(line="The server has little to do.", waits=few)
    idle = QueryTime(
        Range(1.0, 0.8, 1.2), found.judgement.time.waits if found.judgement.time else {}
    )
    assert not names(replace(found, judgement=replace(found.judgement, time=idle)))


def test_no_more_queries_wait_than_are_at_work() -> None:
    line = "Limited now by page reads: all of it; no rule here shortens that: indexes would."
    assert not names(answer(line=line, waits={Wait.PAGE_READS: 12.0, Wait.COMMITS: 8.0}))
    more = answer(line=line, waits={Wait.PAGE_READS: 12.0, Wait.COMMITS: 9.0})
    assert names(more) == {"waits_beyond_the_queries"}


ON_CPU = (
    "Limited now by processors: 80 % of query time; no rule here shortens "
    "that: statements that do less would; 20 queries at work."
)


@pytest.mark.parametrize(
    ("cpu", "machine", "granted", "idle"),
    [
        ([16.0, 0.5], [0.5, 0.0], None, True),
        ([16.0, 3.0], [0.5, 0.0], None, True),
        ([16.0, 4.5], [0.5, 0.0], None, False),
        ([24.0, 0.5], [0.75, 0.0], None, False),
        ([3.0, 0.1], [0.9, 0.0], None, False),
        ([3.0, 0.1], [0.2, 0.0], None, True),
        ([3.0, 0.1], [0.2, 0.0], 4.0, False),
    ],
)
def test_processors_limit_where_most_are_busy_or_threads_queue(
    cpu: list[float], machine: list[float], granted: float | None, idle: bool
) -> None:
    seen: dict[str, Any] = {"watched": {"running": [20.0] * 5, "cpu": cpu, "machine": machine}}
    seen |= {"process": {"cpu_limit": granted}} if granted else {}
    waits = {Wait.PROCESSORS: 16.0}
    found = answer(line=ON_CPU, waits=waits, **seen)
    assert names(found) == ({"limited_by_idle_processors"} if idle else set())
    second = ON_CPU.replace("processors", "page reads")
    assert not names(answer(line=f"{second}, then processors", waits=waits, **seen))


def test_processors_that_nobody_watched_limit_nothing() -> None:
    found = answer(line=ON_CPU, waits={Wait.PROCESSORS: 16.0})
    assert names(found) == {"limited_by_idle_processors"}


@pytest.mark.parametrize(
    "line",
    [
        "Limited now by page reads: 60 % of query time; 20 queries at work.",
        "Limited perhaps by page reads: 0 to 60 % of query time, then syncs at commit.",
        "One thread does the work: page reads take 60 % of query time.",
        "60 % of the time of 20 queries at work is in none of the waits that were timed.",
    ],
)
def test_a_wait_that_is_named_has_a_line_or_a_reason_why_none(line: str) -> None:
    waits = {Wait.PAGE_READS: 12.0}
    hidden = "none of the waits" in line
    assert names(answer(line=line, waits=waits)) == {"named_wait_without_a_line"}
    fine = one("a.fine", verdict=Verdict.FINE, relieves=(Relief.up_to(Wait.PAGE_READS, 0.5),))
    assert names(answer(fine, line=line, waits=waits)) == {"named_wait_without_a_line"}
    relieves = replace(fine, verdict=Verdict.RECOMMEND)
    expected = {"named_wait_without_a_line"} if hidden else set()
    assert names(answer(relieves, line=line, waits=waits)) == expected
    about = one("a.pool", saw="900 requests/s miss the pool.")
    assert names(answer(about, line=line, waits=waits)) == {"named_wait_without_a_line"}
    why = f"{line} No rule here shortens that: indexes would.".replace(". No", "; no")
    assert not names(answer(about, line=why, waits=waits))
    nothing = "80 of 90 rules were judged, and nothing needs a change."
    needs_none = answer(line=why, waits=waits, nothing=nothing)
    assert names(needs_none) == {"named_wait_without_a_line"}


def test_list_and_plan_name_one_value() -> None:
    set_to = {"innodb_io_capacity": ("6000", "a.rule")}
    listed = one("a.rule", setting="innodb_io_capacity", now="4000", proposed="5000")
    assert names(answer(listed, planned=set_to)) == {"two_values_of_one_setting"}
    assert not names(answer(replace(listed, proposed="6000"), planned=set_to))
    within = replace(listed, allowed=Allowed("4500", "7000"))
    assert not names(answer(within, planned=set_to))
    held = replace(listed, verdict=Verdict.WATCH, waits_for="a.rule")
    assert names(answer(held, planned=set_to)) == {"two_values_of_one_setting"}


def test_nothing_is_lowered_that_the_list_does_not_lower() -> None:
    lowered = {"innodb_io_capacity": ("1000", "a.rule")}
    assert names(answer(planned=lowered)) == {"lowered_unseen"}
    step = SetVariable(Standing("innodb_io_capacity", "4000"), "1000", Needs.DYNAMIC)
    listed = one("a.rule", setting="innodb_io_capacity", proposed="1000", steps=(step,))
    assert not names(answer(listed, planned=lowered))
    watched = replace(listed, verdict=Verdict.WATCH, proposed="", steps=())
    assert names(answer(watched, planned=lowered)) == {"lowered_unseen"}
    assert not names(answer(planned={"innodb_io_capacity": ("8000", "a.rule")}))
    # That holds of all that is counted, of limits or not.
    pool = {"innodb_buffer_pool_size": (str(4 << 30), "a.rule")}
    assert names(answer(planned=pool)) == {"lowered_unseen"}


def lowering(flushes: float, to: str, *said: Recommendation) -> set[str]:
    """What breaks where two rules lower the limit so, on a drive that flushes so much."""
    curve = {"writes_one": [[threads, flushes * threads / 4] for threads in (1, 2, 4)]}
    drive: dict[str, Any] = {"flush": {"on": flushes, "off": 3 * flushes}, **curve}
    grown = {"innodb_buffer_pool_size": (str(10 << 30), "a.rule")}
    return names(answer(*said, planned=grown | {"innodb_io_capacity": (to, "b.held")}, **drive))


HELD = one("b.held", verdict=Verdict.WATCH, setting="innodb_io_capacity", waits_for="a.rule")


@pytest.mark.parametrize(
    ("flushes", "breaks"), [(1200, False), (1900, False), (2100, True), (30_000, True)]
)
def test_a_limit_that_the_list_holds_back_stays_near_what_the_drive_flushes(
    flushes: float, breaks: bool
) -> None:
    assert lowering(flushes, "1000", HELD) == ({"lowered_unseen"} if breaks else set())


def test_a_limit_follows_what_the_drive_flushes_and_none_below_that_goes_unnamed() -> None:
    assert lowering(5_000, "3000") == {"lowered_unseen"}
    assert not lowering(5_000, "3000", HELD)
    assert "lowered_unseen" in lowering(5_000, "3000", replace(HELD, waits_for="c.rule"))
    assert not lowering(3_500, "3000")
    assert lowering(3_500, "1500") == {"lowered_unseen"}


def test_nothing_waits_for_what_is_not_planned() -> None:
    held = one("a.held", verdict=Verdict.WATCH, waits_for="a.rule")
    assert names(answer(held)) == {"waits_for_what_is_not_planned"}
    planned = {"innodb_io_capacity": ("6000", "a.rule")}
    # It comes with the plan, or with the look at its end, or the plan says why not.
    assert names(answer(held, planned=planned)) == {"waits_for_what_is_not_planned"}
    both = planned | {"innodb_buffer_pool_size": (str(10 << 30), "a.held")}
    assert not names(answer(held, planned=both))


@pytest.mark.parametrize(("gib", "breaks"), [(12, False), (13, False), (16, True), (40, True)])
def test_no_pool_is_larger_than_the_data_and_its_growth(gib: int, breaks: bool) -> None:
    grown = one("a.pool", setting="innodb_buffer_pool_size", proposed=str(gib << 30))
    planned = {"innodb_buffer_pool_size": (grown.proposed, "a.pool")}
    data = {"innodb_files_bytes": 8 << 30}
    expected = {"pool_beyond_the_data"} if breaks else set()
    assert names(answer(grown, server=data)) == expected
    assert names(answer(planned=planned, server=data)) == expected
    assert not names(answer(grown, planned=planned))


@pytest.mark.parametrize(("gib", "breaks"), [(84, False), (86, True)])
def test_a_large_pool_is_rounded_up_to_figures_that_people_type(gib: int, breaks: bool) -> None:
    grown = one("a.pool", setting="innodb_buffer_pool_size", proposed=str(gib << 30))
    found = answer(grown, server={"innodb_files_bytes": 54 << 30})
    assert names(found) == ({"pool_beyond_the_data"} if breaks else set())


def test_nothing_is_bought_beyond_a_ceiling_on_the_same_card() -> None:
    bought = one(
        "a.volume",
        needs=Needs.MONEY,
        proposed="4.50\u202fk requests/s",
        saw="It does 2.89\u202fk requests/s, 96 % of it. Next comes the limit on throughput: "
        "125\u202fMiB/s, 3.40\u202fk requests/s of 37.7\u202fKiB on average.",
    )
    assert names(answer(bought)) == {"bought_beyond_a_ceiling"}
    assert not names(answer(replace(bought, proposed="3.40\u202fk requests/s")))
    assert not names(answer(replace(bought, needs=Needs.OS)))
    of_bytes = replace(bought, proposed="250\u202fMiB/s")
    assert names(answer(of_bytes)) == {"bought_beyond_a_ceiling"}
    assert not names(answer(replace(of_bytes, saw="Next comes nothing.")))
    nearer = "The limit on requests is nearer: 3.00\u202fk requests/s."
    assert names(answer(replace(of_bytes, saw=nearer))) == {"bought_beyond_a_ceiling"}
    another = replace(of_bytes, saw=nearer, proposed="another kind of volume, or several")
    assert not names(answer(another))


@pytest.mark.parametrize(
    "effect",
    [
        "A power loss can cost a second of commits.",
        "A power cut can lose the database.",
        "Torn pages stay.",
        "After a crash tables are gone.",
        "The drive may lose writes.",
        "Commits that were confirmed are lost.",
    ],
)
def test_what_is_lost_is_at_stake(effect: str) -> None:
    said = one("a.rule", effect=effect, stakes=Stakes.TIME)
    assert names(answer(said)) == {"loss_without_stakes"}
    assert not names(answer(replace(said, stakes=Stakes.DATA)))
    assert not names(answer(replace(said, verdict=Verdict.FINE)))


def test_a_line_that_loses_its_effect_loses_no_data() -> None:
    said = one("a.line", effect="The line loses its effect with the upgrade.", stakes=Stakes.TIME)
    assert not names(answer(said))


def test_a_server_at_rest_is_not_told_how_to_write() -> None:
    said = one("a.rule", setting="innodb_io_capacity", now="4000", proposed="1000")
    at_rest: dict[str, Any] = {"rates": {"Innodb_pages_written": 0.0}}
    assert names(answer(said, **at_rest)) == {"flushing_of_nothing"}
    assert not names(answer(said, rates={"Innodb_pages_written": 300.0}))
    assert not names(answer(replace(said, setting="innodb_flush_method"), **at_rest))
    hardly: dict[str, Any] = {"rates": {"Innodb_pages_written": 60.0}}
    assert names(answer(said, **hardly)) == {"flushing_of_nothing"}
    # Queries may wait for a free page where hardly any is written.
    cleaners = replace(said, setting="innodb_page_cleaners", now="4", proposed="8")
    assert not names(answer(cleaners, **hardly))
    assert names(answer(cleaners, **at_rest)) == {"flushing_of_nothing"}
    planned = {"innodb_io_capacity": ("8000", "a.rule")}
    assert names(answer(planned=planned, **at_rest)) == {"flushing_of_nothing"}


@pytest.mark.parametrize(
    ("limit", "written", "breaks"),
    [
        ("10000", 300.0, True),
        ("6000", 300.0, True),
        ("6000", 3000.0, False),
        ("8000", 300.0, False),
    ],
)
def test_an_upper_limit_is_a_whole_multiple_after_a_plan(
    limit: str, written: int, breaks: bool
) -> None:
    found = answer(
        one("a.rule", setting="innodb_io_capacity_max", proposed=limit),
        rates={"Innodb_pages_written": written},
        variables=NOW | {"innodb_io_capacity_max": limit},
    )
    step = SetVariable(Standing("innodb_io_capacity_max", "20000"), limit, Needs.DYNAMIC)
    plan = replace(found.made.plan, actions=(Action(Group.ONLINE, step, ("a.rule",)),))
    of_plan = replace(found, made=replace(found.made, plan=plan))
    assert ("limit_in_multiples" in names(of_plan)) is breaks
    assert "limit_in_multiples" not in names(found)


def test_no_rule_is_fine_about_what_a_risk_names() -> None:
    risk = one("a.risk", verdict=Verdict.WATCH, setting="a", topic="Memory", stakes=Stakes.DATA)
    fine = one("b.fine", verdict=Verdict.FINE, setting="a")
    assert names(answer(risk, fine)) == {"fine_beside_its_risk"}
    assert not names(answer(risk, replace(fine, setting="b")))
    assert not names(answer(replace(risk, stakes=Stakes.TIME), fine))
    itself = one("memory-limits.dedicated-server", verdict=Verdict.FINE)
    for setting in ("", "innodb_buffer_pool_size"):
        of_memory = replace(risk, setting=setting)
        assert names(answer(of_memory, itself)) == {"fine_beside_its_risk"}
        assert not names(answer(replace(of_memory, topic="Drive"), itself))
    # Memory that another setting takes is not the pool's fault.
    assert not names(answer(replace(risk, setting="sort_buffer_size"), itself))
    log = one("redo.checkpoint-age", verdict=Verdict.WATCH, stakes=Stakes.DATA)
    capacity = one("redo.capacity", verdict=Verdict.FINE)
    assert names(answer(log, capacity)) == {"fine_beside_its_risk"}


def test_no_rule_is_fine_about_what_a_risk_denies() -> None:
    cache = one("durability.write-cache", verdict=Verdict.WATCH, stakes=Stakes.DATA)
    survive = "Fine as it is: confirmed commits survive a power cut."
    fine = one("x.y", verdict=Verdict.FINE, effect=survive)
    assert names(answer(cache, fine)) == {"fine_beside_its_risk"}
    assert not names(answer(cache, replace(fine, effect="Fine as it is.")))
    assert not names(answer(replace(cache, stakes=Stakes.TIME), fine))
    assert not names(answer(replace(cache, rule="flushing.flush-method"), fine))


def test_a_rule_that_failed_is_no_answer() -> None:
    failed = NotJudged("a.rule", "A rule", RuleFailed("TypeError", "an int"))
    unknown = NotJudged("a.rule", "A rule", "Nobody looked.")
    judged = answer()
    assert names(replace(judged, judgement=Judgement((), (failed,)))) == {"failed_rules"}
    assert not names(replace(judged, judgement=Judgement((), (unknown,))))


def test_no_advice_sends_to_a_rule_that_sees_nothing_to_do() -> None:
    sends = one(
        "files.a", verdict=Verdict.WATCH, effect="open_files_limit ends it: raise it first."
    )
    fine = one("files.open-files-limit", verdict=Verdict.FINE)
    assert names(answer(sends, fine)) == {"sent_to_a_fine_rule"}
    assert not names(answer(sends, replace(fine, verdict=Verdict.RECOMMEND)))
    assert not names(answer(replace(sends, effect="Look at it."), fine))


def test_each_invariant_says_what_it_holds() -> None:
    assert all(each.__doc__ for each in ALL.values())
    assert not broken(answer())
