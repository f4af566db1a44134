"""What probes, their settings and their figures are called: one word for each thing.

Plans, trust, reports, the window and the command line all take their words from here. They are
those of fio, sysbench and MySQL. Words stand as they do within a sentence; what begins one is
written large by `capital`. Nothing reads them back.
"""

from __future__ import annotations

from collections.abc import Mapping

from probes.figures import UNKNOWN, count, counted, size
from probes.kinds.flush import ALL_FLUSHED, NOTHING_FLUSHED, PARTS
from probes.kinds.table import CHOICES, PROBES
from probes.points import EndedBy, LimitedBy, Probe, Setting

BESIDE_SERVER = "beside the server's own load"
"""What is said of points and curves that don't show an idle drive."""

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


def inside(words: str) -> str:
    """These words as they stand within a sentence: ``random read``."""
    return words[:1].lower() + words[1:]


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
    return {NOTHING_FLUSHED: "no flushing", ALL_FLUSHED: "flushing at full speed"}.get(
        rate, f"flushing {rate}"
    )


def option(name: str, value: str) -> str:
    """An option of a setting: ``doublewrite off``, ``growing log``; "" where it is as usual."""
    declared = CHOICES.get(name)
    if declared is not None and value in declared.words:
        return declared.words[value]
    form = "" if declared is None else declared.others
    return (form or name + " {}").format(value.replace("_", " "))


def options(setting: Setting) -> list[str]:
    """The options of a setting in words, in a fixed order; the part and the flush rate left out."""
    order = [name for name in CHOICES if name in setting.options]
    names = [*order, *sorted(setting.options.keys() - CHOICES.keys())]
    # How many statements of each kind there were says which kinds there were.
    left_out = {"part", "flush_per_s"} | ({"statements"} if "per_transaction" in names else set())
    phrases = [option(name, setting.options[name]) for name in names if name not in left_out]
    return [words for words in phrases if words]


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
