"""Settings in words: what is measured, and what its threads are."""

from __future__ import annotations

from probes.figures import UNKNOWN, count, size
from probes.points import EndedBy, LimitedBy, Probe, Setting

TITLES = {
    Probe.RANDOM_READ: "random read",
    Probe.RANDOM_WRITE: "random write",
    Probe.REDO_SYNC: "redo sync",
    Probe.PAGE_FLUSH: "page flush",
    Probe.MIXED: "mixed",
    Probe.STEADY_WRITE: "steady write",
    Probe.POINT_SELECT: "point select",
    Probe.PK_UPDATE: "update by key",
    Probe.OLTP: "transactions",
}
UNITS = {
    Probe.RANDOM_READ: "reads",
    Probe.RANDOM_WRITE: "writes",
    Probe.REDO_SYNC: "commits",
    Probe.PAGE_FLUSH: "pages",
    Probe.STEADY_WRITE: "writes",
    Probe.POINT_SELECT: "lookups",
    Probe.PK_UPDATE: "updates",
    Probe.OLTP: "transactions",
}
"""What a rate counts; of mixed it is its part's."""

PART_UNITS = {"reads": "reads", "redo": "commits", "flush": "pages"}

WORKERS = {
    Probe.REDO_SYNC: "committer",
    Probe.PAGE_FLUSH: "cleaner",
    Probe.MIXED: "reader",
    Probe.POINT_SELECT: "connection",
    Probe.PK_UPDATE: "connection",
    Probe.OLTP: "connection",
}
"""What a setting's threads are, where "thread" says less."""

ENDED_BY = {
    EndedBy.INTERVAL: "interval",
    EndedBy.TIME: "time",
    EndedBy.BYTES: "bytes",
    EndedBy.UNKNOWN: UNKNOWN,
}
LIMITED_BY = {
    LimitedBy.PROBER: "The prober itself was the limit, not the drive.",
    LimitedBy.CPU: "The CPUs were the limit, not the drive.",
    LimitedBy.NOTHING: "",
}

_SAID = {
    ("protocol", "prepared"): "",
    ("sync", "o_dsync"): "O_DSYNC",
    ("touch", "first"): "first touch",
    ("touch", "again"): "touched again",
    ("set", "first_touch"): "",
    ("binlog", "1"): "binlog synced too",
}
_FORMS = {
    "part": "{}",
    "sync": "{}",
    "working_set": "{}",
    "protocol": "{}",
    "set": "{} set",
    "log": "{} log",
    "doublewrite": "doublewrite {}",
    "batch_pages": "batches of {}",
    "buffers": "buffers in {} pages",
}
_ORDER = ("part", "working_set", "protocol", "set", "touch", "sync", "log", "binlog")


def title(setting: Setting) -> str:
    """What is measured, but for the threads: ``random write 16 KiB, 16 files``."""
    parts = [TITLES[setting.probe]]
    if setting.block_size_bytes:
        parts[0] += f" {size(setting.block_size_bytes)}"
    if setting.files > 1:
        parts.append(f"{setting.files} files")
    names = sorted(setting.options, key=lambda name: (_rank(name), name))
    parts += [_option(name, setting.options[name]) for name in names]
    return ", ".join(part for part in parts if part)


def workers(setting: Setting) -> str:
    """``8 threads``, ``1 committer``, ``16 connections``."""
    names = worker_names(setting.probe)
    return f"{setting.threads} {names.removesuffix('s') if setting.threads == 1 else names}"


def worker_names(probe: Probe) -> str:
    """What a probe's threads are, in the plural: ``threads``, ``committers``."""
    return f"{WORKERS.get(probe, 'thread')}s"


def setting_line(setting: Setting) -> str:
    """``random read 16 KiB, 8 threads``."""
    return f"{title(setting)}, {workers(setting)}"


def unit(setting: Setting) -> str:
    """What the rate counts: ``reads``, ``commits``, ``pages``."""
    if setting.probe is Probe.MIXED:
        return PART_UNITS.get(setting.options.get("part", ""), "operations")
    return UNITS[setting.probe]


def _rank(name: str) -> int:
    return _ORDER.index(name) if name in _ORDER else len(_ORDER)


def _option(name: str, value: str) -> str:
    if name == "flush_per_s":
        return _flush(value)
    if (name, value) in _SAID:
        return _SAID[name, value]
    return _FORMS.get(name, name + " {}").format(value.replace("_", " "))


def _flush(value: str) -> str:
    if value == "max":
        return "flushing at full speed"
    if value.isdigit():
        return f"{count(float(value))} pages/s flushed" if int(value) else "no flushing"
    return f"flushing {value}"
