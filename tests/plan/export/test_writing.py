"""How values and sentences are written into SQL and option files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from advisor.plan import foreign_words
from advisor.plan.change_plan import LeftOut
from advisor.plan.export import sql
from advisor.plan.planning import make_plan
from advisor.plan.writing import cnf_line
from advisor.report.forms.plan_formats import FORMATS
from tests.plan.builders import MYSQL80, case_of
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
