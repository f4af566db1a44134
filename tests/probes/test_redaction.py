"""What is hidden, and what is not: the agent's tests read the same cases."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from probes.errors import AgentFailed
from probes.redaction import HIDDEN, cleaned, hides

ROOT = Path(__file__).parents[2]
SECRETS = ROOT / "probes/agent/internal/secrets"
CASES = [
    json.loads(line)
    for line in (SECRETS / "testdata/cases.jsonl").read_text(encoding="utf-8").splitlines()
]


def test_the_agent_has_the_same_list() -> None:
    agents, programs = SECRETS / "secrets.txt", ROOT / "resources/secrets.txt"
    assert agents.read_bytes() == programs.read_bytes()


def test_every_case() -> None:
    wrong = [case for case in CASES if hides(case[1], case[2]) != (case[0] == "hidden")]
    assert wrong == []
    assert len(CASES) > 300


def test_a_text_without_a_secret_stays_as_it_is() -> None:
    wrong = [value for verdict, _, value in CASES if verdict == "kept" and cleaned(value) != value]
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("before\nuser=a password=hunter2 host=h\nafter", f"before\nuser=a {HIDDEN}\nafter"),
        ("at https://a:hunter2@h/x: refused", f"at https{HIDDEN}"),
        ("IDENTIFIED\nBY\n'hunter2'\nafter", f"{HIDDEN}\nafter"),
        (
            "x\n-----BEGIN PRIVATE KEY-----\nhunter2\n-----END PRIVATE KEY-----\ny",
            f"x\n{HIDDEN}\ny",
        ),
        ("refused (using password: YES)", "refused (using password: YES)"),
        ("(using password: NO) password=hunter2", f"(using password: NO) {HIDDEN}"),
        (
            "ssh://root@db7:22 and mysql://app@db8:3306",
            "ssh://root@db7:22 and mysql://app@db8:3306",
        ),
    ],
)
def test_a_text_is_hidden_from_the_secret_to_the_end_of_its_line(text: str, left: str) -> None:
    assert cleaned(text) == left


def test_a_faults_details_hold_no_secret() -> None:
    assert AgentFailed("It ended.", details="panic: token=hunter2").details == f"panic: {HIDDEN}"


def test_long_values_are_looked_at_in_good_time() -> None:
    long = ",".join(f"3E11FA47-71CA-11E1-9E33-C80AA94{n:05}:1-{n}" for n in range(5_000))
    assert not hides("gtid_executed", long)
    assert cleaned(long) == long
    assert not hides("x", "a" * 200_000)
    assert not hides("x", "://" * 50_000)
