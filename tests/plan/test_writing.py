"""How a value is written into SQL and option files."""

from __future__ import annotations

from advisor.plan import foreign_words
from advisor.plan.writing import cnf_line


def test_a_value_never_closes_its_quotes() -> None:
    """Cards show texts of settings that no plan takes; they are copied by hand."""
    value = "a' ; DROP TABLE t; -- \\' x\nskip-grant-tables"
    assert foreign_words.sql(value) == "'a'' ; DROP TABLE t; -- \\\\'' x\nskip-grant-tables'"
    assert cnf_line("tmpdir", value) == (
        "tmpdir = \"a' ; DROP TABLE t; -- \\\\' x\\nskip-grant-tables\""
    )
    assert cnf_line("tmpdir", 'a "b" #c') == "tmpdir = 'a \"b\" #c'"
