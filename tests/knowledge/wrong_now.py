"""What the advice is known to say wrongly of whole servers: each entry has to fail, or it goes.

An entry is a test of ``test_production.py`` or an invariant of ``tests/rules/invariants``, and the
servers on which it fails. One that holds again fails its test, so that nothing stays here unseen.
"""

from __future__ import annotations

from collections.abc import Mapping

Servers = Mapping[str, str]
"""The reason by server's name."""

PROCESSORS = "time on processors is taken for a limit, whatever else there is"
UNTIMED = "waits that nobody timed are not named: nothing is said to limit"
MEMORY = "memory that runs out does not come first"
CLASS = "the drive's class is told from its syncs alone at a service"
SERVICE = "a restart for doublewrite's batches is proposed at a service"
NOISE = "a line that brings next to nothing stands among the changes"
AT_REST = "a server that writes nothing is told how to write"
BYTES = "a cap in bytes that no cloud sells is taken for one on requests"
KEYS = "misses of the key buffer are not read"
BINLOG = "the binary log's own syncs are not looked at"
ALONE = "commits that are not grouped are not known where the server was watched"
TABLES = "caches of tables are doubled, not made as large as is asked"
SHRINK = "a pool near the end of its control group is not made smaller"
WIND = "the lower rate of a long write is not what flushing is planned with"
SCANS = "scans are not told from reads of single pages"
SHAPE = "a pool that holds a twelfth of the data is expected to end nearly all misses"

PRODUCTION: Mapping[str, Servers] = {
    "test_what_matters_is_said_with_a_value_that_an_engineer_would_choose": {
        "binlog_on_slow_drive": BINLOG,
        "hypervisor_quota": BYTES,
        "myisam": KEYS,
        "pod_near_its_limit": SHRINK,
        "slow_second_wind": WIND,
        "twenty_thousand_tables": TABLES,
        "without_group_commit": ALONE,
        "zfs": NOISE,
        "zfs_large_records": SHAPE,
    },
    "test_hardly_anything_else_is_said": {
        "azure": SERVICE,
        "azure: nine tenths of the class": SERVICE,
        "azure_business_critical": CLASS,
        "bulk_load": NOISE,
        "cached_read_only": AT_REST,
        "full_scans": SCANS,
        "myisam": CLASS,
        "rds: with what its volume was bought with": SERVICE,
    },
    "test_what_is_wrong_there_is_never_recommended": {
        "binlog_on_slow_drive": BINLOG,
        "cached_read_only": AT_REST,
        "hypervisor_quota": BYTES,
        "myisam": KEYS,
        "rds": SERVICE,
        "without_group_commit": ALONE,
    },
    "test_what_has_to_be_said_is_and_what_is_untrue_is_not": {
        "full_scans": SCANS,
        "hypervisor_quota": BYTES,
    },
    "test_all_of_it_together_is_what_an_engineer_would_set": {
        "cached_read_only": AT_REST,
        "myisam": KEYS,
        "pod_near_its_limit": SHRINK,
        "slow_second_wind": WIND,
        "twenty_thousand_tables": TABLES,
    },
    "test_the_first_line_says_what_limits": {
        **dict.fromkeys(
            (
                *("bulk_load", "busy_and_well_tuned", "cached_read_only", "clients_the_limit"),
                *("full_scans", "mariadb_write_heavy", "myisam", "nvme_well_tuned_9_7"),
                *("old_sata", "one_applier", "one_tebibyte", "redo_full_within_seconds"),
                *("slow_second_wind", "twenty_thousand_tables"),
            ),
            PROCESSORS,
        ),
        **dict.fromkeys(("row_locks", "semi_sync_idle_drive", "without_group_commit"), UNTIMED),
        **dict.fromkeys(("pod_near_its_limit", "small_vm", "swapping"), MEMORY),
    },
}

INVARIANTS: Mapping[str, tuple[str, ...]] = {
    "bought_beyond_a_ceiling": ("gp3: whose reads are large, so that its bytes end soon as well",),
    "flushing_of_nothing": ("cached_read_only",),
    "limited_by_idle_processors": (
        "bulk_load",
        "busy_and_well_tuned",
        "cached_read_only",
        "clients_the_limit",
        "container",
        "full_scans",
        "galera",
        "mariadb_write_heavy",
        "myisam",
        "nvme_well_tuned_9_7",
        "old_sata",
        "one_applier",
        "one_tebibyte",
        "pod_near_its_limit",
        "raid_of_disks_with_battery",
        "redo_full_within_seconds",
        "replica",
        "slow_second_wind",
        "swapping",
        "twenty_thousand_tables",
        "unconfigured",
        "unconfigured: a quiet hour in which one request of twenty misses",
        "unconfigured: the page cache answers its misses",
        "well_tuned",
        "zfs",
        "zfs_large_records",
    ),
    "lowered_unseen": ("bulk_load",),
    "named_wait_without_a_line": (
        "binlog_on_slow_drive",
        "busy_and_well_tuned",
        "cached_read_only",
        "clients_the_limit",
        "full_scans",
        "galera",
        "myisam",
        "nvme_well_tuned_9_7",
        "one_applier",
        "one_tebibyte",
        "raid_of_disks_with_battery",
        "rds: with Optimized Writes",
        "replica",
        "slow_second_wind",
        "twenty_thousand_tables",
        "well_tuned",
    ),
    "nothing_limits_unexplained": (
        "row_locks",
        "semi_sync_idle_drive",
        "without_group_commit",
    ),
    "two_values_of_one_setting": (
        "bulk_load",
        "unconfigured",
        "unconfigured: the page cache answers its misses",
    ),
    "waits_for_what_is_not_planned": ("raid_of_disks_with_battery",),
}
"""Servers whose answers break an invariant, by its name."""
