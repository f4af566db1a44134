"""What can be asked for, as it is offered, and what tells the curves of a picture apart."""

from __future__ import annotations

from collections.abc import Sequence

from app.presenters.phrases import threads_said
from app.runtime.translation import tr_n
from probes.figures import size
from probes.kinds.kind import Kind
from probes.kinds.words import options
from probes.points import Setting

KINDS = {
    Kind.STORAGE: (
        "Storage",
        "Random page reads and writes over block sizes and threads.",
    ),
    Kind.REDO: (
        "Redo log",
        "Small appends, each synced: what one commit waits for.",
    ),
    Kind.FLUSH: (
        "Page flushing",
        "Batches of dirty pages, with and without doublewrite.",
    ),
    Kind.MIXED: (
        "Mixed load",
        "Reads while pages are flushed and the redo log is synced.",
    ),
    Kind.STEADY: (
        "Steady write",
        "A long write that finds caches and throttles. It wears the drive: give it a budget.",
    ),
    Kind.MYSQL: (
        "MySQL",
        "Primary-key lookups through the server, and updates on request.",
    ),
}
"""What can be asked for, with what it measures."""


class Differences:
    """What tells a picture's curves from each other, in words."""

    def __init__(self, among: Sequence[Setting], *, sizes: bool, readers: bool) -> None:
        """``sizes`` names the block size, ``readers`` the threads where those differ."""
        several = len({one.block_size_bytes for one in among}) > 1
        self._sizes = sizes and (several or not readers)
        self._readers = readers and len({one.threads for one in among}) > 1
        self._files = len({one.files for one in among}) > 1
        self._directories = len({one.directory for one in among}) > 1
        # Most settings differ in their threads alone.
        kinds = {tuple(one.options.items()): one for one in among}
        told = [set(options(one)) for one in kinds.values()]
        self._shared = set.intersection(*told) if told else set()

    def of(self, setting: Setting) -> str:
        """What is special about one of them; "" where nothing is."""
        parts = []
        if self._sizes and setting.block_size_bytes:
            parts.append(size(setting.block_size_bytes))
        if self._readers:
            parts.append(threads_said(setting))
        if self._files:
            parts.append(tr_n("1 file", "{n} files", setting.files))
        if self._directories:
            parts.append(setting.directory)
        told = options(setting)
        said = [text for text in told if text not in self._shared]
        # What is special comes first: a narrow column cuts the rest.
        return ", ".join([*said, *parts] or told)
