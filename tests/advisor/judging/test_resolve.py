"""Where recommendations meet, and rules that speak of other servers."""

from __future__ import annotations

from dataclasses import replace

from advisor.gain import Stakes
from advisor.judging.engine import judge_by
from advisor.judging.resolve import resolved
from advisor.outcomes import Confidence, NotApplicable, NotJudged, Recommendation, Verdict
from advisor.rulekit.answers import Answer, Inapplicable, Judged
from advisor.rulekit.facts import Facts, FactSource
from advisor.rulekit.rule import Rule
from advisor.rulekit.versions import mariadb, mysql
from advisor.steps import Needs, Procedure, RemoveLine, SetVariable
from advisor.variables.standing import Standing
from advisor.why import OtherServer
from probes.statistics.ranges import Range
from tests.rules.casework import build


def advice(rule: str, name: str, now: str, value: str, **rest: object) -> Recommendation:
    step = SetVariable(Standing(name, now), value, Needs.DYNAMIC, str(rest.pop("safe", "")))
    fields = {"verdict": Verdict.RECOMMEND, "saw": "", "proposed": value, "gain": Range.exact(0.5)}
    return Recommendation(rule=rule, title=rule, topic="Test", steps=(step,), **(fields | rest))  # type: ignore[arg-type]


def made(identity: str, **rest: object) -> Rule:
    def check(facts: Facts) -> Answer:
        return Judged(Verdict.FINE, "seen")

    fields = {
        "id": identity,
        "title": identity,
        "topic": "Test",
        "page": identity,
        "question": identity,
        "text": "",
        "needs": (),
        "uses": (),
        "settings": (),
        "since": "0.1",
        "check": check,
    }
    return Rule(**(fields | rest))  # type: ignore[arg-type]


def by_rule(outcomes: list[Recommendation]) -> dict[str, Recommendation]:
    return {outcome.rule: outcome for outcome in outcomes}


def test_nothing_waits_for_what_is_planned_only_where_it_is_asked_for() -> None:
    """Two limits that nobody reaches stand beside each other: a plan takes one of them, if any."""
    first, second = (
        advice(rule, "innodb_io_capacity", "10000", value, gain=None, slight=True, share=share)
        for rule, value, share in (("a.first", "5000", 1.0), ("b.second", "6000", 0.9))
    )
    assert resolved([first, second], []) == [first, second]
    found = by_rule(resolved([replace(first, slight=False), second], []))
    assert (found["b.second"].verdict, found["b.second"].waits_for) == (Verdict.WATCH, "a.first")


def test_one_setting_gets_one_value_and_the_other_rule_says_whom_it_waits_for() -> None:
    weak = advice("a.weak", "innodb_io_capacity", "200", "400", gain=Range.exact(0.1))
    strong = advice("b.strong", "innodb_io_capacity", "200", "1000", gain=Range.exact(0.4))
    elsewhere = advice("c.other", "innodb_flush_neighbors", "1", "0", gain=Range.exact(0.05))

    found = by_rule(resolved([weak, strong, elsewhere], []))

    assert found["b.strong"] == strong
    assert found["c.other"] == elsewhere
    assert found["a.weak"].verdict is Verdict.WATCH
    assert found["a.weak"].waits_for == "b.strong"
    assert found["a.weak"].steps == ()


def test_advice_waits_for_what_must_come_first_only_while_that_is_advised() -> None:
    first = advice("storage.first", "innodb_page_size", "16384", "4096")
    then = advice("flushing.then", "innodb_io_capacity", "200", "1000")
    rules = [made("flushing.then", waits_for=("storage.first",)), made("storage.first")]

    assert by_rule(resolved([then, first], rules))["flushing.then"].waits_for == "storage.first"
    assert by_rule(resolved([then], rules))["flushing.then"] == then


def test_nothing_waits_for_what_brings_too_little_for_a_plan() -> None:
    first = advice("storage.first", "innodb_page_size", "16384", "4096", gain=Range.exact(0.004))
    then = advice("flushing.then", "innodb_io_capacity", "200", "1000")
    rules = [made("flushing.then", waits_for=("storage.first",)), made("storage.first")]

    assert by_rule(resolved([then, first], rules))["flushing.then"] == then
    slight = replace(first, gain=None, slight=True)
    assert by_rule(resolved([then, slight], rules))["flushing.then"] == then
    without_steps = replace(first, gain=Range.exact(0.4), steps=())
    assert by_rule(resolved([then, without_steps], rules))["flushing.then"] == then


def test_what_need_not_wait_does_not() -> None:
    first = advice("storage.first", "innodb_page_size", "16384", "4096")
    other = advice("storage.other", "innodb_doublewrite", "OFF", "ON")
    then = advice("flushing.then", "innodb_io_capacity", "8000", "1000", despite=("storage.first",))
    waits = ("storage.first", "storage.other")
    rules = [made("flushing.then", waits_for=waits), made("storage.first"), made("storage.other")]

    assert by_rule(resolved([then, first], rules))["flushing.then"] == then
    held = by_rule(resolved([then, first, other], rules))["flushing.then"]
    assert held.waits_for == "storage.other"


def test_what_waits_names_no_value_yet() -> None:
    first = advice("storage.first", "innodb_page_size", "16384", "4096")
    then = advice("flushing.then", "innodb_io_capacity", "200", "1000")
    rules = [made("flushing.then", waits_for=("storage.first",)), made("storage.first")]

    held = by_rule(resolved([then, first], rules))["flushing.then"]

    assert (held.proposed, held.allowed, held.steps) == ("", None, ())


