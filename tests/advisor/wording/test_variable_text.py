"""A setting of the catalogue, in words."""

from __future__ import annotations

import json

import pytest

from advisor.variables.catalogue import span
from advisor.variables.naming import version_named
from advisor.variables.sheets import SHEETS
from advisor.wording.advice.variables import change_text, default_text, facts_of, values_text
from probes import figures


@pytest.mark.parametrize(
    ("version", "name", "default", "values", "takes"),
    [
        ("mysql-8.4", "innodb_flush_neighbors", "0", "0 to 2", "SET GLOBAL"),
        ("mysql-5.7", "innodb_flush_method", "empty", None, "a restart"),
        ("mysql-8.4", "innodb_page_size", "16 KiB", "4 KiB to 64 KiB", "a new data directory"),
        ("mysql-9.7", "innodb_redo_log_capacity", "100 MiB", "8 MiB to 512 GiB", "SET GLOBAL"),
        ("mariadb-11.8", "innodb_doublewrite", "ON", "OFF, ON, fast", "SET GLOBAL"),
        ("mariadb-11.8", "innodb_adaptive_flushing", "ON", "OFF, ON", "SET GLOBAL"),
        ("mysql-8.4", "innodb_purge_threads", "1 on up to 16 processors, else 4", None, None),
        (
            "mariadb-11.8",
            "innodb_io_capacity_max",
            "2000 (twice innodb_io_capacity, at least 2000)",
            "100 to 4294967295",
            "SET GLOBAL",
        ),
        ("mariadb-10.5.23", "innodb_io_capacity", "200", "100 or more", "SET GLOBAL"),
    ],
)
def test_a_setting_is_said(
    version: str, name: str, default: str, values: str | None, takes: str | None
) -> None:
    known = span(version_named(version), name)
    assert known is not None
    sheet = SHEETS[name]
    assert default_text(known, sheet).replace(figures.THIN, " ") == default
    if values is not None:
        assert values_text(known, sheet).replace(figures.THIN, " ") == values
    if takes is not None:
        assert change_text(known) == takes


def test_every_document_is_json() -> None:
    for sheet in SHEETS.values():
        whole = json.loads(json.dumps(facts_of(sheet)))
        assert whole["name"] == sheet.name
        assert len(whole["spans"]) == len(sheet.spans)


def test_a_version_that_lacks_it_tells_what_a_line_does() -> None:
    facts = facts_of(SHEETS["innodb_log_file_size"], version_named("mysql-9.7"))
    assert (facts["exists"], facts["line"]) == (False, "refused")
    assert "default" not in facts
