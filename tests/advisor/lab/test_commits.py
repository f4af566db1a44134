"""How many transactions commit changes, by a server's counters."""

from __future__ import annotations

import pytest

from advisor.lab.watched import WatchedLoad, commits_of, per_query


@pytest.mark.parametrize(
    ("per_s", "commits"),
    [
        ({"Com_commit": 0.0, "Com_update": 300.0, "Com_insert": 100.0}, (400.0, 400.0)),
        ({"Com_commit": 100.0, "Com_update": 300.0, "Com_insert": 100.0}, (100.0, 400.0)),
        ({"Com_commit": 500.0, "Com_update": 20.0}, (20.0, 20.0)),
        ({"Binlog_commits": 90.0, "Com_commit": 0.0, "Com_update": 300.0}, (90.0, 90.0)),
        ({"Binlog_commits": 0.0, "Com_commit": 0.0, "Com_update": 300.0}, (300.0, 300.0)),
        ({"Com_commit": 100.0}, (100.0, 100.0)),
        ({"Questions": 100.0}, None),
    ],
    ids=("autocommit", "COMMIT", "reads that end with COMMIT", "logged", "no log", "bare", "none"),
)
def test_each_change_with_autocommit_is_a_commit(
    per_s: dict[str, float], commits: tuple[float, float] | None
) -> None:
    assert commits_of(per_s) == commits
    found = per_query(per_s, 1000.0, 2.0)
    load = WatchedLoad("run 1", 8.0, 2.0, 1000.0, found, per_s)
    assert load.commits_per_s == (commits[0] if commits else 0.0)
    assert found.commits == (commits[0] / 1000.0 if commits else None)
