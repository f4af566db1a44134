"""Facts of the redo log and of doublewrite: growth, room, checkpoint, and where they lie."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from advisor.case import Case
from advisor.facts.fact import NO_SERVER, OURS, Fact, Read, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS, over, swings
from advisor.facts.server.storage import MOUNTS
from advisor.facts.server.variables import SHOW_VARIABLES, users_window
from advisor.facts.watched.watch import users_watch
from advisor.model.server.redo_log import RedoGrowth
from advisor.variables.catalogue import MARIADB, MYSQL, span
from advisor.variables.entry import State
from probes import figures
from probes.inventory.facts import MySQLFacts, Role, StatusWindow, Storage, figure
from probes.version import ServerVersion
from probes.watch.watched import StatusSeries, Watched

FILES = "innodb_log_files_in_group"

LSN = ("Innodb_redo_log_current_lsn", "Innodb_lsn_current")
"""The log's head, as MySQL 8.0.30 and MariaDB call it."""

CHECKPOINTS = (
    ("Innodb_redo_log_current_lsn", "Innodb_redo_log_checkpoint_lsn"),
    ("Innodb_lsn_current", "Innodb_lsn_last_checkpoint"),
)
RESIZED = "Innodb_redo_log_capacity_resized"
"""MySQL's own counter of the log's size: after the last resize that ended."""

SHOWN_BY_DEFAULT = 104857600
"""What innodb_redo_log_capacity shows even where old log files rule the size."""

STATUS_LSN = re.compile(r"^Log sequence number\s+(\d+)\s*$", re.MULTILINE)
STATUS_CHECKPOINT = re.compile(r"^Last checkpoint at\s+(\d+)\s*$", re.MULTILINE)


@given(users_window)
def _growth(case: Case, window: StatusWindow) -> Reading | Absent:
    for name in (*LSN, "Innodb_os_log_written"):
        per_s = window.per_s(name)
        if per_s is not None:
            swung = swings(case, name, per_s)
            growth = RedoGrowth(per_s, window.seconds, name in LSN, swung)
            counted = "" if growth.exact else ", counted in whole blocks"
            return Reading(growth, f"{figures.throughput(per_s)} {over(window)}{counted}")
    return Absent("the server did not report how much redo it wrote over the status window")


def redo_files(version: ServerVersion, shown: float | None) -> int:
    """Tell how many redo log files there are; a server that ignores the setting has one."""
    known = span(version, FILES)
    ignored = known is not None and known.state is State.IGNORED
    return 1 if ignored or not shown else max(1, int(shown))


def _capacity(case: Case) -> Reading | Absent:
    mysql = case.inventory.mysql
    if mysql is None:
        return Absent(why_missing(case, "mysql", NO_SERVER))
    number = _defaults(mysql) if mysql.sandbox else mysql.number
    if mysql.version.at_least(MYSQL, 8, 0, 30):
        size = _resized(mysql, number("innodb_redo_log_capacity"))
    else:
        each = number("innodb_log_file_size")
        size = None if each is None else each * redo_files(mysql.version, number(FILES))
    if not size or size < 0:
        otherwise = OURS if mysql.sandbox else "the server does not show its redo log's size"
        return Absent(why_missing(case, "mysql.variables", otherwise))
    whose = " (by default)" if mysql.sandbox else ""
    return Reading(size, f"{figures.size(size)}{whose}")


def _defaults(mysql: MySQLFacts) -> Callable[[str], float | None]:
    def number(name: str) -> float | None:
        known = span(mysql.version, name)
        text = "" if known is None else known.default or ""
        return float(text) if text.isdigit() else None

    return number


def _resized(mysql: MySQLFacts, shown: float | None) -> float | None:
    """The status is right where log-file settings of old rule, and lags in a resize."""
    window = None if mysql.sandbox else mysql.window
    reported = None if window is None else window.gauge(RESIZED)
    if reported is None or shown is None:
        return shown if reported is None else reported
    return reported if shown == SHOWN_BY_DEFAULT else max(shown, reported)


def _resizing(case: Case) -> Reading | Absent:
    """Read the sizes that a server reports while it gives its log another one, "" for one size."""
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox:
        return Absent(why_missing(case, "mysql", NO_SERVER) if mysql is None else OURS)
    if mysql.version.at_least(MYSQL, 8, 0, 30):
        sizes = _sizes_of_mysql(mysql)
        if not _at_ends(mysql, RESIZED):
            # Old log-file settings may rule the size: then what the setting shows is not it.
            return Absent("the server did not report what size its redo log has")
    elif mysql.version.at_least(MARIADB, 10, 9):
        sizes = _sizes_of_mariadb(mysql)
    else:
        return Reading("", "one size: this release gives its log another one at a start alone")
    if len(sizes) < 2:
        return Reading("", "one size")
    text = figures.listed([figures.size(each) for each in sorted(sizes)])
    return Reading(text, f"{text} at once")


def _sizes_of_mysql(mysql: MySQLFacts) -> set[float]:
    """What is set, and what the log had at the window's ends."""
    shown, reported = mysql.number("innodb_redo_log_capacity"), _at_ends(mysql, RESIZED)
    return (
        reported
        if shown is None or (reported and shown == SHOWN_BY_DEFAULT)
        else reported | {shown}
    )


