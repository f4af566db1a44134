"""Option files that end the next start: what is said of them, and what servers do with them.

A server runs, its option file is written anew, and the inventory is taken as a check takes it. Then
the server is started with that file.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.judging.agenda import Part, part_of
from advisor.judging.engine import judge
from advisor.outcomes import Confidence, Judgement, NotJudged, Recommendation, Verdict
from advisor.upgrade.lens import lens
from advisor.upgrade.releases import later_series
from advisor.variables.entry import Fate
from probes.inventory.read import read
from probes.version import Flavour
from tests.knowledge.options.test_real_option_files import raw_of
from tests.knowledge.options.test_real_option_values import starts
from tests.servers.eleven import ServerBuild, chosen

REFUSED, UNREADABLE = "lines.refused", "lines.unreadable"


@dataclass(frozen=True)
class Ended:
    """A file, the rule that names what ends the start, and what it says; FILE is its path."""

    name: str
    content: str
    rule: str
    saw: str


ENDED = (
    Ended(
        "a fraction",
        "[mysqld]\ninnodb_buffer_pool_size = 1.5G\n",
        REFUSED,
        "No version starts with innodb_buffer_pool_size = 1.5G (FILE, line 2): write 1536M;",
    ),
    Ended(
        "a blank, and a comment of another language",
        "[server]\ninnodb_log_buffer_size     =     32 MB\nmax_connections = 400 // was 200\n",
        REFUSED,
        "No version starts with innodb_log_buffer_size = 32 MB (FILE, line 2): write 32M; behind "
        "the number it takes K, M or G, and no blank before it. No version starts with "
        "max_connections = 400 // was 200 (FILE, line 3): write 400;",
    ),
    Ended(
        "a formula after a number",
        "[mysqld]\ninnodb_buffer_pool_size = 805306368\n"
        "innodb_buffer_pool_size = {Memory*3/4}\nmax_connections = ${connections}\n",
        REFUSED,
        "No version starts with innodb_buffer_pool_size = {Memory*3/4} (FILE, line 3): it takes a "
        "number. No version starts with max_connections = ${connections} (FILE, line 4)",
    ),
    Ended(
        "a share",
        "[mysqld]\ninnodb_max_dirty_pages_pct = 80 %\n",
        REFUSED,
        "No version starts with innodb_max_dirty_pages_pct = 80 % (FILE, line 2): ",
    ),
    Ended(
        "no equals sign",
        "[mysqld]\ninnodb_io_capacity 2000\ninnodb_flush_neighbors = 0\n",
        REFUSED,
        "No version starts with line 2 of FILE (innodb_io_capacity 2000): it is no option.",
    ),
    Ended(
        "a comment without its mark, which may hold a secret",
        "[mysqld]\ninnodb_flush_neighbors = 0\nthe old password of root was hunter2\n",
        REFUSED,
        "No version starts with line 3 of FILE, whose text is not shown here: it is no option.",
    ),
    Ended(
        "a tag of a template",
        "[mysqld]\n{{ innodb_settings }}\n",
        REFUSED,
        "No version starts with line 2 of FILE ({{ innodb_settings }}): it is no option.",
    ),
    Ended(
        "a merge that was not finished",
        "[mysqld]\n<<<<<<< HEAD\ninnodb_io_capacity = 400\n",
        REFUSED,
        "No version starts with line 2 of FILE (<<<<<<< HEAD): it is no option.",
    ),
    Ended(
        "an option before any group",
        "innodb_io_capacity = 2000\n[mysqld]\ninnodb_flush_neighbors = 0\n",
        UNREADABLE,
        "The next start ends at line 1 of FILE: what stands there is in no group.",
    ),
    Ended(
        "a folder that is not there",
        "[mysqld]\ninnodb_flush_neighbors = 0\n!includedir /nowhere/conf.d\n"
        "innodb_io_capacity = 2000\n",
        UNREADABLE,
        "The next start ends at line 3 of FILE: the folder that it includes is not there.",
    ),
    Ended(
        "a group without its end",
        "[client]\nport = 3306\n[mysqld\ninnodb_flush_neighbors = 0\n",
        UNREADABLE,
        "The next start ends at line 3 of FILE: the group has no closing bracket.",
    ),
    Ended(
        "an include of nothing",
        "[mysqld]\n!include \ninnodb_flush_neighbors = 0\n",
        UNREADABLE,
        "The next start ends at line 2 of FILE: the include names nothing.",
    ),
    Ended(
        "a byte order mark",
        "\ufeff[mysqld]\ninnodb_flush_neighbors = 0\n",
        UNREADABLE,
        "The next start ends at line 1 of FILE: a byte order mark stands before the first group.",
    ),
)

PASSED = (
    "[mysqld]\ninnodb_buffer_pool_size = 24MB\ninnodb_log_buffer_size = 4MiB\n",
    "[mysqld]\ninnodb_flush_neighbors = 0\n!include /nowhere/more.cnf\ninnodb_io_capacity = 400\n",
    "[client]\nwhat stands here is no matter of a server\n[mysqld]\ninnodb_io_capacity = 400\n",
)
"""Files that end no start."""


def judged(case: Case) -> tuple[dict[str, Recommendation], Judgement]:
    found = judge(case)
    return {one.rule: one for one in found.recommendations}, found


def rewritten(path: Path, content: str) -> None:
    """Write a file anew, as if a server that runs for hours had been started before."""
    path.write_text(content, encoding="utf-8")
    later = time.time() + 3600
    os.utime(path, (later, later))


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_what_ends_the_next_start_is_a_risk_and_nothing_is_called_fine(
    build: ServerBuild, tmp_path: Path
) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\ninnodb_flush_neighbors = 0\n")
    with build.start(cnf_path=path) as server:
        for each in ENDED:
            rewritten(path, each.content)
            raw = raw_of(server)
            assert "hunter2" not in repr(raw)
            case = Case("test", read(raw))
            told, outcomes = judged(case)
            one = told[each.rule]
            assert one.saw.startswith(each.saw.replace("FILE", str(path))), one.saw
            assert one.verdict is Verdict.RECOMMEND
            assert one.confidence is Confidence.HIGH
            assert part_of(one) is Part.RISK
            assert not [
                rule
                for rule in (
                    "lines.gone",
                    "lines.altered",
                    "lines.twice",
                    "lines.next-version",
                    REFUSED,
                )
                if rule in told and told[rule].verdict is Verdict.FINE
            ], each.name
            for later in later_series(build.version)[:1]:
                report = lens(case, later, outcomes)
                said = " ".join((*report.stops, *(fate.sentence for fate in report.lines)))
                assert str(path) in said or "No version starts with" in said, (each.name, said)
                ended = [fate for fate in report.lines if fate.fate is Fate.REFUSED]
                assert all(not fate.delete for fate in ended)
    for each in ENDED:
        path.write_text(each.content, encoding="utf-8")
        assert not build.starts_with(path), each.name


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_what_ends_no_start_is_called_fine(build: ServerBuild, tmp_path: Path) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\ninnodb_flush_neighbors = 0\n")
    with build.start(cnf_path=path) as server:
        for content in PASSED:
            rewritten(path, content)
            told, outcomes = judged(Case("test", read(raw_of(server))))
            assert not [one for one in outcomes.not_judged if _is_ours(one)], content
            assert told[REFUSED].verdict is Verdict.FINE
            assert told[UNREADABLE].verdict is Verdict.FINE
    for content in PASSED:
        path.write_text(content)
        assert build.starts_with(path), content


def _is_ours(one: NotJudged) -> bool:
    return one.rule in {"lines.gone", "lines.altered", "lines.twice", REFUSED, UNREADABLE}


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_name_in_capitals_is_known_as_the_server_takes_it(
    build: ServerBuild, tmp_path: Path
) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\ninnodb_flush_neighbors = 0\n")
    line = "MAX_CONNECTIONS = 300"
    with build.start(cnf_path=path) as server:
        rewritten(path, f"[mysqld]\n{line}\n")
        told, _ = judged(Case("test", read(raw_of(server))))
    if starts(build, path, line):
        assert told[REFUSED].verdict is Verdict.FINE
        assert f"{line} ({path}, line 2)" in told["lines.altered"].saw
    else:
        assert told[REFUSED].saw == (
            f"{_series(build)} does not start with line 2 of {path} ({line}): "
            "it takes no name in capitals."
        )


def _series(build: ServerBuild) -> str:
    name = "MariaDB" if build.version.is_mariadb else "MySQL"
    return f"{name} {build.version.numbers[0]}.{build.version.numbers[1]}"


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_pool_without_its_unit_is_never_what_was_meant(
    build: ServerBuild, tmp_path: Path
) -> None:
    path = tmp_path / "my.cnf"
    path.write_text("[mysqld]\ninnodb_flush_neighbors = 0\n")
    line = "innodb_buffer_pool_size = 640"
    with build.start(cnf_path=path) as server:
        rewritten(path, f"[mysqld]\n{line}\n")
        told, _ = judged(Case("test", read(raw_of(server))))
    assert told[REFUSED].saw.startswith(f"With no unit, {line} ({path}, line 2) is 640")
    # MySQL starts, with the smallest pool that there is; MariaDB's InnoDB does not.
    assert part_of(told[REFUSED]) is (Part.RISK if build.version.is_mariadb else Part.CHANGE)
    # MySQL raises it to its least, with which newer MariaDB's InnoDB does not start.
    raises = build.version.is_mysql or build.version.before(Flavour.MARIADB, 10, 5)
    assert starts(build, path, line) == raises
