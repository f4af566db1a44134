"""fio as an engine: a process for each step, its JSON and its log of rates."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from probes.engines import fio_command
from probes.engines.fio_result import read_point
from probes.engines.private import run_to_end
from probes.engines.tool import (
    SILENCE_S,
    Bench,
    Measured,
    StepFailed,
    ToolEngine,
    failed,
    fill_patience_s,
    seconds_of,
)
from probes.errors import ImportRefused
from probes.events import EngineEvent, Warned
from probes.kinds.table import PROBES
from probes.plans.plan import FileSet, Step
from probes.points import BUFFERS, Buffers, EndedBy, Probe, Setting

LEAST_DSYNC = (3, 27)
"""The version whose option ``sync`` knows O_DSYNC."""

_MEMINFO_BYTES = 64 << 10
_LOG_LIMIT_BYTES = 64 << 20
_REDO = -1
"""Stands for the redo log's file among the file sets that were filled."""

_NO_DIRECT = ("does not support direct", "O_DIRECT", "Invalid argument")


class FioEngine(ToolEngine):
    """Measures random reads and writes, single-writer redo appends and steady writes."""

    def refuses(self, setting: Setting) -> str:
        """Why ``setting`` can't be measured with fio, as a sentence; "" when it can."""
        match setting.probe:
            case Probe.RANDOM_READ | Probe.RANDOM_WRITE:
                if "touch" in setting.options:
                    return "fio does not visit each block once in the agent's order."
            case Probe.REDO_SYNC:
                return self._refuses_redo(setting)
            case Probe.STEADY_WRITE:
                if setting.files != 1:
                    return "fio's steady writes are to one file."
            case _:
                return f"fio can't measure {PROBES[setting.probe].operations}."
        return ""

    def _refuses_redo(self, setting: Setting) -> str:
        if setting.threads != 1:
            return "fio's writers sync each for itself, so that only one committer can be measured."
        for option in ("log", "binlog"):
            if option in setting.options:
                return f"fio does not do redo appends with {option} {setting.options[option]}."
        if setting.options["sync"] == "o_dsync" and self._found.numbers < LEAST_DSYNC:
            return f"fio {self._found.version} does not know O_DSYNC."
        return ""

    def _fill(self, bench: Bench, files: FileSet, index: int) -> Iterator[EngineEvent]:
        room = bench.room(files.directory)
        path = self._found.path
        bench.direct[index] = True
        if files.content == "sparse":
            size = [f"--size={files.bytes_per_file}"]
            argv = ["truncate", *size, *fio_command.names(index, files).split(":")]
            self._to_end(bench, room, argv, fill_patience_s(files))
            return
        try:
            argv = fio_command.fill(path, index, files, direct=True)
            self._to_end(bench, room, argv, fill_patience_s(files))
        except StepFailed as error:
            if not any(words in error.details for words in _NO_DIRECT):
                raise
            bench.direct[index] = False
            argv = fio_command.fill(path, index, files, direct=False)
            self._to_end(bench, room, argv, fill_patience_s(files))
            yield Warned("buffered", "The filesystem refused O_DIRECT to fio.")
        if files.settle:
            argv = fio_command.read_back(path, index, files, direct=bench.direct[index])
            self._to_end(bench, room, argv, fill_patience_s(files))

    def _run(
        self, bench: Bench, step: Step, files: int | None
    ) -> Generator[EngineEvent, None, Measured]:
        yield from ()
        setting = step.setting
        room = bench.room(setting.directory)
        if files is None and _REDO not in bench.direct:
            bench.require(setting.directory, fio_command.REDO_BYTES)
            self._to_end(bench, room, fio_command.fill_redo(self._found.path), SILENCE_S)
            bench.direct[_REDO] = False
        direct = bench.direct[_REDO if files is None else files]
        buffers = self._buffers(bench, step)
        argv = fio_command.measure(
            self._found.path,
            step,
            files,
            None if files is None else bench.plan.file_sets[files],
            direct=direct,
            low=bench.plan.io_priority,
            buffers=buffers,
        )
        bench.target.run(["rm", "-f", "--", f"{room}/{fio_command.LOG_FILE}"])
        patience_s = seconds_of(step) + step.warmup_s + SILENCE_S
        output = self._to_end(bench, room, argv, patience_s)
        log = bench.target.read_file(f"{room}/{fio_command.LOG_FILE}", _LOG_LIMIT_BYTES)
        try:
            point, samples = read_point(
                output,
                log.decode("ascii", "replace"),
                step,
                log_ms=fio_command.LOG_MS,
                direct=None if setting.probe is Probe.REDO_SYNC else direct,
            )
        except ImportRefused as error:
            raise StepFailed(error.sentence, error.advice, output[-2000:]) from error
        ended = EndedBy.TIME
        if step.byte_limit and point.seconds < 0.98 * seconds_of(step):
            ended = EndedBy.BYTES
        warmup_s = 0.0 if setting.probe is Probe.STEADY_WRITE else step.warmup_s
        details = dict(point.details)
        if setting.probe is not Probe.REDO_SYNC:
            details[BUFFERS] = buffers.value
        return replace(point, ended_by=ended, warmup_s=warmup_s, details=details), samples

    def _buffers(self, bench: Bench, step: Step) -> Buffers:
        """The plan's kind, as far as huge pages were set aside: fio asks for no others."""
        setting = step.setting
        wanted = setting.options.get(BUFFERS, bench.plan.buffers)
        if wanted != Buffers.HUGE or setting.probe is Probe.REDO_SYNC:
            return Buffers.ORDINARY
        meminfo = bench.target.read_file("/proc/meminfo", _MEMINFO_BYTES).decode("ascii", "replace")
        free = re.search(r"^HugePages_Free:\s+(\d+)$", meminfo, re.MULTILINE)
        enough = free is not None and int(free[1]) >= fio_command.huge_pages(setting.threads)
        return Buffers.HUGE if enough else Buffers.ORDINARY

    def _to_end(self, bench: Bench, room: str, argv: Sequence[str], silence_s: float) -> str:
        """What a command wrote; raises StepFailed or NotEnoughSpace when it ended badly."""
        output, ended = run_to_end(
            bench.target, room, argv, silence_s=silence_s, token=bench.token, beat=bench.beat
        )
        if ended.status != 0:
            raise failed(self.name, bench.target.name, ended, output)
        return output
