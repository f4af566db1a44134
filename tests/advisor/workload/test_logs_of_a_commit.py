"""What a commit saves where one of its logs syncs faster."""

from __future__ import annotations

import pytest

from advisor.gain import Relief, Wait
from advisor.rulekit.facts import Facts, FactSource
from advisor.workload.commit_waits import PARTS, shorter, shorter_by_up_to
from probes.statistics.ranges import Range
from probes.watch.words import FileRole
from tests.rules.casework import build


def facts(sync_binlog: str) -> Facts:
    spec = {
        "version": "8.0.36",
        "variables": {
            "innodb_flush_log_at_trx_commit": "1",
            "log_bin": "ON",
            "sync_binlog": sync_binlog,
        },
        "watched": {"files": [["redo", "sync", 100, 1000], ["binlog", "sync", 100, 3000]]},
    }
    return Facts(FactSource(build(spec)), {each.name for each in PARTS})


@pytest.mark.parametrize(
    ("log", "share"), [(FileRole.REDO, 0.9 * 0.25), (FileRole.BINLOG, 0.9 * 0.75)]
)
def test_what_commits_wait_for_the_other_log_stays(log: FileRole, share: float) -> None:
    found = shorter(facts("1"), log, 500, 50)
    assert found.wait is Wait.COMMITS
    assert found.share.value == pytest.approx(share)
    assert shorter_by_up_to(facts("1"), log, 0.9).share.high == pytest.approx(share)


def test_a_log_that_nobody_else_syncs_is_all_of_it() -> None:
    assert shorter(facts("0"), FileRole.REDO, 500, 50) == Relief(Wait.COMMITS, Range.exact(0.9))
