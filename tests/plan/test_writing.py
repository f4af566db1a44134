"""How a value is written into SQL and option files."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.plan import foreign_words
from advisor.plan.planning import make_plan
from advisor.plan.writing import cnf_line
from advisor.report.forms.plan_formats import FORMATS
from tests.plan.builders import MYSQL80, case_of


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
