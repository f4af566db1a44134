"""A curve beside the server's load and one of an idle drive answer different questions."""

from __future__ import annotations

from advisor.compare import compare
from advisor.compare.contender import Contender
from advisor.compare.roles import RoleOutcome
from advisor.report.forms.text import page
from advisor.report.json.comparison import document
from advisor.report.sections.comparison_report import compared
from tests.advisor.compare.contenders import CONDITIONS
from tests.advisor.report.json.schema import faults
from tests.recorded_load import reads


def side(name: str) -> Contender:
    return Contender(name, "recorded", CONDITIONS, tuple(reads(name)))


def test_no_role_is_won_between_idle_and_beside_load() -> None:
    found = compare([side("idle"), side("busy")])
    assert {role.outcome for role in found.roles} == {RoleOutcome.LOADS_DIFFER}
    assert [level.ratios[1] for level in found.matched[0].levels] == [None] * 3
    (reason,) = [one for one in found.reasons if one.aspect == "server_load"]
    assert "none – idle; 3 of 3 points – busy" in reason.sentence


def test_two_runs_beside_load_are_compared_and_it_is_said() -> None:
    found = compare([side("busy"), side("busy")])
    assert RoleOutcome.LOADS_DIFFER not in {role.outcome for role in found.roles}
    assert [one.aspect for one in found.reasons] == ["server_load"]
    assert not compare([side("idle"), side("idle")]).reasons


def test_all_forms_say_so() -> None:
    found = compare([side("idle"), side("busy")])
    told = document(found)
    assert faults(told, "compare-1.json") == []
    entries = told["roles"][0]["entries"]
    assert [entry["beside_server"] for entry in entries] == [False, True]
    text = page(compared(found))
    assert "not compared: one beside a load" in " ".join(text.split())
    assert "They show what is left beside that load" in " ".join(text.split())
