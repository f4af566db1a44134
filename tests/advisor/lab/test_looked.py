import json
import math
from dataclasses import replace

import pytest

from advisor.lab.costs import Cost
from advisor.lab.looked import looked
from advisor.lab.outcome import WorkVerdict
from advisor.lab.record import LabTurn, Record
from advisor.report.forms.text import page
from advisor.report.json.lab import to_json
from advisor.report.sections.lab import lab_blocks
from advisor.wording.measured import lab as words
from tests.advisor.lab.turns import ASKED, OFF, ON, record, turn
from tests.advisor.report.json.schema import faults


def test_a_large_effect_is_found_with_its_interval() -> None:
    outcome = looked(record(0.2))
    (level,) = outcome.levels
    (effect,) = level.effects
    assert effect.verdict is WorkVerdict.FASTER
    assert effect.times is not None
    assert effect.times.low < 1.2 < effect.times.high
    assert effect.times.low > 1.1
    assert level.best == (OFF,)
    assert outcome.decided
    assert (outcome.starts, outcome.rounds) == (4, 16)


def test_no_effect_is_called_no_difference_or_open() -> None:
    (level,) = looked(record(0.0)).levels
    (effect,) = level.effects
    assert effect.verdict in {WorkVerdict.ALIKE, WorkVerdict.OPEN}
    assert effect.times is not None
    assert effect.times.low < 1 < effect.times.high
    assert level.twin is not None
    assert level.twin.low < 1 < level.twin.high
    assert level.resolution is not None
    assert 0 < level.resolution < 0.2


def test_one_round_has_a_ratio_and_no_interval() -> None:
    outcome = looked(record(0.2, rounds=1))
    (level,) = outcome.levels
    (effect,) = level.effects
    assert effect.verdict is WorkVerdict.OPEN
    assert effect.times is None
    assert level.resolution is None
    assert "not known" in words.resolution(level)
    assert not outcome.decided


def test_nothing_measured_says_so() -> None:
    outcome = looked(Record(ASKED))
    assert not outcome.levels
    assert not outcome.decided
    assert words.headline(Record(ASKED), outcome).startswith("Nothing can be said")


def test_a_dropped_variant_is_not_asked_for() -> None:
    whole = record(0.2)
    without = replace(
        whole,
        dropped={OFF: "It did not start."},
        turns=tuple(each for each in whole.turns if each.variant != OFF),
    )
    outcome = looked(without)
    assert [level.effects for level in outcome.levels] == [()]
    assert ("left out", f"{OFF}: It did not start.") in list(words.conditions(without, outcome))


def test_what_a_transaction_takes_is_the_reason() -> None:
    turns = []
    for number in range(6):
        for name, per_s, written in ((ON, 1000.0, 40_000.0), (OFF, 1300.0, 22_000.0)):
            done = per_s * 2
            status = {"Innodb_data_written": written * done, "Innodb_data_fsyncs": 0.5 * done}
            server = {"cpu_user_s": done * 100e-6, "cpu_system_s": done * 50e-6}
            one = turn(per_s * (1 + 0.01 * (number % 2)), 900.0, 2.0, status, server)
            turns.append(LabTurn(name, 16, number // 3, number, one))
    whole = Record(ASKED, turns=tuple(turns))
    (level,) = looked(whole).levels
    (effect,) = level.effects
    assert level.base_costs[Cost.WRITTEN] == pytest.approx(40_000, rel=0.02)
    assert [each.cost for each in effect.changes] == [Cost.WRITTEN]
    assert effect.changes[0].ratio == pytest.approx(22 / 40, rel=0.02)
    said = words.reasons(effect)
    assert "instead of" in said
    assert OFF in said
    headline = words.headline(whole, looked(whole))
    assert OFF in headline
    assert "16 connections" in headline


def test_turns_in_which_nothing_was_done_have_no_95th_percentile() -> None:
    assert math.isnan(turn(0.0).p95_us)
    assert turn(10.0, 1000.0).p95_us == pytest.approx(1000, rel=0.02)


def test_the_document_is_as_its_schema_says() -> None:
    for whole in (record(0.2), record(0.0, rounds=1), Record(ASKED)):
        assert faults(json.loads(to_json(whole, 3)), "lab-1.json") == []


def test_a_lab_on_a_terminal_says_the_answer_first() -> None:
    lines = page(lab_blocks(record(0.2), 3), 100).splitlines()
    assert lines[0].startswith("With 16 connections, innodb_doublewrite = OFF does")
    assert any("This lab sees differences from" in line for line in lines)
    assert any(line.startswith("innodb_doublewrite ") for line in lines)
