"""sysbench as an engine: fileio on files of its own, and lookups by a script of ours."""

from __future__ import annotations

import math
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from probes.engines import sysbench_lookup
from probes.engines.private import Ended, run_in, run_to_end
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
from probes.events import EngineEvent, SampleTaken, Warned
from probes.imports.imported import ImportNotes
from probes.imports.sysbench import fileio as sysbench_fileio
from probes.imports.sysbench import oltp as sysbench_oltp
from probes.imports.sysbench.run import runs
from probes.kinds.table import PROBES
from probes.plans.plan import FileSet, Step
from probes.points import EndedBy, Point, Probe, Sample, Setting, Trust
from probes.statistics.intervals import rate_interval

LEAST_SECONDS = 4
"""sysbench reports by whole seconds: fewer would give no interval."""

ZEROS = (
    "sysbench writes the same bytes again and again: on a drive that compresses, its writes show "
    "little."
)

_DIRECT = "--file-extra-flags=direct"
_MODES = {Probe.RANDOM_READ: "rndrd", Probe.RANDOM_WRITE: "rndwr"}
_PRIORITIES = {"idle": ["ionice", "-c", "3"], "low": ["ionice", "-c", "2", "-n", "7"], "": []}
_FILES_REPORT = re.compile(
    r"\[\s*(\d{1,9})s\s*\] reads: ([\d.]{1,20}) MiB/s writes: ([\d.]{1,20}) MiB/s .*"
    r"latency \(ms,95%\): ([\d.]{1,20})"
)
_LOOKUP_REPORT = re.compile(
    r"\[\s*(\d{1,9})s\s*\] thds: \d+ tps: ([\d.]{1,20}) .*lat \(ms,95%\): ([\d.]{1,20})"
)
_LOGIN_PLACE = "/tmp"  # noqa: S108 - a fresh directory of mode 0700 is made in it


class SysbenchEngine(ToolEngine):
    """Measures random reads and writes, and lookups by primary key."""

    def refuses(self, setting: Setting) -> str:
        """Why ``setting`` can't be measured with sysbench, as a sentence; "" when it can."""
        match setting.probe:
            case Probe.RANDOM_READ | Probe.RANDOM_WRITE:
                if "touch" in setting.options:
                    return "sysbench does not visit each block once in the agent's order."
                if setting.options.get("set") == "sparse":
                    return "sysbench makes no sparse files."
            case Probe.POINT_SELECT:
                if setting.options["protocol"] == "handler":
                    return "sysbench does no lookups by HANDLER."
            case _:
                return f"sysbench can't measure {PROBES[setting.probe].operations}."
        return ""

    def _fill(self, bench: Bench, files: FileSet, index: int) -> Iterator[EngineEvent]:
        room = bench.room(files.directory)
        self._to_end(bench, room, ["mkdir", _folder(index)], SILENCE_S)
        argv = [self._found.path, *_files(files), "--file-block-size=1M", "prepare"]
        if files.content == "random":
            # Only the blocks that it would check later are filled with random bytes.
            argv.insert(-1, "--validate=on")
        folder, patience_s = f"{room}/{_folder(index)}", fill_patience_s(files)
        bench.direct[index] = True
        try:
            self._to_end(bench, folder, [*argv[:-1], _DIRECT, argv[-1]], patience_s)
        except StepFailed as error:
            if "Invalid argument" not in error.details:
                raise
            bench.direct[index] = False
            self._to_end(bench, folder, argv, patience_s)
            yield Warned("buffered", "The filesystem refused O_DIRECT to sysbench.")

    def _run(
        self, bench: Bench, step: Step, files: int | None
    ) -> Generator[EngineEvent, None, Measured]:
        setting = step.setting
        if setting.probe is Probe.RANDOM_WRITE and ZEROS not in bench.warned:
            bench.warned.add(ZEROS)
            yield Warned("engine", ZEROS)
        if files is None:
            folder, argv = self._lookup(bench, setting)
        else:
            folder, argv = _on_files(self._found.path, bench, setting, files)
        seconds = max(LEAST_SECONDS, math.ceil(seconds_of(step)))
        common = [
            f"--threads={setting.threads}",
            f"--time={seconds}",
            "--events=0",
            "--report-interval=1",
            "--percentile=95",
            "--histogram=on",
            "run",
        ]
        argv = [*_PRIORITIES[bench.plan.io_priority], *argv, *common]
        output, samples, ended = yield from _reported(bench, folder, argv, setting)
        if ended.status != 0:
            raise failed(self.name, bench.target.name, ended, output)
        direct = None if files is None else bench.direct[files]
        return _point(output, setting, samples, direct), samples

    def _lookup(self, bench: Bench, setting: Setting) -> tuple[str, list[str]]:
        """The place of the script and the login, and the command."""
        work, working_set = bench.mysql, setting.options["working_set"]
        because = sysbench_lookup.refuses(work, working_set)
        if because or work is None:
            raise StepFailed(because)
        folder = bench.room(setting.directory or _LOGIN_PLACE)
        table = work.tables[working_set]
        script = sysbench_lookup.script(work, table, setting.options["protocol"])
        _write(bench, f"{folder}/{sysbench_lookup.SCRIPT_FILE}", script)
        login = sysbench_lookup.login_file(work.login, work.database)
        _write(bench, f"{folder}/{sysbench_lookup.LOGIN_FILE}", login)
        return folder, [
            self._found.path,
            f"./{sysbench_lookup.SCRIPT_FILE}",
            f"--config-file={sysbench_lookup.LOGIN_FILE}",
            "--db-driver=mysql",
            *sysbench_lookup.address(work.login),
        ]

    def _to_end(self, bench: Bench, folder: str, argv: Sequence[str], silence_s: float) -> None:
        output, ended = run_to_end(
            bench.target, folder, argv, silence_s=silence_s, token=bench.token
        )
        if ended.status != 0:
            raise failed(self.name, bench.target.name, ended, output)


