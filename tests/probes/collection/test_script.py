"""The script itself: what a reader, a checker and a server see of it."""

from __future__ import annotations

import re
import subprocess
from fnmatch import fnmatchcase
from pathlib import Path

from probes.collection.questions import ASKED
from probes.collection.script import shell_script
from probes.collection.sql import Dialect, sql_script

ROOT = Path(__file__).resolve().parents[3]
AGENT = ROOT / "probes/agent/internal/inventory"
LINES = 410
WIDE = 145


def test_it_is_short_enough_to_be_read() -> None:
    lines = shell_script("1.0").splitlines()
    assert len(lines) <= LINES
    # The list of what is hidden alone has longer ones.
    assert all(len(line) <= WIDE for line in lines if "\t" not in line)
    assert "{{" not in shell_script("1.0")


def test_shellcheck_has_nothing_to_say(tmp_path: Path) -> None:
    script = tmp_path / "collect.sh"
    script.write_text(shell_script("1.0"))
    argv = ["shellcheck", "--shell=sh", "--severity=style", str(script)]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert done.returncode == 0


def test_it_asks_what_the_program_asks() -> None:
    """The questions are those of an inventory and a watch, whatever lines they stand on."""
    text = " ".join(shell_script("1.0").split())
    for questions in ASKED.values():
        for question in questions:
            assert f"{' '.join(question.split())};" in text
    assert "SHOW ENGINE INNODB STATUS;" in text


def test_it_reads_what_the_agent_reads() -> None:
    """Each file of facts about the machine, and of each disk."""
    script = shell_script("1.0")
    patterns = re.findall(r'"((?:proc|sys|etc|usr|run)/[^"]+)"', (AGENT / "files.go").read_text())
    patterns += _strings((AGENT / "host.go").read_text(), "hostPatterns")
    patterns += _strings((AGENT / "block.go").read_text(), "devicePatterns")
    shown = [each.strip("'\\") for line in script.splitlines() for each in line.split()]
    globs = [each for each in shown if re.fullmatch(r"[\w./*\[\]-]+", each) and each != "*"]
    missing = [name for name in patterns if not any(_covers(each, name) for each in globs)]
    assert missing == []
    assert len(patterns) > 100


def test_the_statements_end_outside_of_quotes() -> None:
    for text in (shell_script("1.0"), sql_script("1.0", 2, Dialect.MYSQL)):
        block = text[text.index("SET NAMES") : text.index("Threads_running")]
        for line in block.splitlines():
            assert line.count("'") % 2 == 0 or "'" in line.replace("''", "")


def test_the_sql_asks_once_a_second() -> None:
    text = " ".join(sql_script("1.0", 5, Dialect.MARIADB).split())
    assert text.count("DO SLEEP(1);") == 5
    assert text.count("Innodb_row_lock_waits") == 6
    assert "performance_schema.threads" not in text
    assert "INNODB STATUS" not in text


def _strings(source: str, name: str) -> list[str]:
    body = source.partition(f"var {name} = []string{{")[2].partition("\n}")[0]
    return re.findall(r'"([^"]+)"', body)


def _covers(pattern: str, name: str) -> bool:
    """Whether the script's pattern, which stands below a folder, takes a name of the agent's."""
    return fnmatchcase(name, pattern) or fnmatchcase(name, f"*/{pattern}")
