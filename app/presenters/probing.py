"""What can be asked for, as it is offered, and what tells the curves of a picture apart."""

from __future__ import annotations

from collections.abc import Sequence

from app.presenters.phrases import threads_said
from app.runtime.translation import tr_later, tr_n
from probes.figures import size
from probes.plans.kinds import Kind
from probes.points import Setting
from probes.words import options

KINDS = {
    Kind.STORAGE: (
        tr_later("Storage"),
        tr_later("Random page reads and writes over block sizes and threads."),
    ),
    Kind.REDO: (
        tr_later("Redo log"),
        tr_later("Small appends, each synced: what one commit waits for."),
    ),
    Kind.FLUSH: (
        tr_later("Page flushing"),
        tr_later("Batches of dirty pages, with and without doublewrite."),
    ),
    Kind.MIXED: (
        tr_later("Mixed load"),
        tr_later("Reads while pages are flushed and the redo log is synced."),
    ),
    Kind.STEADY: (
        tr_later("Steady write"),
        tr_later(
            "A long write that finds caches and throttles. It wears the drive: give it a budget."
        ),
    ),
    Kind.MYSQL: (
        "MySQL",
        tr_later("Primary-key lookups through the server, and updates on request."),
    ),
}
"""What can be asked for, with what it measures."""


def differing(setting: Setting, among: Sequence[Setting], *, sizes: bool, readers: bool) -> str:
    """What tells a curve from the others of its picture, in words; "" where nothing does.

    ``sizes`` names the block size, ``readers`` the threads where those differ.
    """
    parts = []
    several = len({other.block_size_bytes for other in among}) > 1
    if sizes and setting.block_size_bytes and (several or not readers):
        parts.append(size(setting.block_size_bytes))
    if readers and len({other.threads for other in among}) > 1:
        parts.append(threads_said(setting))
    if len({other.files for other in among}) > 1:
        parts.append(tr_n("1 file", "{n} files", setting.files))
    if len({other.directory for other in among}) > 1:
        parts.append(setting.directory)
    told = options(setting)
    # Most settings differ in their threads alone.
    kinds = {tuple(other.options.items()): other for other in among}
    shared = set.intersection(*(set(options(other)) for other in kinds.values()))
    said = [text for text in told if text not in shared]
    # What is special comes first: a narrow column cuts the rest.
    return ", ".join([*said, *parts] or told)
