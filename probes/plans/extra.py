"""Files that the agent makes beside a plan's file sets: logs and doublewrite files."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from probes.kinds.flush import BATCH_PAGES, MIXED_CLEANERS
from probes.plans.plan import Plan
from probes.plans.shapes import MIB
from probes.points import Probe, Setting

LOG_BYTES = 64 * MIB
"""A redo log, pre-written or growing; the binlog beside it is as large."""

PREALLOCATED = "preallocated"


@dataclass(frozen=True, slots=True)
class ExtraFiles:
    """What the agent makes beside the plan's file sets: logs, and bytes of doublewrite files."""

    logs: int
    log_directories: tuple[str, ...]
    doublewrite_bytes: int
    prewritten_logs: int

    @property
    def prewritten_bytes(self) -> int:
        """What is written to make them, before any point."""
        return self.prewritten_logs * LOG_BYTES + self.doublewrite_bytes


def extra_files(plan: Plan) -> ExtraFiles:
    """The logs that a plan's redo probes write to, and doublewrite files: a batch a cleaner."""
    settings = [step.setting for step in plan.steps]
    logs = {
        (each.directory, log)
        for each in settings
        if each.probe in (Probe.REDO_SYNC, Probe.MIXED)
        for log in _logs(each)
    }
    batches = [
        _cleaners(each) * BATCH_PAGES * each.block_size_bytes
        for each in settings
        if each.options.get("doublewrite", "off") != "off"
    ]
    directories = tuple(sorted({directory for directory, _ in logs}))
    prewritten = sum(log == PREALLOCATED for _, log in logs)
    return ExtraFiles(len(logs), directories, max(batches, default=0), prewritten)


def _cleaners(setting: Setting) -> int:
    return MIXED_CLEANERS if setting.probe is Probe.MIXED else setting.threads


def _logs(setting: Setting) -> Iterator[str]:
    """Which of its directory's logs a setting writes to."""
    yield setting.options.get("log", PREALLOCATED)
    if "binlog" in setting.options:
        yield "binlog"
