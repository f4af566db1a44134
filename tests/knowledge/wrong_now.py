"""What the advice is known to say wrongly of whole servers: each entry has to fail, or it goes.

An entry is a test of ``test_production.py``, and the servers on which it fails. One that holds
again fails its test, so that nothing stays here unseen. What holds of every answer
(``tests/rules/invariants``) has no entries: all of it holds.
"""

from __future__ import annotations

from collections.abc import Mapping

Servers = Mapping[str, str]
"""The reason by server's name."""

BINLOG = "the binary log's own syncs are not looked at"
ALONE = "commits that are not grouped are not known where the server was watched"
TABLES = "caches of tables are doubled, not made as large as is asked"
SHRINK = "a pool near the end of its control group is not made smaller"
WIND = "the lower rate of a long write is not what flushing is planned with"
QUEUE = "queries that wait for a place among a limit's threads are not seen to be what matters most"
SHAPE = "a pool that holds a twelfth of the data is expected to end nearly all misses"

PRODUCTION: Mapping[str, Servers] = {
    "test_what_matters_is_said_with_a_value_that_an_engineer_would_choose": {
        "binlog_on_slow_drive": BINLOG,
        "pod_near_its_limit": SHRINK,
        "set_by_a_blog": QUEUE,
        "slow_second_wind": WIND,
        "twenty_thousand_tables": TABLES,
        "without_group_commit": ALONE,
        "zfs_large_records": SHAPE,
    },
    "test_what_is_wrong_there_is_never_recommended": {
        "binlog_on_slow_drive": BINLOG,
        "slow_second_wind": WIND,
        "without_group_commit": ALONE,
    },
    "test_all_of_it_together_is_what_an_engineer_would_set": {
        "pod_near_its_limit": SHRINK,
        "slow_second_wind": WIND,
        "twenty_thousand_tables": TABLES,
    },
}
