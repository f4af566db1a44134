"""What would shorten the time that the first sentence names, where no line of the lists does."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from advisor.gain import Relief, VolumeLimit, Wait
from advisor.judging.limit import OF_LATCHES, OF_TABLES, OF_VERSIONS
from advisor.judging.memory_first import OF_MEMORY
from advisor.outcomes import Recommendation, Verdict
from advisor.rulekit.registry import all_rules
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.advice.waits import MAY_SHORTEN, WAITS, would
from probes.statistics.ranges import Range
from tests.advisor.wording.test_few_at_work import NONE, one
from tests.advisor.wording.test_limiting import CASE, TIMED, said, waiting, watch
from tests.rules.casework import build

OWN: dict[str, Any] = {"version": "8.0.36", "drive": {"name": "nvme0n1", "bus": "nvme"}}


@pytest.mark.parametrize("wait", list(Wait))
def test_what_would_shorten_a_wait_is_said_where_no_line_is_about_it(wait: Wait) -> None:
    """The first line and the lists agree: none needs a change only where nothing is named."""
    named: dict[str, float | Range] = TIMED | {wait.name: 6.0}
    case = build(
        {"version": "8.4.5", "host": {"cpus": 2}, "watched": {"running": [10] * 5, "cpu": [1.9, 4]}}
    )
    fine = [watch(rule.id, verdict=Verdict.FINE) for rule in all_rules()]
    alone = waiting(*fine, **named)
    line, below = limiting(alone, case), nothing_to_change(alone, case)
    assert line.startswith(f"Limited now by {WAITS[wait]}: ")
    (would,) = re.findall(r"no rule here shortens that: ([^;]* would);", line)
    named_so = "the time on processors" if wait is Wait.PROCESSORS else WAITS[wait]
    assert f"none of them shortens {named_so}: {would}." in below
    assert "nothing needs a change" not in below
    answer = watch("a.rule", relieves=(Relief.whole(wait),), gain=Range.exact(0.4))
    answered = waiting(answer, *fine, **named)
    assert "no rule here" not in limiting(answered, case)
    assert "nothing needs a change" not in nothing_to_change(answered, case)
    # Nor is a line that takes off next to nothing of it an answer.
    hardly = waiting(replace(answer, relieves=(Relief.up_to(wait, 0.01),)), *fine, **named)
    assert "no rule here shortens that" in limiting(hardly, case)
    # What is minor stands in no list that is read.
    minor = waiting(replace(answer, gain=Range.exact(0.001)), *fine, **named)
    assert "no rule here shortens that" in limiting(minor, case)


@pytest.mark.parametrize("rule", OF_LATCHES)
def test_what_is_about_latches_answers_a_time_that_nobody_timed(rule: str) -> None:
    about = watch(rule)
    found = said(about, **TIMED)
    assert "no rule here" not in found
    assert "; what may shorten that: " in found
    assert "no rule here shortens that" in said(replace(about, verdict=Verdict.FINE), **TIMED)
    # One thread alone waits for nobody's latches, and a wait that was timed has its own answer.
    assert "what may shorten" not in one({}, about, **NONE | {"PROCESSORS": 0.1})
    assert "what may shorten" not in said(about, **TIMED | {"ROW_LOCKS": 8.0})
    fine = [watch(each.id, verdict=Verdict.FINE) for each in all_rules() if each.id != rule]
    below = nothing_to_change(waiting(about, *fine, **TIMED), CASE)
    assert "none of them shortens what most of query time goes to by a change" in below


@pytest.mark.parametrize("rule", OF_TABLES)
def test_a_full_cache_of_tables_may_shorten_what_nobody_timed(rule: str) -> None:
    full = watch(rule, verdict=Verdict.RECOMMEND)
    for computing in (2.0, 5.1):
        found = said(full, **TIMED | {"PROCESSORS": computing})
        assert "waits that were timed (the opening of tables, row locks, latches, " in found
        assert f"; what may shorten that: {MAY_SHORTEN[rule]}" in found
        assert "no rule here" not in found
    # Beside a wait that is named, and in the line of another rule, it answers nothing.
    assert "what may shorten" not in said(full, **TIMED | {"PAGE_READS": 6.0})
    assert "what may shorten" not in said(replace(full, cause="a.rule"), **TIMED)


def saturated(*advice: Recommendation) -> str:
    spec = {"version": "8.4.5", "host": {"cpus": 12}}
    case = build(spec | {"watched": {"running": [10] * 5, "cpu": [9.0, 0.0]}})
    return limiting(waiting(*advice, **TIMED | {"PROCESSORS": 9.0}), case)


def test_a_change_relieves_processors_from_a_tenth_of_query_time_on() -> None:
    larger = watch(
        "a.rule",
        verdict=Verdict.RECOMMEND,
        setting="a_setting",
        relieves=(Relief(Wait.PROCESSORS, Range(0.2, 0.15, 0.25)),),
        gain=Range(0.18, 0.13, 0.23),
    )
    assert "; the proposed a_setting relieves them; " in saturated(larger)
    little = replace(
        larger,
        relieves=(Relief(Wait.PROCESSORS, Range(0.03, 0.01, 0.05)),),
        gain=Range(0.026, 0.009, 0.045),
    )
    would_more = "statements that do less, or more processors, would save more"
    little_of_it = "the proposed a_setting saves little of it (0.9 to 4.5\u202f% of query time)"
    assert f"; {little_of_it}; {would_more}; " in saturated(little)
    # What it saves of other waits relieves no processor, but it is not little either.
    of_others = saturated(replace(little, gain=larger.gain))
    assert "relieves them" not in of_others
    assert (
        "; the proposed a_setting saves some of it (13 to 23\u202f% of query time); " in of_others
    )
    wide = replace(little, gain=Range(0.05, 0.0, 0.2))
    assert "; the proposed a_setting may relieve them; " in saturated(wide)
    behind = watch("threads.purge-threads", verdict=Verdict.RECOMMEND)
    both = saturated(behind, little)
    assert (
        f"; what may shorten that: {MAY_SHORTEN['threads.purge-threads']}; {little_of_it}; " in both
    )
    assert would_more not in both
    assert "no rule here" not in saturated(behind)
    assert "no rule here shortens that" in saturated(replace(behind, verdict=Verdict.FINE))


def test_the_rules_that_are_named_exist() -> None:
    assert {rule.id for rule in all_rules()} >= set(MAY_SHORTEN)
    assert set(MAY_SHORTEN) == {*OF_LATCHES, *OF_TABLES, *OF_VERSIONS}
    assert {rule.limit for rule in all_rules()} == {None, *VolumeLimit}
    assert {rule.topic for rule in all_rules()} >= OF_MEMORY


@pytest.mark.parametrize(
    ("there", "reads", "commits"),
    [
        ({}, "a faster drive, would", "or a drive that syncs faster, would"),
        (
            {"drive": {"name": "nvme1n1", "model": "Amazon Elastic Block Store"}},
            "a faster volume, would",
            "or a volume that syncs faster, would",
        ),
        ({"vendor": "Azure"}, "a faster volume, would", "or a volume that syncs faster, would"),
        ({"vendor": "Amazon RDS"}, "a faster volume, would", "a volume that syncs faster, would"),
        ({"vendor": "Google"}, "Enterprise Plus edition, would", "Enterprise Plus edition, would"),
        ({"vendor": "Aurora"}, "memory, or another reader, would", "larger transactions would"),
    ],
)
def test_a_remedy_is_a_drive_a_volume_or_what_a_service_without_either_has(
    there: dict[str, Any], reads: str, commits: str
) -> None:
    case = build({**OWN, **there})
    assert would(Wait.PAGE_READS, case).endswith(reads)
    assert would(Wait.COMMITS, case).endswith(commits)


@pytest.mark.parametrize("wait", Wait)
def test_nobody_is_sent_to_a_drive_of_auroras(wait: Wait) -> None:
    if wait is Wait.CHECKPOINTS:
        return  # Its storage has no redo log whose room could run out.
    found = would(wait, build({"version": "8.0.39", "vendor": "Aurora"}))
    assert "drive" not in found
    assert "volume" not in found
    assert "{" not in found
