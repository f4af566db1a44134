"""What shortens a wait is something that can be had there."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.gain import Wait
from advisor.wording.advice.waits import would
from tests.rules.casework import build

OWN: dict[str, Any] = {"version": "8.0.36", "drive": {"name": "nvme0n1", "bus": "nvme"}}


@pytest.mark.parametrize(
    ("there", "reads", "commits"),
    [
        ({}, "a faster drive, would", "or a drive that syncs faster, would"),
        (
            {"drive": {"name": "nvme1n1", "model": "Amazon Elastic Block Store"}},
            "a faster volume, would",
            "or a volume that syncs faster, would",
        ),
        ({"vendor": "Azure"}, "a faster volume, would", "or a volume that syncs faster, would"),
        ({"vendor": "Amazon RDS"}, "a faster volume, would", "a volume that syncs faster, would"),
        ({"vendor": "Google"}, "a faster volume, would", "a volume that syncs faster, would"),
        ({"vendor": "Aurora"}, "memory, or another reader, would", "larger transactions would"),
    ],
)
def test_a_remedy_is_a_drive_a_volume_or_what_a_service_without_either_has(
    there: dict[str, Any], reads: str, commits: str
) -> None:
    case = build({**OWN, **there})
    assert would(Wait.PAGE_READS, case).endswith(reads)
    assert would(Wait.COMMITS, case).endswith(commits)


@pytest.mark.parametrize("wait", Wait)
def test_nobody_is_sent_to_a_drive_of_auroras(wait: Wait) -> None:
    if wait is Wait.CHECKPOINTS:
        return  # Its storage has no redo log whose room could run out.
    found = would(wait, build({"version": "8.0.39", "vendor": "Aurora"}))
    assert "drive" not in found
    assert "volume" not in found
    assert "{" not in found
