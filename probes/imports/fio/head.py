"""What stands around fio's terse lines: normal output, or the command that was typed.

It says what the lines do not: the kind of access, the engine, how many jobs there were. It
distinguishes runs, too, for two of them may have jobs of one name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from probes.imports.fio.job import HELD_BACK, FioJob

LINE = re.compile(r"^[345];fio-[^;\n]{1,60};.*$", re.MULTILINE)

_JOB = re.compile(
    r"(?P<name>.{1,100}?): \(g=\d{1,9}\): rw=(?P<rw>\w{2,20}),.{0,300}?"
    r"ioengine=(?P<ioengine>[\w:./-]{1,60})(?:, iodepth=(?P<iodepth>\d{1,6}))?"
)
_REPORTED = re.compile(r"(.{1,100}?): \(groupid=\d{1,9}, jobs=(\d{1,6})\): err=")
_STARTING = re.compile(r"Starting (\d{1,5}) (?:process|thread)")
_BANNER = re.compile(r"fio-\d\S{0,40}")
_COMMAND = re.compile(r"(?:.{0,80}[#$>%] *)?(?:sudo +)?(?:\S{0,60}/)?fio +(.{0,200}?-.{0,2000})")
_OPTION = re.compile(r"--([a-z_]{2,40})(?:[= ]([^\s=-]\S{0,200}))?")
_FILLED_IN = frozenset("$`")
"""With these a shell puts in variables and what commands print."""

_SAYS = "fio: "
_LONGEST = 4096


@dataclass(slots=True)
class Run:
    """The terse lines of one run of fio, and the options of its jobs by name.

    ``typed`` are those of a command for one job, whatever its name; ``started`` is how many jobs
    began in all, 0 where nobody says. ``note`` is what fio said of signals and errors.
    """

    lines: list[str] = field(default_factory=list)
    options: dict[str, dict[str, str]] = field(default_factory=dict)
    typed: dict[str, str] = field(default_factory=dict)
    started: int = 0
    note: str = ""
    ended: bool = False

    def job(self, name: str) -> FioJob:
        """What is known of a job: it may be nothing."""
        known = {**self.typed, **self.options.get(name, {})}
        if self.started and len(self.options) <= 1:
            known["numjobs"] = str(self.started)
        return FioJob.of({}, known)


def runs(text: str) -> Iterator[Run]:
    """The runs of a file, in their order; what has no line is none."""
    run = Run()
    for match in re.finditer(r"[^\n]+", text):
        line = match[0].rstrip("\r")
        if LINE.match(line):
            if run.ended and run.lines:
                yield run
                run = Run()
            run.lines.append(line)
        elif len(line) <= _LONGEST and line.strip():
            if run.lines and _begins(line.strip()):
                yield run
                run = Run()
            _learn(run, line.strip())
    if run.lines:
        yield run


def _begins(line: str) -> bool:
    """Whether a run begins there."""
    forms = (_JOB, _STARTING, _COMMAND)
    return bool(_BANNER.fullmatch(line)) or any(form.match(line) for form in forms)


def _learn(run: Run, line: str) -> None:
    if found := _JOB.match(line):
        named = {name: value for name, value in found.groupdict().items() if value}
        run.options[named.pop("name")] = named
    elif found := _REPORTED.match(line):
        run.options.setdefault(found[1], {})
        if int(found[2]) > 1:
            run.options[found[1]]["numjobs"] = found[2]
        run.ended = bool(run.lines)
    elif found := _STARTING.match(line):
        run.started = int(found[1])
    elif line.startswith(_SAYS):
        run.note = f"{run.note}{line}\n"[-_LONGEST:]
    elif found := _COMMAND.match(line):
        typed = _OPTION.findall(found[1])
        if sum(name == "name" for name, _ in typed) <= 1:
            run.typed = _known(dict(typed))


def _known(typed: dict[str, str]) -> dict[str, str]:
    """Typed options without those for whose values a shell put in what is not known."""
    unknown = {name for name, value in typed.items() if _FILLED_IN & set(value)}
    if unknown & {"ioengine", "iodepth"}:
        # How many each job had in flight is not known, and so not how many all had.
        unknown.add("numjobs")
    # A job with one of these was held back, whatever the value.
    unknown -= set(HELD_BACK)
    return {name: value for name, value in typed.items() if name not in unknown}
