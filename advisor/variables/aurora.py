"""What Aurora leaves of InnoDB's settings: its storage has no redo log files and tears no page."""

from __future__ import annotations

AURORA = "Aurora"
"""The vendor of a server that says so of itself (``aurora_version``)."""

RDS = "Amazon RDS"
"""The vendor of a server whose programs lie where Amazon RDS has them."""

NOT_IN_AURORA = frozenset(
    {
        "innodb_adaptive_flushing",
        "innodb_adaptive_flushing_lwm",
        "innodb_buffer_pool_chunk_size",
        "innodb_buffer_pool_instances",
        "innodb_change_buffering",
        "innodb_checksum_algorithm",
        "innodb_data_file_path",
        "innodb_dedicated_server",
        "innodb_doublewrite",
        "innodb_doublewrite_batch_size",
        "innodb_doublewrite_dir",
        "innodb_doublewrite_files",
        "innodb_doublewrite_pages",
        "innodb_flush_log_at_timeout",
        "innodb_flush_method",
        "innodb_flush_neighbors",
        "innodb_flush_sync",
        "innodb_flushing_avg_loops",
        "innodb_idle_flush_pct",
        "innodb_io_capacity",
        "innodb_io_capacity_max",
        "innodb_log_buffer_size",
        "innodb_log_checksums",
        "innodb_log_file_size",
        "innodb_log_files_in_group",
        "innodb_log_spin_cpu_abs_lwm",
        "innodb_log_spin_cpu_pct_hwm",
        "innodb_log_wait_for_flush_spin_hwm",
        "innodb_log_writer_threads",
        "innodb_lru_scan_depth",
        "innodb_max_dirty_pages_pct",
        "innodb_max_dirty_pages_pct_lwm",
        "innodb_numa_interleave",
        "innodb_page_cleaners",
        "innodb_page_size",
        "innodb_redo_log_capacity",
        "innodb_undo_log_truncate",
        "innodb_undo_tablespaces",
        "innodb_use_fdatasync",
        "innodb_use_native_aio",
        "innodb_write_io_threads",
    }
)
"""Settings that its storage takes no notice of.

Source: Amazon Aurora user guide, "Aurora MySQL configuration parameters", what does not apply (a
list that calls itself incomplete); how doublewrite, flushing and the redo log's files work goes
with whether they are there.
"""

FACTS_NOT_IN_AURORA = frozenset(
    {
        "host.volume_limits",
        "mysql.status.Innodb_dblwr_pages_written",
        "redo.checkpoint_age",
        "redo.enabled",
        "redo.resizing",
        "redo.sync_cost",
        "volume.request_limits",
        "volume.throughput_limits",
    }
)
"""Facts about what its storage does without; the guide's "Aurora MySQL global status variables"
leaves such counters out."""
