"""Of a watch, the calls and the drive are shown that go with what limits."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.gain import Wait
from advisor.judging.limit import limit_of
from advisor.wording.watch.of_limit import ALL, focus_of
from advisor.wording.watch.rows import work_sentences
from tests.advisor.wording.test_limiting import TIMED, waiting
from tests.present import present
from tests.rules.casework import build

SPEC: dict[str, Any] = {
    "version": "8.0.36",
    "watched": {
        "running": [13] * 5,
        "files": [
            ["data", "read", 910, 2000],
            ["redo", "sync", 900, 900],
            ["temp", "write", 9, 90],
        ],
        "devices": [
            {"name": "nvme0n1", "roles": ["data", "redo"], "reads": [912, 128, 1], "busy": 0.12},
            {"name": "sda", "roles": ["tmp"], "reads": [60, 900, 1], "busy": 0.97},
        ],
    },
}


@pytest.mark.parametrize(
    ("wait", "call", "drive"),
    [
        (Wait.PAGE_READS, "data reads take most: 1.82 threads", "nvme0n1"),
        (Wait.COMMITS, "redo syncs take most: 0.81 threads", "nvme0n1"),
        (Wait.TEMPORARY, "", "sda"),
        (Wait.ROW_LOCKS, "", "nvme0n1"),
        (Wait.GROUP, "", "nvme0n1"),
    ],
)
def test_calls_and_drive_are_those_of_what_limits(wait: Wait, call: str, drive: str) -> None:
    case = build(SPEC)
    limit = present(limit_of(waiting(**TIMED | {wait.name: 6.0}), case))
    assert limit.wait is wait
    found = list(work_sentences(present(case.inventory.watched), focus_of(limit)))
    calls = [each for each in found if each.startswith("Of the calls that are timed, ")]
    assert bool(calls) == bool(call)
    assert call in "".join(calls)
    assert next(each for each in found if " is busy " in each).startswith(drive)


def test_where_nothing_limits_all_calls_are_shown_and_none_where_it_is_in_no_call() -> None:
    case = build(SPEC)
    small = waiting(PAGE_READS=1.9, COMMITS=1.8, PROCESSORS=1.9, TEMPORARY=1.7, LOG_BUFFER=0.9)
    assert focus_of(limit_of(small, case)) == ALL
    assert focus_of(None) == ALL
    hidden = focus_of(limit_of(waiting(**TIMED), case))
    assert not any(
        "calls" in each for each in work_sentences(present(case.inventory.watched), hidden)
    )
