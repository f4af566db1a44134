from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.knowledge.elsewhere import nearest_first
from advisor.knowledge.findings import PublishedFinding, findings
from probes.inventory.facts import Inventory
from tests.app.window.machine import inventory

HERE = inventory()
ANY = next(iter(findings().values()))


def seen_on(conditions: str) -> PublishedFinding:
    return replace(ANY, holds_when=conditions)


@pytest.mark.parametrize(
    ("conditions", "far"),
    [
        ("ZFS alone", True),
        ("Linux, ext4 with bigalloc", False),
        ("MySQL 8.0, TPC-C, NVMe", False),
        ("MariaDB 10.6 and newer", True),
        ("MySQL 8.4 and newer, MariaDB 10.5.1 and newer", False),
        ("TPC-C", False),
        ("", False),
    ],
)
def test_what_was_seen_on_another_file_system_or_server_comes_last(
    conditions: str, *, far: bool
) -> None:
    finding = seen_on(conditions)
    assert nearest_first([finding], HERE) == (([], [finding]) if far else ([finding], []))


def test_a_target_that_nobody_looked_at_may_be_anything() -> None:
    finding = seen_on("ZFS on EC2, MariaDB")
    assert nearest_first([finding], None) == ([finding], [])
    assert nearest_first([finding], Inventory("2026-03-04T13:02:00+00:00")) == ([finding], [])
