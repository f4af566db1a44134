"""What probes are called, what they count, and what a setting is in words."""

from __future__ import annotations

from collections.abc import Sequence

from probes.figures import count, counted, size
from probes.plans.kinds import Kind
from probes.points import SERVER_PROBES, Probe, Setting

TITLES = {
    Probe.RANDOM_READ: "Random read",
    Probe.RANDOM_WRITE: "Random write",
    Probe.REDO_SYNC: "Redo sync",
    Probe.PAGE_FLUSH: "Page flush",
    Probe.MIXED: "Mixed",
    Probe.STEADY_WRITE: "Steady write",
    Probe.POINT_SELECT: "Point select",
    Probe.PK_UPDATE: "Update",
    Probe.OLTP: "Transactions",
}

UNITS = {
    Probe.RANDOM_READ: "reads",
    Probe.RANDOM_WRITE: "writes",
    Probe.REDO_SYNC: "commits",
    Probe.PAGE_FLUSH: "pages",
    Probe.MIXED: "operations",
    Probe.STEADY_WRITE: "writes",
    Probe.POINT_SELECT: "lookups",
    Probe.PK_UPDATE: "updates",
    Probe.OLTP: "transactions",
}

PARTS = {
    "reads": ("Reads", "reads"),
    "redo": ("Redo", "commits"),
    "flush": ("Flushing", "pages"),
}
"""The parts of mixed: title, and what the rate counts."""

KINDS = {
    Kind.STORAGE: ("Storage", "Random page reads and writes over block sizes and threads."),
    Kind.REDO: ("Redo log", "Small appends, each synced: what one commit waits for."),
    Kind.FLUSH: ("Page flushing", "Batches of dirty pages, with and without doublewrite."),
    Kind.MIXED: ("Mixed load", "Reads while pages are flushed and the redo log is synced."),
    Kind.STEADY: (
        "Steady write",
        "A long write that finds caches and throttles. It wears the drive: give it a budget.",
    ),
    Kind.MYSQL: ("MySQL", "Primary-key lookups through the server, and updates on request."),
}
"""What can be asked for, with what it measures."""

SYNCS = {"o_dsync": "O_DSYNC"}
WORKING_SETS = {
    "cached": "in memory",
    "uncached": "from the drive",
    "existing": "own table",
    "own": "Leadline's table",
}
SETS = {
    "small": "small set",
    "first_touch": "",
    "zeros": "zeros",
    "sparse": "sparse",
}
"""A set that is touched for the first time says so by its touch."""

TOUCHES = {"first": "first touch", "again": "second touch"}
DOUBLEWRITES = {"off": "no doublewrite", "on": "doublewrite", "legacy": "old doublewrite"}

NOUNS = {
    Probe.REDO_SYNC: "committer",
    Probe.PAGE_FLUSH: "page cleaner",
    Probe.MIXED: "reader",
    Probe.POINT_SELECT: "connection",
    Probe.PK_UPDATE: "connection",
    Probe.OLTP: "connection",
}


def noun(setting: Setting) -> str:
    """What the threads of a probe are called: thread, committer, ..."""
    return NOUNS.get(setting.probe, "thread")


def unit(setting: Setting) -> str:
    """What the rate of a setting counts."""
    if setting.probe is Probe.MIXED:
        return PARTS.get(setting.options.get("part", ""), ("", "operations"))[1]
    return UNITS[setting.probe]


def option_texts(setting: Setting) -> list[str]:
    """The options of a setting in words, in a fixed order; flush rate and part left out."""
    options = setting.options
    texts = [
        table.get(options[name], options[name])
        for name, table in (
            ("set", SETS),
            ("touch", TOUCHES),
            ("sync", SYNCS),
            ("doublewrite", DOUBLEWRITES),
            ("working_set", WORKING_SETS),
        )
        if name in options and table.get(options[name], options[name])
    ]
    if options.get("log") == "growing":
        texts.append("growing log")
    if options.get("binlog") == "1":
        texts.append("binlog synced too")
    if "batch_pages" in options:
        texts.append(f"batches of {options['batch_pages']}")
    if "buffers" in options:
        texts.append(f"{options['buffers']} pages")
    if options.get("protocol", "prepared") != "prepared":
        texts.append(options["protocol"])
    return texts


def flush_text(value: str) -> str:
    """A target of flushing: ``no flushing``, ``2,000 pages/s``, ``flushing at full speed``."""
    if value == "0":
        return "no flushing"
    if value == "max":
        return "flushing at full speed"
    return f"{count(float(value))} pages/s flushed" if value.isdigit() else value


def setting_text(setting: Setting) -> str:
    """A setting in one line: ``Random read, 16 KiB, 64 threads``."""
    parts = [TITLES[setting.probe]]
    if "part" in setting.options:
        parts[0] += f": {PARTS.get(setting.options['part'], (setting.options['part'],))[0].lower()}"
    if setting.block_size_bytes:
        parts.append(size(setting.block_size_bytes))
    parts += option_texts(setting)
    if "flush_per_s" in setting.options:
        parts.append(flush_text(setting.options["flush_per_s"]))
    if setting.files > 1:
        parts.append(f"{setting.files} files")
    parts.append(counted(setting.threads, noun(setting)))
    return ", ".join(parts)


def differing(setting: Setting, among: Sequence[Setting], *, sizes: bool, readers: bool) -> str:
    """What tells a curve from the others of its picture, in words; "" where nothing does.

    ``sizes`` names the block size, ``readers`` the threads where those differ.
    """
    parts = []
    several = len({other.block_size_bytes for other in among}) > 1
    if sizes and setting.block_size_bytes and (several or not readers):
        parts.append(size(setting.block_size_bytes))
    if readers and len({other.threads for other in among}) > 1:
        parts.append(counted(setting.threads, noun(setting)))
    if len({other.files for other in among}) > 1:
        parts.append(counted(setting.files, "file"))
    if len({other.directory for other in among}) > 1:
        parts.append(setting.directory)
    options = option_texts(setting)
    shared = set.intersection(*(set(option_texts(other)) for other in among))
    said = [text for text in options if text not in shared]
    # What is special comes first: a narrow column cuts the rest.
    return ", ".join([*said, *parts] or options)


def asks_server(probe: Probe) -> bool:
    """Whether a probe has no block size, because a server does the I/O."""
    return probe in SERVER_PROBES
