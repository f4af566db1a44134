"""The comments of a plan's SQL are read in a terminal."""

from __future__ import annotations

from dataclasses import replace

from advisor.plan.change_plan import LeftOut
from advisor.plan.export import sql
from tests.plan.test_exports import whole_plan


def test_long_sentences_are_wrapped_and_statements_are_not() -> None:
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
