"""What probes, their settings and their figures are called: one word for each thing.

Plans, trust, reports, the window and the command line all take their words from here. They are
those of fio, sysbench and MySQL. Words stand as they do within a sentence; what begins one is
written large by `capital`. Nothing reads them back.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from probes.figures import UNKNOWN, count, counted, size
from probes.points import EndedBy, LimitedBy, Probe, Setting


class Words(NamedTuple):
    """What a probe is called, its operations, what its rate counts and what its threads are."""

    title: str
    operations: str
    unit: str
    worker: str = "thread"


PROBES: Mapping[Probe, Words] = {
    Probe.RANDOM_READ: Words("random read", "random reads", "reads"),
    Probe.RANDOM_WRITE: Words("random write", "random writes", "writes"),
    Probe.REDO_SYNC: Words("redo sync", "redo syncs", "commits", "committer"),
    Probe.PAGE_FLUSH: Words("page flush", "page flushes", "pages", "page cleaner"),
    Probe.MIXED: Words("mixed load", "mixed loads", "operations", "reader"),
    Probe.STEADY_WRITE: Words("steady write", "steady writes", "writes"),
    Probe.POINT_SELECT: Words("primary-key lookup", "primary-key lookups", "lookups", "connection"),
    Probe.PK_UPDATE: Words("primary-key update", "primary-key updates", "updates", "connection"),
    Probe.OLTP: Words("transaction", "transactions", "transactions", "connection"),
}

BESIDE_SERVER = "beside the server's own load"
"""What is said of points and curves that don't show an idle drive."""

PARTS: Mapping[str, tuple[str, str]] = {
    "reads": ("reads", "reads"),
    "redo": ("redo", "commits"),
    "flush": ("flushing", "pages"),
}
"""The parts of a mixed load: what each is called, and what its rate counts."""

_OPTIONS: Mapping[tuple[str, str], str] = {
    ("set", "small"): "small set",
    # Its touch says which of the two it is.
    ("set", "first_touch"): "",
    ("set", "zeros"): "zeros",
    ("set", "sparse"): "sparse file",
    ("touch", "first"): "first touch",
    ("touch", "again"): "second touch",
    ("sync", "o_dsync"): "O_DSYNC",
    ("log", "preallocated"): "",
    ("log", "growing"): "growing log",
    ("binlog", "0"): "",
    ("binlog", "1"): "sync_binlog=1",
    ("doublewrite", "off"): "doublewrite off",
    ("doublewrite", "on"): "doublewrite on",
    ("doublewrite", "legacy"): "pre-8.0.20 doublewrite",
    ("working_set", "cached"): "cached table",
    ("working_set", "uncached"): "uncached table",
    ("working_set", "existing"): "existing table",
    ("working_set", "own"): "Leadline's table",
    ("protocol", "prepared"): "",
    ("protocol", "sql"): "SQL text",
    ("protocol", "handler"): "HANDLER",
    ("flush_per_s", "0"): "no flushing",
    ("flush_per_s", "max"): "flushing at full speed",
}
_FORMS: Mapping[str, str] = {
    "set": "{} set",
    "sync": "{}",
    "batch_pages": "batches of {}",
    "buffers": "buffers in {} pages",
    "per_transaction": "{} each",
    "depth": "depth {}",
    "jobs": "depth of {} job",
}
_ORDER = ("working_set", "protocol", "set", "touch", "sync", "log", "binlog", "doublewrite")
_ELSEWHERE = frozenset({"part", "flush_per_s"})

ENDED_BY: Mapping[EndedBy, str] = {
    EndedBy.INTERVAL: "interval",
    EndedBy.TIME: "time",
    EndedBy.BYTES: "bytes",
    EndedBy.UNKNOWN: UNKNOWN,
}
"""What ended a point."""

LIMITED_BY: Mapping[LimitedBy, str] = {
    LimitedBy.PROBER: "The prober itself was the limit, not the drive.",
    LimitedBy.CPU: "The CPUs were the limit, not the drive.",
    LimitedBy.NOTHING: "",
}
"""What kept a point from going faster, as a sentence."""


def capital(words: str) -> str:
    """Begin a sentence or a label with these words: ``Random read``."""
    return words[:1].upper() + words[1:]


def unit(setting: Setting) -> str:
    """What the rate counts: ``reads``, ``commits``, ``pages``."""
    part = setting.options.get("part", "")
    return PARTS[part][1] if part in PARTS else PROBES[setting.probe].unit


def worker(probe: Probe) -> str:
    """What one of a probe's threads is: ``thread``, ``committer``, ``connection``."""
    return PROBES[probe].worker


def workers(setting: Setting) -> str:
    """``8 threads``, ``1 committer``, ``16 connections``."""
    return counted(setting.threads, worker(setting.probe))


def flushing(rate: str) -> str:
    """A wanted rate of flushing: ``no flushing``, ``2,000 pages/s flushed``."""
    if rate.isdigit() and int(rate):
        return f"{count(float(rate))} pages/s flushed"
    return _OPTIONS.get(("flush_per_s", rate), f"flushing {rate}")


def option(name: str, value: str) -> str:
    """An option of a setting: ``doublewrite off``, ``growing log``; "" where it is as usual."""
    if (name, value) in _OPTIONS:
        return _OPTIONS[name, value]
    return _FORMS.get(name, name + " {}").format(value.replace("_", " "))


def options(setting: Setting) -> list[str]:
    """The options of a setting in words, in a fixed order; the part and the flush rate left out."""
    names = sorted(setting.options, key=lambda name: (_rank(name), name))
    # How many statements of each kind there were says which kinds there were.
    unsaid = _ELSEWHERE | ({"statements"} if "per_transaction" in names else set())
    told = [option(name, setting.options[name]) for name in names if name not in unsaid]
    return [words for words in told if words]


def title(setting: Setting, *, files: str = "") -> str:
    """What is measured, but for the threads: ``random write 16 KiB, 16 files``.

    ``files`` stands in place of their number where that differs: ``many files``.
    """
    head = PROBES[setting.probe].title
    if part := setting.options.get("part", ""):
        head += f": {PARTS[part][0] if part in PARTS else part}"
    if setting.block_size_bytes:
        head += f" {size(setting.block_size_bytes)}"
    parts = [head]
    if files or setting.files > 1:
        parts.append(files or counted(setting.files, "file"))
    parts += options(setting)
    if "flush_per_s" in setting.options:
        parts.append(flushing(setting.options["flush_per_s"]))
    return ", ".join(parts)


def setting_line(setting: Setting) -> str:
    """A setting in one line: ``random read 16 KiB, 8 threads``."""
    return f"{title(setting)}, {workers(setting)}"


def _rank(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)
