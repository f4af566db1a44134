"""The settings that rules touch: which version has them, with which default and range.

Measured on real servers where one could be run (MySQL 5.5, 5.6, 8.0, 9.7; MariaDB 10.2, 10.5,
10.11, 11.4, 11.8), else from the manuals. What a server shows of itself always comes first.
"""

from __future__ import annotations

from advisor.variables.entry import Span
from probes.version import Flavour, ServerVersion

MYSQL, MARIADB = Flavour.MYSQL, Flavour.MARIADB

_U32 = 2**32 - 1


SETTINGS: dict[str, tuple[Span, ...]] = {
    "innodb_io_capacity": (
        Span(MYSQL, (5, 5), (8, 4), "200", True, 100, _U32),
        Span(MYSQL, (8, 4), default="10000", dynamic=True, low=100, high=_U32),
        Span(MARIADB, (10, 0), default="200", dynamic=True, low=100, high=_U32),
    ),
    "innodb_io_capacity_max": (
        Span(MYSQL, (5, 6), (8, 4), "2000", True, 100, _U32),
        Span(MYSQL, (8, 4), default="20000", dynamic=True, low=100, high=_U32),
        Span(MARIADB, (10, 0), default="2000", dynamic=True, low=100, high=_U32),
    ),
    "innodb_flush_neighbors": (
        Span(MYSQL, (5, 6), (8, 0), "1", True, 0, 2),
        Span(MYSQL, (8, 0), default="0", dynamic=True, low=0, high=2),
        Span(MARIADB, (10, 0), default="1", dynamic=True, low=0, high=2),
    ),
    "innodb_lru_scan_depth": (
        Span(MYSQL, (5, 6), default="1024", dynamic=True, low=100, high=_U32),
        Span(MARIADB, (10, 0), (10, 5, 7), "1024", True, 100, _U32),
        Span(MARIADB, (10, 5, 7), default="1536", dynamic=True, low=100, high=_U32),
    ),
    "innodb_page_cleaners": (
        Span(MYSQL, (5, 7), low=1, high=64),
        Span(MARIADB, (10, 2), (10, 5, 1), low=1, high=64),
        Span(MARIADB, (10, 5, 1), (10, 6), dynamic=True, low=1, high=64),
    ),
    "innodb_buffer_pool_instances": (
        Span(MYSQL, (5, 5), low=1, high=64),
        Span(MARIADB, (10, 0), (10, 6), low=1, high=64),
    ),
    "innodb_page_size": (
        Span(MYSQL, (5, 6), (5, 7), "16384", low=4096, high=16384),
        Span(MYSQL, (5, 7), default="16384", low=4096, high=65536),
        Span(MARIADB, (10, 0), default="16384", low=4096, high=65536),
    ),
    "innodb_flush_method": (
        Span(MYSQL, (5, 5), (8, 4), "fsync"),
        Span(MYSQL, (8, 4), default="O_DIRECT"),
        Span(MARIADB, (10, 0), (10, 6), "fsync"),
        Span(MARIADB, (10, 6), default="O_DIRECT"),
    ),
    "innodb_data_file_buffering": (Span(MARIADB, (11, 0), default="OFF", dynamic=True),),
    "innodb_use_fdatasync": (
        Span(MYSQL, (8, 0, 26), (8, 4), "OFF", True),
        Span(MYSQL, (8, 4), default="ON", dynamic=True),
    ),
    "innodb_doublewrite": (
        Span(MYSQL, (5, 5), default="ON"),
        Span(MARIADB, (10, 0), (11, 4), "ON"),
        Span(MARIADB, (11, 4), default="ON", dynamic=True),
    ),
    "innodb_flush_log_at_trx_commit": (
        Span(MYSQL, (5, 5), default="1", dynamic=True, low=0, high=2),
        Span(MARIADB, (10, 0), default="1", dynamic=True, low=0, high=3),
    ),
    "sync_binlog": (
        Span(MYSQL, (5, 5), (5, 7, 7), "0", True, 0, _U32),
        Span(MYSQL, (5, 7, 7), default="1", dynamic=True, low=0, high=_U32),
        Span(MARIADB, (10, 0), default="0", dynamic=True, low=0, high=_U32),
    ),
    "log_bin": (
        Span(MYSQL, (5, 5), (8, 0, 3), "OFF"),
        Span(MYSQL, (8, 0, 3), default="ON"),
        Span(MARIADB, (10, 0), default="OFF"),
    ),
}


def span(version: ServerVersion, name: str) -> Span | None:
    """Find what is known of a setting in a version; None when the version lacks it."""
    return next((span for span in SETTINGS.get(name, ()) if span.covers(version)), None)
