"""Batches of dirty pages: its threads are page cleaners, its block is a page."""

from __future__ import annotations

from dataclasses import dataclass

from probes.kinds.kind import Kind, Options, ProbeKind, choice
from probes.points import Setting

BATCH_PAGES = 128
"""What a cleaner writes at once where a setting says nothing else."""


@dataclass(frozen=True, slots=True)
class FlushOptions(Options):
    """``doublewrite`` is how pages are kept from being torn; ``batch_pages`` is of one cleaner."""

    doublewrite: str = choice(
        off="doublewrite off", on="doublewrite on", legacy="pre-8.0.20 doublewrite"
    )
    batch_pages: str = choice("batches of {}")


def _work(setting: Setting, file_set: str) -> dict[str, object]:
    options = FlushOptions.of(setting)
    return {
        "threads": setting.threads,
        "block_size_bytes": setting.block_size_bytes,
        "file_set": file_set,
        "doublewrite": options.doublewrite,
        **({"batch_pages": int(options.batch_pages)} if options.batch_pages else {}),
    }


PAGE_FLUSH = ProbeKind(
    "page flush",
    "page flushes",
    "pages",
    "page cleaner",
    part=Kind.FLUSH,
    options=FlushOptions,
    needs=("doublewrite",),
    compared="doublewrite",
    work=_work,
)
