"""Which names are a server's variables, and which its counters."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

from probes.variable_sheets import sheet_names
from probes.watch.server_series import COUNTERS, GAUGES

_LISTS = ("mysql.tsv", "mariadb.tsv", "mysql-removed.tsv", "mariadb-removed.tsv")
_MORE = ("version", "version_comment", "hostname", "server_uuid", "aurora_version", "pid_file")
"""Variables that are no options, and that something is read of."""

_COUNTER = re.compile(
    r"(?:Aborted|Access|Acl|Aria|Binlog|Busy|Bytes|Caching|Com|Compression|Connection|Connections|"
    r"Created|Delayed|Error|Executed|Feature|Flush|Handler|Innodb|Key|Last|Locked|Master|Max|"
    r"Memory|Mysqlx|Not|Open|Opened|Performance|Prepared|Qcache|Queries|Questions|Resource|Rocksdb|"
    r"Rows|Rpl|Secondary|Select|Slave|Replica|Slow|Sort|Ssl|Subquery|Syncs|Table|Tc|Telemetry|"
    r"TempTable|Threadpool|Threads|Transactions|Update|Uptime|wsrep)(?:_\w{1,70})?"
)
_LISTED = re.compile(r"[A-Z][a-z]\w{1,90}")
_OWN_LETTERS = {name.lower(): name for name in (*COUNTERS, *GAUGES)} | {
    "temptable_count_hit_max_ram": "TempTable_count_hit_max_ram"
}


@cache
def variables() -> frozenset[str]:
    """All variables that are known, as the server writes them."""
    folder = files("resources").joinpath("options")
    named = {
        line.partition("\t")[0].partition("=")[0]
        for each in _LISTS
        for line in folder.joinpath(each).read_text(encoding="utf-8").splitlines()
        if not line.startswith(("#", "name\t"))
    }
    return frozenset(named | sheet_names() | {*_MORE})


def variable(name: str) -> str:
    """The variable that a name stands for, whatever its letters and dashes; "" for none."""
    plain = name.strip().removeprefix("@@").lower().removeprefix("global.")
    plain = re.sub(r"[ -]", "_", plain)
    return plain if plain in variables() else ""


def counter(name: str, *, listed: bool = False) -> str:
    """The counter that a name stands for, as a server writes it; "" where it can't be one.

    The information schema has them in capitals, and web pages have blanks in them. ``listed``: it
    stands in a server's table, where any name of that look may be one.
    """
    plain = re.sub(r"[ -]", "_", name.strip())
    if plain.isupper() or plain.islower():
        plain = _OWN_LETTERS.get(plain.lower()) or (
            plain.lower() if plain.lower().startswith("wsrep_") else plain.capitalize()
        )
    if listed and _LISTED.fullmatch(plain):
        return plain
    return plain if _COUNTER.fullmatch(plain) else ""


def is_counter_as_written(name: str, *, listed: bool = False) -> bool:
    """Whether a name has the letters that SHOW STATUS gives a counter: a capital, then small."""
    if listed and _LISTED.fullmatch(name):
        return True
    return bool(_COUNTER.fullmatch(name)) and not name.isupper() and not name.islower()
