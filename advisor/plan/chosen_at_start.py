"""Lines by which a start chooses another setting's value, where that one has no line of its own.

Such a default is the version's alone only while these lines are not there: a line that repeats it
is not idle, and what goes back to it needs a line. Seen on MySQL 8.0.33 and 9.7.4 and on
MariaDB 10.11.19 (2026-11-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum, auto

from advisor.plan.target import same, whole
from advisor.variables.catalogue import MARIADB, MYSQL, span
from advisor.variables.entry import OPEN, Numbers, Ranged
from probes.version import Flavour, ServerVersion

DEDICATED = "innodb_dedicated_server"
CAPACITY = "innodb_redo_log_capacity"
OLD_REDO = frozenset({"innodb_log_file_size", "innodb_log_files_in_group"})
SIZED = frozenset({"innodb_buffer_pool_size", CAPACITY, *OLD_REDO})
"""What a dedicated server sizes automatically."""


class _When(Enum):
    """With which value a line decides: another than its default, any but 0, one below the other's.

    The last is a value below the default of what it decides.
    """

    CHANGED = auto()
    STATED = auto()
    BELOW = auto()


@dataclass(frozen=True, slots=True)
class _Deciding(Ranged):
    """A line that states ``by`` decides the defaults of ``names`` in some versions.

    ``derived``: the server reckons them from it, and a plan that sets it keeps them as they are;
    else people state it so that they become others.
    """

    flavour: Flavour
    since: Numbers
    before: Numbers
    by: str
    names: frozenset[str]
    when: _When = _When.CHANGED
    derived: bool = False

    def holds(self, version: ServerVersion, name: str, value: str) -> bool:
        """Whether a line with ``value`` decides ``name``."""
        if self.when is _When.STATED:
            return not same(value, "0")
        known = span(version, self.by if self.when is _When.CHANGED else name)
        usual = None if known is None else known.default
        if usual is None:
            return False
        if self.when is _When.CHANGED:
            return not same(value, usual)
        return (whole(value) or 0) < (whole(usual) or 0)


def _both(by: str, name: str, when: _When) -> tuple[_Deciding, ...]:
    return tuple(
        _Deciding(flavour, since, OPEN, by, frozenset({name}), when, derived=True)
        for flavour, since in ((MYSQL, (5, 6)), (MARIADB, (10, 0)))
    )


_DECIDING = (
    *_both("innodb_io_capacity", "innodb_io_capacity_max", _When.CHANGED),
    *_both("innodb_io_capacity_max", "innodb_io_capacity", _When.BELOW),
    # Beside it a start switches even a stated OFF on.
    _Deciding(
        MARIADB,
        (10, 1, 7),
        OPEN,
        "query_cache_size",
        frozenset({"query_cache_type"}),
        _When.STATED,
        derived=True,
    ),
    _Deciding(MYSQL, (8, 0, 3), OPEN, DEDICATED, SIZED),
    # To O_DIRECT_NO_FSYNC.
    _Deciding(MYSQL, (8, 0, 3), (8, 4), DEDICATED, frozenset({"innodb_flush_method"})),
    # Where it alone is stated the seconds become 0, and the days count.
    _Deciding(
        MYSQL, (8, 0, 1), (8, 4), "expire_logs_days", frozenset({"binlog_expire_logs_seconds"})
    ),
    # Even at their defaults: two files of 48 MiB are 96 MiB, and the default is 100.
    *(
        _Deciding(MYSQL, (8, 0, 30), (9, 0), each, frozenset({CAPACITY}), _When.STATED)
        for each in sorted(OLD_REDO)
    ),
)


def decided_by(version: ServerVersion, name: str, stated: Mapping[str, str]) -> str:
    """The line of those ``stated`` by which a start chooses ``name``, "" where there is none."""
    return next(
        (
            each.by
            for each in _DECIDING
            if name in each.names
            and each.by in stated
            and each.covers(version)
            and each.holds(version, name, stated[each.by])
        ),
        "",
    )


def decides_at_default(version: ServerVersion, name: str) -> bool:
    """Whether a line that states ``name`` decides another setting even at its default."""
    return any(
        each.by == name and each.when is _When.STATED and each.covers(version) for each in _DECIDING
    )


def derived(version: ServerVersion) -> Iterator[tuple[str, str]]:
    """Pairs of settings: a line with the first makes a start reckon the second again."""
    for each in _DECIDING:
        if each.derived and each.covers(version):
            yield from ((each.by, name) for name in sorted(each.names))
