"""Simulated and recorded labs are what they say: twins alike, the variant by its effect."""

from __future__ import annotations

import argparse
import json
import math
from pathlib import Path
from statistics import fmean

import pytest

from advisor.lab.effects.ending import Design
from benchmarks.lab import truth

DESIGN = Design(2, round_s=10.0, start_s=5.0, rounds_per_start=2)
CHOSEN = argparse.Namespace(labs=4, minutes=2.0, turns=2, random_order=False)


def _ratio(lab: truth.Lab, over: str, under: str) -> float:
    def mean(name: str) -> float:
        return fmean(math.log(turn.value) for each in lab for turn in each if turn.variant == name)

    return math.exp(mean(over) - mean(under))


def test_a_simulated_lab_has_its_truth_and_its_design(monkeypatch: pytest.MonkeyPatch) -> None:
    still = truth.World("still", turn_sd=1e-6, start_sd=1e-6, walk=0.0)
    monkeypatch.setattr(truth, "WORLDS", (still,))
    labs = list(truth._simulated(still, DESIGN, CHOSEN))
    assert [effect for effect, _ in labs] == list(truth.EFFECTS)
    for effect, lab in labs:
        assert len(lab) == DESIGN.rounds(120.0)
        assert all(len(each) == 6 for each in lab)
        assert abs(_ratio(lab, truth.VARIANT, truth.BASE) / effect - 1) < 1e-4
    found = truth._tried(DESIGN, 120.0, labs)
    assert (found.labs, found.held, found.twin_differs, found.wrong) == (4, 4, 0, 0)


def test_recorded_turns_are_those_of_equal_servers(tmp_path: Path) -> None:
    file = tmp_path / "recorded.jsonl"
    turns = [
        {"variant": name, "start": start, "round": round_, "value": 100.0 + start}
        for start in range(6)
        for round_ in range(3)
        for name in "ABCD"
        for _ in range(2)
    ]
    file.write_text("".join(json.dumps(turn) + "\n" for turn in turns), "utf-8")
    labs = truth._replayed(file, DESIGN, CHOSEN)
    assert len(labs) == 4
    for effect, lab in labs:
        assert {turn.variant for each in lab for turn in each} == set(truth.NAMES)
        assert [turn.start for turn in lab[-1]] == [len(lab) // 2 - 1 + len(lab) % 2] * 6
        assert abs(_ratio(lab, truth.VARIANT, truth.BASE) / effect - 1) < 1e-9
        assert abs(_ratio(lab, truth.TWIN, truth.BASE) - 1) < 1e-9
    few = argparse.Namespace(labs=4, minutes=20.0, turns=2, random_order=False)
    assert truth._replayed(file, DESIGN, few) == []
