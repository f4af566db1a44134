"""What the server reports of its buffer pool beside its counters: sizes, loading, hash searches."""

from __future__ import annotations

import re
from dataclasses import dataclass

from advisor.case import Case
from advisor.facts.fact import Fact, given, why_missing
from advisor.facts.readings import Absent, Reading
from advisor.facts.server.status import SHOW_STATUS
from advisor.facts.server.variables import SHOW_VARIABLES, switch, users_server, users_window
from advisor.variables.standing import Standing
from probes import figures
from probes.inventory.facts import MySQLFacts

INNODB_STATUS = "SHOW ENGINE INNODB STATUS"

LEAST_SECONDS = 5
"""Averages of the InnoDB status over less than this say nothing; its window is not ours."""

SEVERAL = 3
"""This many threads at one latch are more than chance; fewer are seen on any busy server."""

HASH, OTHER = "Innodb_adaptive_hash_hash_searches", "Innodb_adaptive_hash_non_hash_searches"
_AVERAGED = re.compile(r"averages calculated from the last (\d+) seconds?")
_SEARCHES = re.compile(r"([\d.]+) hash searches/s, ([\d.]+) non-hash searches/s")
_WAITING = re.compile(r"has waited at \S*btr0sea\.\w+ line", re.IGNORECASE)
_CHANGES = re.compile(r"^Ibuf: size (\d+), free list len \d+, seg size \d+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class HashSearches:
    """Searches per second in B-trees: answered by the adaptive hash index, and by descending."""

    hash_per_s: float
    other_per_s: float

    @property
    def total_per_s(self) -> float:
        """All searches."""
        return self.hash_per_s + self.other_per_s

    @property
    def share(self) -> float:
        """The part that the hash index answers, 0 where nothing was searched."""
        return self.hash_per_s / self.total_per_s if self.total_per_s else 0.0


def _status_text(case: Case) -> str | Absent:
    """Give the text of the InnoDB status."""
    mysql = users_server(case)
    if isinstance(mysql, Absent):
        return mysql
    if mysql.innodb_status is None:
        return Absent(why_missing(case, "mysql.innodb_status", "its InnoDB status was not read"))
    return mysql.innodb_status


@given(users_server)
def _hash_searches(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    """Read the counters where the status has them (MariaDB), else InnoDB's own averages."""
    if mysql.window is not None:
        hashed, other = mysql.window.per_s(HASH), mysql.window.per_s(OTHER)
        if hashed is not None and other is not None:
            return _searches(hashed, other, mysql.window.seconds)
    text = _status_text(case)
    if isinstance(text, Absent):
        return text
    averaged, found = _AVERAGED.search(text), _SEARCHES.search(text)
    if averaged is None or found is None:
        return Absent("the InnoDB status does not report hash searches")
    seconds = int(averaged[1])
    if seconds < LEAST_SECONDS:
        return Absent(f"the InnoDB status averaged over {seconds} s alone")
    return _searches(float(found[1]), float(found[2]), seconds)


def _searches(hashed: float, other: float, seconds: float) -> Reading:
    found = HashSearches(hashed, other)
    text = (
        f"{figures.rate(hashed)} by hash and {figures.rate(other)} by descending, over "
        f"{figures.seconds(seconds)}"
    )
    return Reading(found, text)


def _hash_waits(case: Case) -> Reading | Absent:
    text = _status_text(case)
    if isinstance(text, Absent):
        return text
    waiting = float(len(_WAITING.findall(text)))
    return Reading(waiting, f"{figures.count(waiting)}{figures.THIN}threads at that moment")


def _buffered_changes(case: Case) -> Reading | Absent:
    text = _status_text(case)
    if isinstance(text, Absent):
        return text
    found = _CHANGES.search(text)
    if found is None:
        return Absent("the InnoDB status does not report a change buffer")
    pages = float(found[1])
    return Reading(pages, f"{figures.count(pages)}{figures.THIN}pages")


@given(users_server)
def _data(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    if mysql.innodb_files_bytes is None:
        return Absent(why_missing(case, "mysql.sizes", "the size of the data was not asked for"))
    return Reading(float(mysql.innodb_files_bytes), figures.size(mysql.innodb_files_bytes))


@given(users_server)
def _files(case: Case, mysql: MySQLFacts) -> Reading | Absent:
    if mysql.innodb_files is None:
        return Absent(why_missing(case, "mysql.sizes", "the number of files was not asked for"))
    return Reading(float(mysql.innodb_files), f"{figures.count(mysql.innodb_files)} files")


def _loading(case: Case) -> Reading | Absent:
    mysql, window = users_server(case), users_window(case)
    if isinstance(mysql, Absent):
        return mysql
    if isinstance(window, Absent):
        return window
    text = window.after.get("Innodb_buffer_pool_load_status")
    if not text:
        return Absent(f"{mysql.version} does not report loading its buffer pool")
    return Reading(text, text)


POOL_DATA = Fact(
    "pool.data", float, "bytes", "the size of all InnoDB files", "INNODB_TABLESPACES", _data
)
INNODB_FILES = Fact(
    "innodb.files",
    float,
    "files",
    "how many files InnoDB has: one of each table or partition",
    "INNODB_TABLESPACES",
    _files,
)
POOL_LOADING = Fact(
    "pool.loading", str, "text", "how far loading the pool has come", SHOW_STATUS, _loading
)
POOL_HASH_SEARCHES = Fact(
    "pool.hash_searches",
    HashSearches,
    "searches/s",
    "how many searches the adaptive hash index answers",
    f"{SHOW_STATUS}; on MySQL {INNODB_STATUS}",
    _hash_searches,
)
POOL_HASH_WAITS = Fact(
    "pool.hash_waits",
    float,
    "threads",
    "how many threads wait for a latch of the adaptive hash index",
    INNODB_STATUS,
    _hash_waits,
)
POOL_BUFFERED_CHANGES = Fact(
    "pool.buffered_changes",
    float,
    "pages",
    "how many pages the change buffer takes",
    INNODB_STATUS,
    _buffered_changes,
)
POOL_LARGE_PAGES = Fact(
    "pool.large_pages",
    Standing,
    "switch",
    "whether the server asks for large pages of memory",
    SHOW_VARIABLES,
    switch("large_pages"),
)
POOL_CORE_FILE = Fact(
    "pool.core_file",
    Standing,
    "switch",
    "whether the server writes a core file when it crashes",
    SHOW_VARIABLES,
    switch("core_file"),
)