def _sizes_of_mariadb(mysql: MySQLFacts) -> set[float]:
    """What is set, and limits of the age at the window's ends that such a log can't have."""
    shown, limits = (
        mysql.number("innodb_log_file_size"),
        _at_ends(mysql, "Innodb_checkpoint_max_age"),
    )
    if shown is None or len(limits) > 1:
        return limits
    return {shown, *(each for each in limits if each > shown)}


def _at_ends(mysql: MySQLFacts, counter: str) -> set[float]:
    window = mysql.window
    ends = () if window is None else (window.before, window.after)
    return {value for end in ends if (value := figure(end.get(counter)))}


def _checkpoint_age(case: Case) -> Reading | Absent:
    watched = users_watch(case)
    if isinstance(watched, Watched):
        seen = _ages_seen(watched.status)
        if seen:
            text = f"up to {figures.size(max(seen))} in {figures.counted(len(seen), 'sample')}"
            return Reading(max(seen), f"{text} over {figures.seconds(round(watched.seconds))}")
    window = users_window(case)
    if not isinstance(window, Absent):
        ages = [
            age
            for sample in (window.before, window.after)
            if (age := _age_in(sample)) is not None and age >= 0
        ]
        if ages:
            text = f"up to {figures.size(max(ages))} over {figures.seconds(window.seconds)}"
            return Reading(max(ages), text)
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox:
        return window if isinstance(window, Absent) else Absent(OURS)
    age = _age_in_status(mysql.innodb_status or "")
    if age is None:
        return Absent("the server did not report its checkpoint age")
    return Reading(age, f"{figures.size(age)} at one moment")


def _ages_seen(series: StatusSeries) -> list[float]:
    """The age sample by sample, [] where the server reports neither it nor both log positions."""
    reported = series.values.get("Innodb_checkpoint_age")
    if reported is not None:
        return list(reported)
    for names in CHECKPOINTS:
        heads, tails = (series.values.get(name) for name in names)
        if heads is not None and tails is not None:
            ages = [head - tail for head, tail in zip(heads, tails, strict=True)]
            return [age for age in ages if age >= 0]
    return []


def _age_in(sample: Mapping[str, str]) -> float | None:
    if "Innodb_checkpoint_age" in sample:
        return figure(sample["Innodb_checkpoint_age"])
    for names in CHECKPOINTS:
        head, tail = (figure(sample.get(name)) for name in names)
        if head is not None and tail is not None:
            return head - tail
    return None


def _age_in_status(text: str) -> float | None:
    head, tail = STATUS_LSN.search(text), STATUS_CHECKPOINT.search(text)
    if head is None or tail is None:
        return None
    age = float(head.group(1)) - float(tail.group(1))
    return age if age >= 0 else None


@given(users_window)
def _enabled(_: Case, window: StatusWindow) -> Reading | Absent:
    word = window.after.get("Innodb_redo_log_enabled", "").upper()
    if word not in {"ON", "OFF"}:
        return Absent("the server did not report whether it writes redo")
    return Reading(word == "ON", word)


def _where(*roles: Role) -> Read:
    def read(case: Case) -> Reading | Absent:
        for role in roles:
            storage = case.inventory.role(role)
            if storage is not None:
                return Reading(storage, f"{storage.path}: {storage.chain}")
        return Absent(
            why_missing(case, f"storage.{roles[0]}", "the directory's drive was not found")
        )

    return read


REDO_GROWTH = Fact(
    "redo.growth", RedoGrowth, "bytes/s", "how fast the redo log grows", SHOW_STATUS, _growth
)
REDO_CAPACITY = Fact(
    "redo.capacity",
    float,
    "bytes",
    "the redo log's size",
    f"{SHOW_VARIABLES}; from MySQL 8.0.30 Innodb_redo_log_capacity_resized",
    _capacity,
)
REDO_CHECKPOINT_AGE = Fact(
    "redo.checkpoint_age",
    float,
    "bytes",
    "the highest checkpoint age",
    f"{SHOW_STATUS}; else SHOW ENGINE INNODB STATUS",
    _checkpoint_age,
)
REDO_RESIZING = Fact(
    "redo.resizing",
    str,
    "bytes",
    "the sizes of the redo log while it is given another one",
    f"{SHOW_VARIABLES}; Innodb_redo_log_capacity_resized or Innodb_checkpoint_max_age",
    _resizing,
)
REDO_ENABLED = Fact(
    "redo.enabled", bool, "switch", "whether the server writes redo at all", SHOW_STATUS, _enabled
)
REDO_DIRECTORY = Fact(
    "redo.directory",
    Storage,
    "storage",
    "where the redo log lies",
    MOUNTS,
    _where(Role.REDO, Role.DATA, Role.PROBE),
)
DOUBLEWRITE_DIRECTORY = Fact(
    "doublewrite.directory",
    Storage,
    "storage",
    "where doublewrite keeps its copies",
    MOUNTS,
    _where(Role.DOUBLEWRITE, Role.DATA, Role.PROBE),
)