def test_what_is_done_by_hand_and_has_to_wait_says_no_way_back_from_it() -> None:
    first = advice("cloud.first", "innodb_page_size", "16384", "4096")
    move = Procedure("Move it", ("Stop the server.",), ("Move it back.",))
    then = replace(
        advice("placement.then", "", "", ""),
        proposed="a drive of its own",
        steps=(move,),
        undo="# Move it back.",
        verify="SHOW BINARY LOGS;",
    )
    rules = [made("placement.then", waits_for=("cloud.first",)), made("cloud.first")]

    held = by_rule(resolved([then, first], rules))["placement.then"]

    assert held.waits_for == "cloud.first"
    assert held.proposed == "a drive of its own"
    assert (held.steps, held.undo, held.verify) == ((), "", "")


def test_no_rule_can_sell_durability() -> None:
    lowered = {
        "innodb_flush_log_at_trx_commit": ("1", "2"),
        "innodb_doublewrite": ("ON", "OFF"),
        "sync_binlog": ("1", "0"),
        "innodb_checksum_algorithm": ("crc32", "none"),
        "innodb_checksums": ("ON", "OFF"),
        "innodb_log_checksums": ("ON", "OFF"),
    }
    for name, (now, value) in lowered.items():
        (held,) = resolved([advice("a.fast", name, now, value, risk="Some.")], [])
        assert held.verdict is Verdict.WATCH, name
        assert held.risk == f"{name} = {value} is less safe than {now}: yours to decide. Some."
        (raised,) = resolved([advice("a.safe", name, value, now)], [])
        assert raised.verdict is Verdict.RECOMMEND, name


def test_a_binary_log_that_is_synced_now_and_then_lies_between() -> None:
    for now, value, safer in (("1", "100", False), ("0", "100", True), ("100", "0", False)):
        (found,) = resolved([advice("a.b", "sync_binlog", now, value)], [])
        assert (found.verdict is Verdict.RECOMMEND) is safer, (now, value)


def test_what_is_as_safe_here_may_be_advised() -> None:
    (kept,) = resolved([advice("a.zfs", "innodb_doublewrite", "ON", "OFF", safe="ZFS")], [])
    assert kept.verdict is Verdict.RECOMMEND


def test_a_rule_about_other_servers_does_not_apply_and_says_so() -> None:
    rule = made("redo.capacity", needs=("mysql.version",), applies_to=(mysql("8.0.30"),))

    for version in ("8.0.29", "10.11.19-MariaDB"):
        outcome = judge_by(rule, FactSource(build({"version": version})))
        assert isinstance(outcome, NotApplicable), version
        assert isinstance(outcome.why, OtherServer)
        assert outcome.why.spoken == ("MySQL from 8.0.30",)
    assert isinstance(judge_by(rule, FactSource(build({"version": "8.0.30"}))), Recommendation)
    assert isinstance(judge_by(rule, FactSource(build({}))), NotJudged)


def test_a_rule_may_find_out_that_it_has_nothing_to_say() -> None:
    rule = made("a.b", check=lambda facts: Inapplicable("There is no binary log."))
    outcome = judge_by(rule, FactSource(build({"version": "8.0.30"})))
    assert outcome == NotApplicable("a.b", "a.b", "There is no binary log.")


def test_versions_say_what_they_are() -> None:
    assert str(mysql()) == "MySQL"
    assert str(mysql("8.0.30", "9.5")) == "MySQL from 8.0.30 before 9.5"
    assert str(mariadb(before="10.6")) == "MariaDB before 10.6"


def removed(rule: str, *names: str) -> Recommendation:
    steps = tuple(RemoveLine(name, "1", "/etc/my.cnf", 3) for name in names)
    return replace(advice(rule, "x", "", ""), saw="Lines.", proposed="without", steps=steps)


def test_a_line_that_gets_another_value_is_not_deleted() -> None:
    sets = advice("b.size", "innodb_buffer_pool_size", "1", "2")
    lines = removed("lines.default", "innodb_buffer_pool_size", "innodb_flush_sync")

    found = by_rule(resolved([lines, sets], []))

    assert found["b.size"] == sets
    kept = found["lines.default"]
    assert kept.verdict is Verdict.RECOMMEND
    assert [step.name for step in kept.steps if isinstance(step, RemoveLine)] == [
        "innodb_flush_sync"
    ]
    assert kept.proposed == "without innodb_flush_sync"
    assert "innodb_buffer_pool_size" not in kept.apply.cnf + kept.undo + kept.verify
    assert "Another value is recommended for innodb_buffer_pool_size" in kept.saw


def test_of_lines_that_all_get_another_value_none_is_to_be_deleted() -> None:
    sets = advice("b.size", "innodb_buffer_pool_size", "1", "2")
    found = by_rule(resolved([removed("lines.default", "innodb_buffer_pool_size"), sets], []))
    assert found["lines.default"].verdict is Verdict.FINE
    assert not found["lines.default"].steps


def test_nothing_takes_memory_while_it_is_sure_that_memory_runs_out() -> None:
    takes = made("files.table-open-cache", takes_memory=True)
    larger = advice("files.table-open-cache", "table_open_cache", "2000", "4000")
    other = advice("files.innodb-open-files", "innodb_open_files", "2000", "4000")
    short = replace(
        advice("host.memory-left", "", "", ""),
        verdict=Verdict.WATCH,
        topic="Memory",
        stakes=Stakes.DATA,
        steps=(),
    )
    found = by_rule(resolved([larger, other, short], [takes]))
    held = found["files.table-open-cache"]
    assert (held.verdict, held.waits_for, held.steps) == (Verdict.WATCH, "host.memory-left", ())
    assert found["files.innodb-open-files"] == other
    perhaps = replace(short, confidence=Confidence.LOW)
    assert by_rule(resolved([larger, perhaps], [takes]))["files.table-open-cache"] == larger
