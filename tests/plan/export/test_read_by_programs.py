"""What other programs make of a plan's forms: MariaDB's reader of option files, grep."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from advisor.plan.export import ansible, cnf
from advisor.plan.planning import make_plan
from advisor.plan.step_texts import step_texts
from advisor.plan.writing import cnf_line
from advisor.steps import Needs, RemoveLine
from tests.plan.builders import MYSQL80, advice, case_of, setting
from tests.plan.test_lines_in_files import CONTENT, FILE, plan


def test_the_way_back_writes_below_a_group_of_the_server_s_alone(tmp_path: Path) -> None:
    look, back, _ = yaml.safe_load(ansible.undo(plan()))[0]["tasks"]
    assert back["when"] == f"{look['register']}.rc == 0"
    argv = look["ansible.builtin.command"]["argv"]
    for content, found in ((CONTENT, True), ("[mysqld]\nx = 1\n", False), ("PATH=/bin\n", False)):
        file = tmp_path / "file"
        file.write_text(content)
        assert argv[-1] == FILE
        done = subprocess.run([*argv[:-1], str(file)], check=False)
        assert (done.returncode == 0) is found


@pytest.mark.parametrize("length", [4065, 4094, 4095, 20_000])
def test_no_line_of_a_file_is_longer_than_servers_read(length: int, tmp_path: Path) -> None:
    start = "loose_innodb_io_capacity = "
    ending = " --init_file=/tmp/evil.sql"
    text = start + "x" * (length - len(start) - len(ending)) + ending
    made = plan(RemoveLine("innodb_io_capacity", "1", FILE, 3, text, "mysqld"))
    assert bool(made.actions) is (length <= 4094)
    told = step_texts([action.step for action in made.actions], None)
    for said in (cnf.apply(made), cnf.undo(made), told.apply.cnf):
        assert all(len(line.encode()) <= 1010 for line in said.splitlines())
        assert options_of(said, tmp_path) == []


def options_of(text: str, folder: Path) -> list[str]:
    """What MariaDB's own reader finds in an option file; the program is on every test machine."""
    program = shutil.which("my_print_defaults")
    if program is None:
        pytest.skip("there is no my_print_defaults here")
    file = folder / "file.cnf"
    file.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [program, f"--defaults-file={file}", "mysqld"], capture_output=True, text=True, check=True
    )
    return done.stdout.splitlines()


@pytest.mark.parametrize("letter", ["x", "ü", "x ", "--init_file=/tmp/evil.sql\n"])
@pytest.mark.parametrize("length", [900, 1001, 4000, 4094, 4095, 9000])
def test_a_long_name_or_reason_never_becomes_an_option(
    letter: str, length: int, tmp_path: Path
) -> None:
    foreign = (letter * length)[:length] + "\n--init_file=/tmp/evil.sql"
    case = replace(case_of(MYSQL80, {"innodb_io_capacity": "200"}), target=foreign)
    moved = setting("innodb_io_capacity", foreign.replace("\n", " ").strip(), "400")
    taken = setting("innodb_io_capacity", "200", "1000")
    made = make_plan(case, [advice("a.b", taken), replace(advice("c.d", moved), title=foreign)])
    for text in (cnf.apply(made), cnf.undo(made)):
        assert all("innodb_io_capacity" in said for said in options_of(text, tmp_path))
        assert len(options_of(text, tmp_path)) == 1


@pytest.mark.parametrize("length", [900, 4000, 5000])
def test_a_value_is_written_on_a_line_that_is_read_whole_or_not_at_all(
    length: int, tmp_path: Path
) -> None:
    value = "/a" * (length // 2)
    case = case_of(MYSQL80, {"tmpdir": "/tmp"})
    made = make_plan(case, [advice("a.b", setting("tmpdir", "/tmp", value, Needs.RESTART))])
    assert bool(made.actions) is (length < 4090)
    for text in (cnf.apply(made), f"[mysqld]\n{cnf_line('tmpdir', value)}\n"):
        wanted = [f"--tmpdir={value}"] if made.actions else []
        assert options_of(text, tmp_path) == wanted
