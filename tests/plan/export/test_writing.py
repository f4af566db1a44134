"""How values and sentences are written into SQL and option files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.plan import foreign_words
from advisor.plan.change_plan import LeftOut
from advisor.plan.export import ansible, sql
from advisor.plan.planning import make_plan
from advisor.plan.writing import cnf_line
from advisor.report.forms.plan_formats import FORMATS
from tests.plan.builders import MYSQL80, advice, case_of, setting
from tests.plan.export.test_exports import whole_plan


def test_a_value_never_closes_its_quotes() -> None:
    """Cards show texts of settings that no plan takes; they are copied by hand."""
    value = "a' ; DROP TABLE t; -- \\' x\nskip-grant-tables"
    assert foreign_words.sql(value) == "'a'' ; DROP TABLE t; -- \\\\'' x\nskip-grant-tables'"
    assert cnf_line("tmpdir", value) == (
        "tmpdir = \"a' ; DROP TABLE t; -- \\\\' x\\nskip-grant-tables\""
    )
    assert cnf_line("tmpdir", 'a "b" #c') == "tmpdir = 'a \"b\" #c'"


@pytest.mark.parametrize("form", FORMATS.values(), ids=FORMATS)
def test_an_empty_plan_can_be_written(form: Any) -> None:
    plan = make_plan(case_of(MYSQL80, {}), [])
    assert form.apply(plan).endswith("\n")
    assert form.undo(plan).endswith("\n")


def test_long_sentences_are_wrapped_and_statements_are_not() -> None:
    """They are read in a terminal."""
    reason = "MySQL 8.0.33 has none, and what it would bring is not known. " * 9
    plan = replace(whole_plan(), left_out=(LeftOut("x.long", "Title of x.long", reason),))
    lines = sql.apply(plan).splitlines()
    told = [line for line in lines if "what it would bring" in line or "Title of x.long" in line]
    assert len(told) > 4
    assert all(line.startswith("-- ") and len(line) <= 100 for line in told)
    assert " ".join(line[3:] for line in lines).count("MySQL 8.0.33 has none") == 9
    assert [line for line in lines if not line.startswith("--")] == [
        line for line in sql.apply(whole_plan()).splitlines() if not line.startswith("--")
    ]


@pytest.mark.parametrize("form", [FORMATS["sql"], FORMATS["cnf"]], ids=["sql", "cnf"])
def test_a_long_note_is_a_comment_on_each_of_its_lines(form: Any) -> None:
    """A line that is broken where it is shown loses its mark to whoever copies it."""
    note = "The server resizes in the background; wait until it has said that it is done. " * 3
    plan = whole_plan()
    noted = replace(plan, actions=tuple(replace(each, notes=(note,)) for each in plan.actions))
    shown = form.apply(noted).splitlines()
    assert sum("wait until it has" in line for line in shown) >= 3
    comments = [line for line in shown if "resizes in" in line or "it is done" in line]
    assert all(line.startswith(("--", "#")) for line in comments)
    assert max(map(len, comments)) <= 100
    assert sum("it is done" in line for line in comments) >= 3


def test_what_a_function_changes_is_kept_by_a_second_statement() -> None:
    shown = {"innodb_open_files": "4000"}
    step = setting("innodb_open_files", "4000", "8000")
    plan = make_plan(case_of(MYSQL80, shown), [advice("files.innodb-open-files", step)])
    assert [line for line in sql.apply(plan).splitlines() if not line.startswith("--")] == [
        "",
        "SELECT innodb_set_open_files_limit(8000);",
        "SET PERSIST_ONLY innodb_open_files = 8000;",
        "",
        "SELECT @@GLOBAL.innodb_open_files; -- 8000",
    ]
    back = sql.undo(plan)
    assert "SELECT innodb_set_open_files_limit(4000);\nRESET PERSIST IF EXISTS" in back
    play = ansible.apply(plan)
    assert "query:\n" in play
    assert "- SELECT innodb_set_open_files_limit(8000);" in play
    assert "mysql_variables" not in play
