"""The engine: order, evidence, missing facts, and one rule's fault."""

from __future__ import annotations

import pytest

from advisor.facts.machine.host import HOST_KERNEL
from advisor.facts.measured.points import CURVE_RANDOM_READ_16K
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.judging.engine import judge, judge_by
from advisor.outcomes import NotJudged, Recommendation, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import Facts, FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.variables.catalogue import SETTINGS
from advisor.why import Lacks, RuleFailed, Unseen
from tests.rules.casework import build

QUICK = {
    "reads_4k": [[1, 3200], [2, 6100], [4, 11000], [8, 15000], [16, 17000], [32, 17100]],
    "reads_8k": [[1, 3100], [2, 6000], [4, 10500], [8, 14000], [16, 15000], [32, 15100]],
    "reads_16k": [[1, 3000], [2, 5800], [4, 10000], [8, 12000], [16, 12500], [32, 12600]],
    "writes_one": [[1, 2000], [4, 5000], [16, 6000], [64, 6100]],
    "writes_many": [[1, 2000], [16, 6200], [64, 6300]],
    "sync": {"fdatasync": 350, "fsync": 420, "o_dsync": 340},
    "host": {"cpus": 2, "memory_gib": 23, "kernel": "6.1.0", "platform": "KVM"},
    "drive": {"filesystem": "ext4", "rotational": True, "bus": "virtio"},
}


def made(check: object, **rest: object) -> Rule:
    fields = {
        "id": "test.made",
        "title": "Made",
        "topic": "Test",
        "page": "test.made",
        "question": "Made",
        "text": "",
        "needs": ("mysql.version",),
        "uses": (),
        "settings": (),
        "since": "0.1",
        "check": check,
    }
    return Rule(**(fields | rest))  # type: ignore[arg-type]


@pytest.mark.parametrize("version", ["10.11.19-MariaDB", "9.7.4", "8.0.33", "11.8.6-MariaDB"])
def test_a_quick_run_with_a_throwaway_server_judges_eight_rules_or_more(version: str) -> None:
    judgement = judge(build(QUICK | {"version": version, "sandbox": True}))
    assert len(judgement.recommendations) >= 8
    assert all(
        outcome.now == "" for outcome in judgement.recommendations if outcome.setting in SETTINGS
    )


def test_a_drive_alone_is_judged_by_what_needs_no_server() -> None:
    judged = {outcome.rule for outcome in judge(build(QUICK)).recommendations}
    assert judged >= {
        "durability.redo-sync",
        "storage.latency-against-iops",
        "storage.page-size",
        "storage.write-serialisation",
    }
    needed = {name for rule in all_rules() if rule.id in judged for name in rule.needs}
    assert not [name for name in needed if name.startswith("mysql.")]


def test_an_empty_case_gives_reasons_and_no_advice() -> None:
    judgement = judge(build({}))
    assert judgement.recommendations == ()
    assert len(judgement.not_judged) == len(all_rules())


def test_the_same_case_gets_the_same_judgement() -> None:
    case = build(QUICK | {"version": "8.0.33", "sandbox": True})
    assert judge(case) == judge(case)


def test_evidence_is_what_was_read_with_the_points() -> None:
    def check(facts: Facts) -> Answer:
        facts.get(CURVE_RANDOM_READ_16K)
        return Judged(Verdict.FINE, "Seen.")

    rule = made(check, needs=("curve.random_read.16k",), uses=("mysql.version",))
    outcome = judge_by(rule, FactSource(build(QUICK)))
    assert isinstance(outcome, Recommendation)
    (evidence,) = outcome.evidence
    assert evidence.fact == "curve.random_read.16k"
    assert evidence.text.replace("\u202f", " ").startswith(
        "16 KiB: 3.00 k/s at 1 to 12.6 k/s at 32"
    )
    assert evidence.point_ids == (13, 14, 15, 16, 17, 18)


def test_a_rule_that_fails_is_told_and_hides_no_other() -> None:
    def check(facts: Facts) -> Answer:
        raise ZeroDivisionError("no rate")

    outcome = judge_by(made(check), FactSource(build({"version": "8.0.33"})))
    assert isinstance(outcome, NotJudged)
    assert outcome.why == RuleFailed("ZeroDivisionError", "no rate")


def test_a_rule_can_read_only_what_it_declared() -> None:
    def check(facts: Facts) -> Answer:
        facts.find(HOST_KERNEL)
        return Judged(Verdict.FINE, "Seen.")

    outcome = judge_by(made(check), FactSource(build({"version": "8.0.33"})))
    assert isinstance(outcome, NotJudged)
    assert isinstance(outcome.why, RuleFailed)
    assert "host.kernel was read but not declared" in outcome.why.text


def test_a_missing_fact_is_named_and_the_rule_not_called() -> None:
    def check(facts: Facts) -> Answer:
        raise AssertionError("called")

    outcome = judge_by(made(check, needs=("host.kernel",)), FactSource(build({})))
    assert isinstance(outcome, NotJudged)
    assert outcome.why == Lacks("host.kernel", Unseen.NO_HOST)


def test_the_inventory_says_why_itself() -> None:
    def check(facts: Facts) -> Answer:
        facts.get(MYSQL_VERSION)
        return Judged(Verdict.FINE, "Seen.")

    spec = {"missing": {"mysql.version": "the account was refused"}}
    outcome = judge_by(made(check), FactSource(build(spec)))
    assert isinstance(outcome, NotJudged)
    assert outcome.why == Lacks("mysql.version", "the account was refused")


def test_drive_rules_speak_even_of_another_drive_than_the_servers() -> None:
    spec = QUICK | {
        "version": "8.0.33",
        "elsewhere": ["data", "redo"],
        "variables": {"innodb_io_capacity": "200", "innodb_io_capacity_max": "2000"},
    }
    judged = {outcome.rule for outcome in judge(build(spec)).recommendations}
    assert "durability.redo-sync" in judged
    assert "storage.write-serialisation" in judged
    assert not judged & {"flushing.io-capacity", "flushing.io-capacity-max", "storage.page-size"}


def test_commands_for_a_machine_are_for_the_containers_host() -> None:
    for platform, said in (("KVM/QEMU", False), ("KVM/QEMU, in a podman container", True)):
        host = {"platform": platform, "transparent_hugepages": "always"}
        judged = judge(build({"host": host, "version": "8.0.33"})).recommendations
        (pages,) = [one for one in judged if one.rule == "host.transparent-hugepages"]
        assert ("This is a container: the commands are for its host" in pages.risk) is said
