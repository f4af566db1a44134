"""The horizontal axis: what it counts, and where a setting lies on it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from app.presenters.texts.phrases import WORKERS, workers_text
from app.runtime.translation import tr
from probes.figures import size
from probes.kinds.flush import MixedOptions
from probes.kinds.words import worker
from probes.points import Probe, Setting

THIN = "\u202f"

LADDER = (250.0, 16_000.0)
"""The ends of the flush rates that a plan asks for, pages/s."""


class Along(StrEnum):
    """What the horizontal axis counts."""

    THREADS = "threads"
    BLOCK_SIZE = "block size"
    FLUSH_RATE = "flush rate"


@dataclass(frozen=True, slots=True)
class Axis:
    """A log2 axis. ``noun`` is one of what THREADS counts.

    ``low`` and ``high`` are the smallest and the largest figure of FLUSH_RATE: a step below stands
    what is not flushed at all, a step above what is flushed without a limit.
    """

    along: Along
    noun: str = "thread"
    low: float = LADDER[0]
    high: float = LADDER[1]

    @property
    def title(self) -> str:
        """The axis' title, with its unit."""
        if self.along is Along.BLOCK_SIZE:
            return tr("Block size")
        if self.along is Along.FLUSH_RATE:
            return tr("Flushing asked for, pages/s")
        return WORKERS[self.noun]

    def place(self, setting: Setting) -> float:
        """Where a setting lies."""
        if self.along is Along.FLUSH_RATE:
            return self._flush_place(MixedOptions.of(setting).target_per_s)
        counted = setting.threads if self.along is Along.THREADS else setting.block_size_bytes
        return math.log2(max(counted, 1))

    def _flush_place(self, per_s: float) -> float:
        if per_s == math.inf:
            return math.log2(self.high) + 1
        return math.log2(per_s) if per_s > 0 else math.log2(self.low) - 1

    def tick(self, position: float) -> str:
        """A tick's text: ``64``, ``16 KiB``, ``2 k``, ``none``, ``max``."""
        value = 2.0**position
        if self.along is Along.BLOCK_SIZE:
            return size(value)
        if self.along is Along.THREADS:
            return f"{value:.0f}"
        if value < self.low * 0.75:
            return "none"
        if value > self.high * 1.5:
            return "max"
        return f"{value / 1000:.3g}{THIN}k" if value >= 999.5 else f"{value:.3g}"

    def where(self, position: float) -> str:
        """A position as a title says it: ``At 16 threads``, ``At 4 KiB``, ``Without flushing``."""
        text = self.tick(position)
        if self.along is Along.BLOCK_SIZE:
            return tr("At {place}", place=text)
        if self.along is Along.FLUSH_RATE:
            fixed = {"none": tr("Without flushing"), "max": tr("Flushing at full speed")}
            return fixed.get(text) or tr("Flushing {rate} pages/s", rate=text)
        return tr("At {place}", place=workers_text(self.noun, int(text)))


def thread_axis(probe: Probe) -> Axis:
    """The axis that counts a probe's threads."""
    return Axis(Along.THREADS, worker(probe))


def flush_axis(settings: Iterable[Setting]) -> Axis:
    """The axis of flush rates that holds all of ``settings``."""
    asked = (MixedOptions.of(setting).target_per_s for setting in settings)
    known = [per_s for per_s in asked if 0 < per_s < math.inf] or list(LADDER)
    return Axis(Along.FLUSH_RATE, "reader", min(known), max(known))
