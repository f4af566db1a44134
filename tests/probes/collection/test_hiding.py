"""What the script hides, by each awk that is here: the cases of the agent's own test."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from probes.collection.patterns import awk_list

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "probes/agent/internal/secrets/testdata/cases.jsonl"
PROGRAM = ROOT / "resources/collect/hide.awk"
AWKS = {
    "gawk": ["gawk", "--posix"],
    "mawk": ["mawk"],
    "busybox": ["busybox", "awk"],
    "original-awk": ["original-awk"],
}


@pytest.fixture(params=AWKS)
def awk(request: pytest.FixtureRequest) -> list[str]:
    command = AWKS[request.param]
    if shutil.which(command[0]) is None:
        pytest.skip(f"no {command[0]} is installed")
    return command


def hide(awk: list[str], mode: str, text: str, tmp_path: Path) -> list[str]:
    listed = tmp_path / "list"
    listed.write_text("\n".join(awk_list()) + "\n")
    argv = [*awk, "-F\\t", "-v", f"list={listed}", "-v", f"mode={mode}", "-f", str(PROGRAM)]
    done = subprocess.run(argv, input=text.encode(), capture_output=True, check=True)
    assert done.stderr == b""
    return done.stdout.decode().split("\n")[:-1]


def escaped(value: str) -> str:
    """As the mysql client prints it."""
    for plain, shown in (("\\", "\\\\"), ("\n", "\\n"), ("\t", "\\t"), ("\0", "\\0")):
        value = value.replace(plain, shown)
    return value


def test_settings_are_hidden_as_by_the_agent(awk: list[str], tmp_path: Path) -> None:
    cases = [json.loads(line) for line in CASES.read_text().splitlines()]
    rows = [f"{name}\t{escaped(value)}" for _, name, value in cases]
    dashes = "-" * 14
    asked = [dashes, "SHOW GLOBAL VARIABLES", dashes, "", "Variable_name\tValue"]
    shown = hide(awk, "answers", "\n".join([*asked, *rows]) + "\n", tmp_path)[len(asked) :]
    wrong = []
    for (wish, name, value), row, was in zip(cases, shown, rows, strict=True):
        hidden = row == f"{name}\t<hidden>" and value != "<hidden>"
        if hidden != (wish == "hidden") or not (hidden or row == was):
            wrong.append((wish, name, value, row))
    assert wrong == []
    assert len(cases) > 300
