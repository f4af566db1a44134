"""What commits wait for besides syncs where other members answer for them."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.wording.advice.limiting import limiting
from probes.statistics.ranges import Range
from tests.advisor.wording.test_limiting import TIMED, waiting
from tests.rules.casework import build

NAMED = "(the other members' answers to commits, row locks, latches, table locks)"
GROUP = {"group_replication_group_name": "a3e0f1c2-94d6-11ef-8a3c-0a58a9feac02"}
ONE, THREE = {"wsrep_cluster_size": 1}, {"wsrep_cluster_size": 3}


@pytest.mark.parametrize(
    ("spec", "named"),
    [
        ({"gauges": THREE}, True),
        ({"gauges": ONE}, False),
        ({"variables": GROUP}, True),
        ({"variables": GROUP, "rates": {"Gr_data_messages_sent_count": 260}}, True),
        ({"variables": GROUP, "rates": {"Gr_data_messages_sent_count": 0}}, False),
        ({"variables": {"group_replication_group_name": ""}}, False),
        ({}, False),
    ],
)
def test_answers_of_other_members_are_named_where_there_are_some(
    spec: dict[str, Any], named: bool
) -> None:
    line = limiting(waiting(**TIMED), build({"version": "8.4.5", **spec}))
    assert "none of the waits that were timed" in line
    assert (NAMED in line) is named


def test_what_nobody_timed_is_named_where_it_rivals_what_is_named() -> None:
    """A rest of 28 % beside syncs of 15 to 28 %, and half of the time on processors."""
    waits: dict[str, float | Range] = {
        "COMMITS": Range(2.0, 1.5, 2.8),
        "PAGE_READS": 0.2,
        "PROCESSORS": 5.0,
    }
    line = limiting(waiting(**waits), build({"version": "8.4.5", "variables": GROUP}))
    assert line.startswith("Limited perhaps by syncs at commit: ")
    assert f"20 to 33\u202f% of the time is in none of the waits that were timed {NAMED}" in line
    little = limiting(waiting(**waits | {"COMMITS": 4.0}), build({"version": "8.4.5"}))
    assert "none of the waits that were timed" not in little
