"""What is no question at a managed service, where all there is is an account."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.case import Case
from advisor.judging.decided import decided
from advisor.judging.engine import judge
from advisor.judging.over_draws import judge as judge_over_draws
from advisor.outcomes import Judgement
from advisor.variables.aurora import AURORA, RDS
from advisor.variables.managed import AZURE, Kept, KeptByService
from advisor.why import Why
from advisor.wording.advice.nothing_to_change import kept_sentence, nothing_to_change
from advisor.wording.advice.why import sentence
from advisor.wording.measured.summary import sentences
from tests.knowledge.production.cases import not_watched, production_servers
from tests.rules.casework import build

NO_NOTICE = KeptByService(AURORA, Kept.NO_NOTICE)
NO_PARTS = KeptByService(AURORA, Kept.NO_PARTS)
NO_DRIVE = KeptByService(RDS, Kept.DRIVES)
CURVE = {"reads_16k": [[1, 5000], [4, 18000], [16, 30000]]}


def at(name: str) -> Case:
    return production_servers()[name].case


def why_not(judged: Judgement) -> dict[str, Why]:
    return {one.rule: one.why for one in judged.not_applicable}


@pytest.mark.parametrize(
    ("rule", "why"),
    [
        ("durability.use-fdatasync", NO_NOTICE),
        ("flushing.lru-scan-depth", NO_NOTICE),
        ("flushing.page-cleaners", NO_NOTICE),
        ("flushing.idle-flush-pct", NO_NOTICE),
        ("flushing.flush-sync", NO_NOTICE),
        ("redo.flush-spin", NO_NOTICE),
        ("redo.checkpoint-age", NO_PARTS),
        ("redo.enabled", NO_PARTS),
        ("durability.redo-sync", NO_PARTS),
        ("durability.commit-price", NO_PARTS),
        ("doublewrite.batches", NO_PARTS),
        ("cloud.throughput-limit", NO_PARTS),
        ("storage.write-serialisation", KeptByService(AURORA, Kept.DRIVES)),
    ],
)
def test_aurora_is_asked_nothing_about_what_it_does_without(rule: str, why: Why) -> None:
    assert why_not(judge(at("aurora")))[rule] == why


@pytest.mark.parametrize(
    "rule",
    [
        "durability.use-fdatasync",
        "storage.latency-against-iops",
        "storage.write-serialisation",
        "change-buffer.buffering",
        # What it needs is there; what it looks for besides would all have to be measured.
        "buffer-pool.dump-pct",
        "flushing.flush-method",
    ],
)
def test_what_only_the_drive_tells_is_no_question_for_an_account(rule: str) -> None:
    assert why_not(judge(at("rds")))[rule] == NO_DRIVE
    assert why_not(judge_over_draws(at("rds")))[rule] == NO_DRIVE


@pytest.mark.parametrize(
    ("rule", "because"),
    [
        ("durability.redo-sync", "the server was not watched"),
        ("cloud.request-limit", "the rate of requests that its volume was bought with"),
        ("cloud.throughput-limit", "the throughput that its volume was bought with"),
    ],
)
def test_what_a_watch_or_its_user_can_tell_stays_open(rule: str, because: str) -> None:
    [why] = [one.why for one in judge(not_watched("rds").case).not_judged if one.rule == rule]
    assert because in sentence(why)


def test_where_the_machine_is_seen_the_drive_can_be_measured() -> None:
    seen = build({"version": "8.0.39", "vendor": "Amazon RDS", "host": {"memory_gib": 16.0}})
    assert "storage.write-serialisation" not in why_not(judge(seen))


def test_an_own_server_with_an_account_alone_lacks_its_curves() -> None:
    assert "storage.write-serialisation" not in why_not(judge(build({"version": "8.0.39"})))


def test_a_curve_that_is_there_is_judged() -> None:
    rds = at("rds")
    measured = replace(rds, points=build({"version": "8.0.39", **CURVE}).points)
    assert "change-buffer.buffering" not in why_not(judge(measured))


def test_how_many_rules_do_not_apply_is_said_in_a_sentence() -> None:
    judged, case = judge(at("aurora")), at("aurora")
    number = sum(isinstance(why, KeptByService) for why in why_not(judged).values())
    said = f"Amazon Aurora: {number} rules do not apply, as it runs the machine"
    assert said in nothing_to_change(judged, case)
    assert kept_sentence(judged, case).startswith(said)
    assert decided(judged, case).applicable + len(judged.not_applicable) == sum(
        map(len, (judged.recommendations, judged.not_judged, judged.not_applicable))
    )
    own = build({"version": "8.0.39"})
    assert kept_sentence(judge(own), own) == ""


@pytest.mark.parametrize(
    ("why", "said"),
    [
        (NO_NOTICE, "Aurora's own storage takes no notice of this setting."),
        (NO_PARTS, "Aurora's own storage has no redo log files, no doublewrite and no volume."),
        (NO_DRIVE, "Amazon RDS lets no account measure its drives."),
        (KeptByService(RDS, Kept.MACHINE), "Amazon RDS runs the machine and its drives: they "),
        (KeptByService(RDS, Kept.FILES), "to itself: settings are made in the DB parameter group."),
        (KeptByService(AZURE, Kept.SETTING, "a"), "Azure Database for MySQL sets a itself."),
    ],
)
def test_what_a_service_keeps_is_said_with_its_name(why: KeptByService, said: str) -> None:
    assert said in sentence(why)


def test_where_nothing_was_measured_nothing_is_distrusted() -> None:
    assert sentences(not_watched("aurora").case) == ["Nothing was measured."]