def _folder(index: int) -> str:
    return f"set{index}"


def _files(files: FileSet) -> list[str]:
    return ["fileio", f"--file-num={files.files}", f"--file-total-size={files.total_bytes}"]


def _on_files(program: str, bench: Bench, setting: Setting, files: int) -> tuple[str, list[str]]:
    """The place of a file set, and the command of a test on it."""
    return f"{bench.room(setting.directory)}/{_folder(files)}", [
        program,
        *_files(bench.plan.file_sets[files]),
        *([_DIRECT] if bench.direct[files] else []),
        f"--file-block-size={setting.block_size_bytes}",
        f"--file-test-mode={_MODES[setting.probe]}",
        "--file-fsync-freq=0",
        "--file-fsync-end=off",
    ]


def _write(bench: Bench, path: str, text: str) -> None:
    """A file that only this account can read."""
    script = 'umask 077; cat > "$1"'
    bench.target.run(["sh", "-c", script, "sh", path], stdin=text.encode())


def _reported(
    bench: Bench, folder: str, argv: Sequence[str], setting: Setting
) -> Generator[EngineEvent, None, tuple[str, tuple[Sample, ...], Ended]]:
    """Run a test; each of its reports is a sample at once."""
    running = run_in(
        bench.target, folder, argv, silence_s=SILENCE_S, token=bench.token, beat=bench.beat
    )
    lines: list[str] = []
    samples: list[Sample] = []
    while True:
        try:
            line = next(running)
        except StopIteration as end:
            ended: Ended = end.value
            return "\n".join(lines), tuple(samples), ended
        lines.append(line)
        sample = read_report(line, setting.block_size_bytes)
        if sample is not None:
            samples.append(sample)
            yield SampleTaken(setting, sample)
            yield from bench.beats()


def read_report(line: str, block_size_bytes: int) -> Sample | None:
    """An intermediate report; None for any other line."""
    found = _FILES_REPORT.match(line)
    if found is not None:
        moved_mib = float(found[2]) + float(found[3])
        rate_per_s = moved_mib * (1 << 20) / block_size_bytes
        return Sample(float(found[1]), rate_per_s, float(found[4]) * 1000, math.nan)
    found = _LOOKUP_REPORT.match(line)
    if found is not None:
        return Sample(float(found[1]), float(found[2]), float(found[3]) * 1000, math.nan)
    return None


def _point(output: str, setting: Setting, samples: Sequence[Sample], direct: bool | None) -> Point:
    """The point that sysbench's text reports; its trust is judged elsewhere."""
    lookups = setting.probe is Probe.POINT_SELECT
    read_run = sysbench_oltp.read_run if lookups else sysbench_fileio.read_run
    try:
        points = [point for run in runs(output) for point in read_run(run, ImportNotes())]
    except ImportRefused as error:
        raise StepFailed(error.sentence, error.advice, output[-2000:]) from error
    if len(points) != 1:
        raise StepFailed("sysbench gave no result.", "", output[-2000:])
    (point,) = points
    rates = [sample.rate_per_s for sample in samples]
    return replace(
        point,
        setting=setting,
        ci95_per_s=rate_interval(point.rate_per_s, rates),
        direct=direct,
        ended_by=EndedBy.TIME,
        trust=Trust.REJECTED if point.rate_per_s <= 0 else Trust.OK,
    )
