"""What a published finding is for a target that it was not seen on."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.judging.engine import judge
from advisor.knowledge.analogy import by_analogy, covers
from advisor.outcomes import Knowledge
from probes.version import ServerVersion
from tests.rules.casework import build


@pytest.mark.parametrize(
    ("said", "version", "covered"),
    [
        (" 5.7 and newer", "5.6.51", False),
        (" 5.7 and newer", "8.4.2", True),
        (" 8.0.20 and newer", "8.0.19", False),
        (" before 8.0.20, and", "8.0.20", False),
        (" before 8.0.20, and", "5.7.44", True),
        (" 5.6 to 8.0; in one report", "8.0.36", True),
        (" 5.6 to 8.0; in one report", "8.4.0", False),
        (" 5.6 to 8.0; in one report", "5.5.62", False),
        (" 8.0, 8.4 and 9.x; the first", "9.4.0", True),
        (" 8.0, 8.4 and 9.x; the first", "5.7.44", False),
        (" 8.0.11, TPC-C", "8.0.36", True),
        (" 8.0.11, TPC-C", "8.4.0", False),
    ],
)
def test_words_about_versions(said: str, version: str, covered: bool) -> None:
    assert covers(said, ServerVersion.parse(version)) is covered


@pytest.mark.parametrize(
    ("finding", "spec", "analogy"),
    [
        ("F62", {"version": "8.0.33"}, False),
        ("F66", {"version": "8.0.33"}, True),
        ("F66", {"version": "10.5.9-MariaDB"}, False),
        ("F66", {"version": "10.11.6-MariaDB"}, True),
        ("F66", {"version": "10.5.9-MariaDB", "drive": {"rotational": True}}, True),
        ("F66", {"version": "10.5.9-MariaDB", "drive": {"rotational": False}}, False),
        ("F66", {}, False),
    ],
)
def test_a_finding_of_another_server_or_drive(
    finding: str, spec: dict[str, Any], analogy: bool
) -> None:
    """F62: MySQL 5.7 and 8.0; F66: MariaDB 10.5, NVMe."""
    assert by_analogy([finding], build(spec).inventory) is analogy


def test_one_finding_that_fits_is_enough() -> None:
    inventory = build({"version": "8.0.33"}).inventory
    assert by_analogy(["F66"], inventory)
    assert not by_analogy(["F66", "F62"], inventory)
    assert not by_analogy([], inventory)


@pytest.mark.parametrize(
    ("version", "knowledge"), [("8.0.36", Knowledge.PUBLISHED), ("8.4.2", Knowledge.ANALOGY)]
)
def test_advice_says_that_it_is_by_analogy(version: str, knowledge: Knowledge) -> None:
    """How eager adaptive flushing is was seen on 5.7 and 8.0."""
    judged = judge(build({"version": version, "variables": {"innodb_adaptive_flushing": "OFF"}}))
    [one] = [each for each in judged.recommendations if each.rule == "flushing.adaptive-flushing"]
    assert one.knowledge is knowledge
