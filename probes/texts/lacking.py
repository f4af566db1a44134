"""What the texts lack, and what would say it: a missing fact names the text to ask for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from probes.inventory.facts import Missing
from probes.inventory.mysql import read_version
from probes.inventory.stated_machine import read_stated
from probes.texts.window import StatusReading
from probes.version import Flavour, ServerVersion
from probes.watch.clients import CLIENTS
from probes.watch.machine_series import ANSWER as MACHINE
from probes.watch.machine_series import TRACE
from probes.watch.server_series import FILE_IO, STATUS_ANSWER

WHAT_SERVER_TEXTS_ARE = (
    "Leadline reads what SHOW GLOBAL VARIABLES, SHOW GLOBAL STATUS and SHOW ENGINE INNODB STATUS "
    "print, option files, iostat -x, vmstat, sar, /proc/diskstats, free, lscpu, df, mount, lsblk, "
    "uname, reports of pt-stalk, pt-summary and MySQLTuner, diagnostics of MySQL Shell, and "
    "descriptions of RDS, Azure and Cloud SQL as JSON."
)

WHICH_VERSION = (
    "Name it (--version 8.0.36 or 10.11.6-MariaDB; in the window under Version), or add what SHOW "
    "GLOBAL VARIABLES or SELECT VERSION() prints: each version has settings of its own."
)

SIZE_QUERY = (
    "SELECT SUM(data_length + index_length) AS innodb_data_bytes FROM information_schema.tables "
    "WHERE engine = 'InnoDB'"
)


@dataclass(frozen=True, slots=True)
class WantedText:
    """A text that nobody sent: the fact that it would give, what it decides, how to get it.

    ``answer`` is the raw answer whose absence shows it.
    """

    fact: str
    answer: str
    because: str
    decides: str
    command: str


WANTED = (
    WantedText(
        "mysql.variables", "mysql.variables", "no text has the server's variables",
        "all settings", "SHOW GLOBAL VARIABLES",
    ),
    WantedText(
        "mysql.status", "mysql.status.after", "no text has the server's counters",
        "what the server does, and nearly every gain", "SHOW GLOBAL STATUS, twice, a minute apart",
    ),
    WantedText(
        "watch", STATUS_ANSWER,
        "the texts hold no two statuses that lie apart while the server works",
        "what limits the server now, and the size of every gain",
        "a second SHOW GLOBAL STATUS, a minute later",
    ),
    WantedText(
        "mysql.sizes", "mysql.sizes", "no text has the size of the data",
        "the first question: whether the buffer pool is large enough", SIZE_QUERY,
    ),
    WantedText(
        "host", "host", "no text has the machine's memory and processors",
        "how large the buffer pool may be, and the threads",
        "free -b and lscpu, or --memory 64G --cpus 16",
    ),
    WantedText(
        "mysql.option_files", "mysql.option_files", "no option file was among the texts",
        "whether the next start works, and keeps today's values",
        "my.cnf and the files that it includes",
    ),
    WantedText(
        "storage", "storage", "no text says where the server's directories lie",
        "file system, mount options and drives", "df -hT, mount and lsblk -O -J",
    ),
    WantedText(
        MACHINE, MACHINE, "no text has what the drives did meanwhile",
        "what the drive takes for a read, and how busy it is", "iostat -dxt 1 60, at the same time",
    ),
    WantedText(
        "mysql.innodb_status", "mysql.innodb_status", "no text has INNODB STATUS",
        "the checkpoint's age, and waits within InnoDB", "SHOW ENGINE INNODB STATUS\\G",
    ),
    WantedText(
        "mysql.origins", "mysql.origins", "no text says where each variable was set",
        "which settings somebody chose, and where",
        "SELECT * FROM performance_schema.variables_info",
    ),
)  # fmt: skip
"""What decides most comes first."""

_SERVICES = frozenset({"Amazon RDS", "Aurora", "Azure", "Google"})
"""Vendors whose machines nobody sees."""

_MACHINES = frozenset({"mysql.option_files", "storage", MACHINE})
_FIGURES = "the service's figures of the last hour: reads and writes/s, and their latencies"

_NEVER = (
    (FILE_IO, "a text of the status does not say what file I/O takes"),
    (CLIENTS, "texts do not say where the clients are"),
    (TRACE, "the server is known from texts alone"),
    ("host.kernel", "no text has it (sysctl -a, and `grep . /sys/block/*/queue/*`)"),
    ("host.distribution", "no text has it (cat /etc/os-release)"),
)
"""What only a look at the server itself gives."""


def missing(answers: Mapping[str, str], status: StatusReading) -> tuple[Missing, ...]:
    """The missing facts; each says how it is had, in words that follow "because"."""
    found = []
    for text in wanted(answers):
        because = f"{text.because} ({text.command})"
        if text.fact == "watch" and status.because:
            because = f"{status.because} ({text.command})"
        found.append(Missing(text.fact, because))
    return (*found, *(Missing(*each) for each in _NEVER))


def wanted(answers: Mapping[str, str]) -> tuple[WantedText, ...]:
    """The texts that nobody sent, what decides most first."""
    has = {name for name, answer in answers.items() if answer not in ("", "{}")}
    if "agent.inventory" in has:
        machine = answers["agent.inventory"]
        has |= {"host"} if "/proc/meminfo" in machine else set()
        has |= {"storage"} if '"path"' in machine else set()
    stated = read_stated(answers)
    if stated is not None and (stated.memory_bytes or stated.machine_class):
        has.add("host")
    lacking = (each for each in WANTED if each.answer not in has)
    return tuple(made for each in lacking if (made := _for(each, read_version(answers))))


def _for(text: WantedText, version: ServerVersion) -> WantedText | None:
    """A text as this version, or the service that runs it, gives it; None where it can't."""
    if version.vendor in _SERVICES and text.fact in _MACHINES:
        return None if text.answer != MACHINE else replace(text, command=_FIGURES)
    if text.answer != "mysql.origins" or version.at_least(Flavour.MYSQL, 8):
        return text
    origins = "SELECT * FROM information_schema.SYSTEM_VARIABLES"
    return replace(text, command=origins) if version.at_least(Flavour.MARIADB, 10, 1) else None
