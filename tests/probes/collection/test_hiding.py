"""What the script hides, by each awk that is here: the cases of the agent's own test."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from probes.collection.patterns import awk_list
from tests.probes.collection.shells import AWKS

ROOT = Path(__file__).resolve().parents[3]
CASES = ROOT / "probes/agent/internal/secrets/testdata/cases.jsonl"
PROGRAM = ROOT / "resources/collect/hide.awk"
DASHES = "-" * 14
OPTIONS = """\
# a comment with password=Planted01
[client]
password = Planted02
[mysqld]
report_password = "Planted 03 # 3"  # and token=Planted04
innodb_buffer_pool_size = 1G        # fine
loose-odd = app:Planted05@db7
AKIAIOSFODNN7EXAMPLE
skip-name-resolve
!include /etc/more.cnf
[mysqldump]
password=Planted06
[mariadb-10.11]
ssl_passphrase = 'Planted07'
"""


@pytest.fixture(params=AWKS)
def awk(request: pytest.FixtureRequest) -> list[str]:
    return AWKS[request.param]


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
    asked = [DASHES, "SHOW GLOBAL VARIABLES", DASHES, "", "Variable_name\tValue"]
    shown = hide(awk, "answers", "\n".join([*asked, *rows]) + "\n", tmp_path)[len(asked) :]
    wrong = []
    for (wish, name, value), row, was in zip(cases, shown, rows, strict=True):
        hidden = row == f"{name}\t<hidden>" and value != "<hidden>"
        if hidden != (wish == "hidden") or not (hidden or row == was):
            wrong.append((wish, name, value, row))
    assert wrong == []
    assert len(cases) > 300


def test_counters_and_other_answers_stay(awk: list[str], tmp_path: Path) -> None:
    lines = [
        DASHES, "SHOW GLOBAL STATUS", DASHES, "", "Variable_name\tValue",
        "Com_set_password\t3", "Ssl_session_cache_misses\t0", "Uptime\t77",
        DASHES, "SELECT FILE_NAME AS path", DASHES, "", "path\tkind\tCOUNT_READ",
        "/data/shop/orders.ibd\tinnodb/innodb_data_file\t12",
    ]  # fmt: skip
    assert hide(awk, "answers", "\n".join(lines) + "\n", tmp_path) == lines


def test_statements_in_the_status_of_innodb_are_taken_out(awk: list[str], tmp_path: Path) -> None:
    rule = "-" * 12
    status = "\\n".join(
        [
            "=====", "INNODB MONITOR OUTPUT", "=====", rule, "TRANSACTIONS", rule,
            "UPDATE users SET card = 4711", rule, "FILE I/O", rule, "forged", rule,
            "FILE I/O", rule, "Pending normal aio reads: 0", "---", "LOG", "---",
            "Log sequence number 12345", "Last checkpoint at 12340",
        ]
    )  # fmt: skip
    lines = [
        DASHES, "SHOW ENGINE INNODB STATUS", DASHES, "", "Type\tName\tStatus",
        f"InnoDB\t\t{status}",
    ]  # fmt: skip
    shown = hide(awk, "answers", "\n".join(lines) + "\n", tmp_path)[-1]
    assert "4711" not in shown
    assert "forged" not in shown
    assert "TRANSACTIONS\\n------------\\n<hidden>\\n------------\\nFILE I/O" in shown
    assert shown.endswith("Log sequence number 12345\\nLast checkpoint at 12340")


def test_option_files_keep_the_lines_of_servers_in_their_places(
    awk: list[str], tmp_path: Path
) -> None:
    shown = hide(awk, "options", OPTIONS, tmp_path)
    assert "Planted" not in "".join(shown)
    assert "AKIA" not in "".join(shown)
    assert len(shown) == OPTIONS.count("\n")
    assert shown[3:10] == [
        " [mysqld]",
        " report_password=<hidden>",
        " innodb_buffer_pool_size = 1G        ",
        " loose-odd=<hidden>",
        " <hidden>",
        " skip-name-resolve",
        " !include /etc/more.cnf",
    ]


def test_a_byte_order_mark_is_seen(awk: list[str], tmp_path: Path) -> None:
    shown = hide(awk, "options", "\ufeff[mysqld]\npassword=x\n", tmp_path)
    assert shown[0] == " \ufeff"


def test_an_awk_that_can_not_hide_says_so(awk: list[str], tmp_path: Path) -> None:
    """A list that does not arrive must not let everything through."""
    argv = [*awk, "-F\\t", "-v", f"list={tmp_path / 'gone'}", "-v", "mode=answers"]
    done = subprocess.run(
        [*argv, "-f", str(PROGRAM)], input=b"password\tx\n", capture_output=True, check=False
    )
    assert done.returncode == 3
    assert done.stdout == b""
