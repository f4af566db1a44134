"""What can be asked for, as it is offered, and what distinguishes the curves of a picture."""

from __future__ import annotations

from collections.abc import Sequence

from app.presenters.texts.phrases import threads_text
from app.runtime.translation import tr, tr_n
from probes.figures import size
from probes.kinds.kind import Kind
from probes.kinds.words import options
from probes.plans.plan import Plan
from probes.points import Probe, Setting

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


ANSWERS: tuple[tuple[frozenset[Probe], str], ...] = (
    (
        frozenset({Probe.RANDOM_READ, Probe.RANDOM_WRITE}),
        (
            "How many page reads and writes the drive takes, how long each takes, and from how "
            "many threads on more add latency alone."
        ),
    ),
    (
        frozenset({Probe.REDO_SYNC}),
        "What one commit waits for, and what relaxed commits would gain.",
    ),
    (
        frozenset({Probe.PAGE_FLUSH}),
        "How fast dirty pages can be flushed, and what doublewrite costs.",
    ),
    (frozenset({Probe.MIXED}), "What flushing does to reads."),
    (
        frozenset({Probe.STEADY_WRITE}),
        "What the drive sustains once its caches are full.",
    ),
    (
        frozenset({Probe.POINT_SELECT, Probe.PK_UPDATE}),
        "How much of the drive the server itself can use.",
    ),
)


def answers(plan: Plan, *, advised: bool) -> list[str]:
    """What a run of this plan answers, line by line; ``advised`` says that advice follows it."""
    probes = {step.setting.probe for step in plan.steps}
    lines = [line for asked, line in ANSWERS if asked & probes]
    if advised:
        lines.append(
            tr(
                "Advice on InnoDB's settings and the kernel's, what brings most first, each with "
                "its evidence and the way back."
            )
        )
    return lines


class Differences:
    """What distinguishes a picture's curves from each other, in words."""

    def __init__(self, among: Sequence[Setting], *, sizes: bool, readers: bool) -> None:
        """``sizes`` names the block size, ``readers`` the threads where those differ."""
        several = len({one.block_size_bytes for one in among}) > 1
        self._sizes = sizes and (several or not readers)
        self._readers = readers and len({one.threads for one in among}) > 1
        self._files = len({one.files for one in among}) > 1
        self._directories = len({one.directory for one in among}) > 1
        # Most settings differ in their threads alone.
        kinds = {tuple(one.options.items()): one for one in among}
        texts = [set(options(one)) for one in kinds.values()]
        self._shared = set.intersection(*texts) if texts else set()

    def of(self, setting: Setting) -> str:
        """What is special about one of them; "" where nothing is."""
        parts = []
        if self._sizes and setting.block_size_bytes:
            parts.append(size(setting.block_size_bytes))
        if self._readers:
            parts.append(threads_text(setting))
        if self._files:
            parts.append(tr_n("1 file", "{n} files", setting.files))
        if self._directories:
            parts.append(setting.directory)
        texts = options(setting)
        special = [text for text in texts if text not in self._shared]
        # What is special comes first: a narrow column cuts the rest.
        return ", ".join([*special, *parts] or texts)
