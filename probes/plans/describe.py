"""A plan in plain lines: what it will do, before it does it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from probes.figures import counted, duration_us, percent, seconds, size, span
from probes.kinds.flush import MIXED_CLEANERS, MIXED_REDO_BYTES
from probes.kinds.table import PROBES
from probes.kinds.words import flushing, options, worker
from probes.plans.extra import LOG_BYTES, extra_files
from probes.plans.patterns import FLUSH_LADDER_PER_S
from probes.plans.plan import FileSet, Guard, Plan, Step
from probes.plans.spend.expected import expected_steps, longest_s
from probes.plans.spend.mixture import most_mixed
from probes.plans.spend.spent import prepared_bytes
from probes.points import SERVER_PROBES, Probe, Setting

_CONTENTS = {"random": "", "zeros": " of zeros"}

_READING = {Probe.RANDOM_READ, Probe.MIXED}
_WRITING = {
    Probe.RANDOM_WRITE,
    Probe.REDO_SYNC,
    Probe.PAGE_FLUSH,
    Probe.MIXED,
    Probe.STEADY_WRITE,
}


def describe(
    plan: Plan, *, inventory_s: float = 0.0, endurance_bytes: float | None = None
) -> tuple[str, ...]:
    """Lines for people: bytes in all, files, seconds, limits, commands, then warnings.

    ``inventory_s`` is added to the plan's length when status counters are watched first;
    ``endurance_bytes`` is what the drive is rated to take in its life, where that is known.
    """
    lines = [_head(plan, inventory_s), *_amounts(plan, endurance_bytes)]
    lines += step_lines(plan, inventory_s)
    return (*lines, *_care(plan), *plan.warnings)


def step_lines(plan: Plan, inventory_s: float = 0.0) -> list[str]:
    """Of these lines those that name each file, each step and each command."""
    lines = [_files(files) for files in plan.file_sets]
    lines += _extra_files(plan)
    lines += measured_lines(plan)
    if plan.buffers:
        because = f": {plan.buffers_because}" if plan.buffers_because else ""
        lines.append(f"Blocks lie in {plan.buffers} pages of memory{because}.")
    if plan.sandbox:
        lines.append(
            "Throwaway server: private mariadbd or mysqld with its own data directory beside the "
            f"probe files, a table of {size(plan.table_bytes)}, no network; removed at the end."
        )
    lines.append(f"Commands: {', '.join(_commands(plan, inventory_s))}.")
    return lines


def _head(plan: Plan, inventory_s: float) -> str:
    steps = len(plan.steps)
    if plan.deciding:
        return (
            f"{plan.title.capitalize()}: {counted(steps, 'point')} to choose from, those first "
            "that settle most of the open questions; some again where that narrows an answer. "
            f"About {_whole(plan.seconds + inventory_s)}, less where all that matters is decided "
            "before."
        )
    head = f"Plan {plan.name.value}: {counted(steps, 'point')} in about"
    head += f" {_whole(plan.seconds + inventory_s)}."
    if plan.adaptive and steps:
        likely = len(expected_steps(plan))
        head += (
            f" Points that add no information are skipped, so that about {likely} remain; each "
            "ends once it is precise enough."
        )
    return head


def _files(files: FileSet) -> str:
    what = f"{counted(files.files, 'file')} of {size(files.bytes_per_file)}"
    if files.content == "sparse":
        return f"Makes {what} in {files.directory}, never written; unlinked as soon as open."
    line = f"Writes {what}{_CONTENTS[files.content]} in {files.directory}"
    if files.settle:
        line += f" and reads {'it' if files.files == 1 else 'them'} back in full"
    return f"{line}; unlinked as soon as open."


def _extra_files(plan: Plan) -> list[str]:
    extra = extra_files(plan)
    lines = []
    if extra.logs:
        lines.append(
            f"Writes {counted(extra.logs, 'log')} of {size(LOG_BYTES)} for redo and binlog in "
            f"{' and '.join(extra.log_directories)}, unlinked as soon as open."
        )
    if extra.doublewrite_bytes:
        lines.append(
            f"Writes doublewrite files of at most {size(extra.doublewrite_bytes)} in all beside "
            "the pages, unlinked as soon as open."
        )
    return lines


def measured_lines(plan: Plan) -> Iterator[str]:
    """One line for the steps of one probe that differ in nothing but sizes, levels and rates."""
    groups: dict[tuple[Probe, str], list[Step]] = {}
    for step in plan.steps:
        groups.setdefault((step.setting.probe, _shape(step.setting)), []).append(step)
    for (probe, shape), steps in groups.items():
        count = most_mixed(plan) if probe is Probe.MIXED else len(steps)
        yield _group(probe, shape, steps, count)


def _shape(setting: Setting) -> str:
    """What steps of one line have in common besides their probe."""
    parts = [counted(setting.files, "file")] if setting.files > 1 else []
    if setting.probe is Probe.MIXED:
        # Its options are those of the redo and flush parts, and the same in every step.
        parts.append(
            f"random reads beside 1 committer of {size(MIXED_REDO_BYTES)} and {MIXED_CLEANERS} "
            f"page cleaners, from {flushing('0')} to {flushing(str(FLUSH_LADDER_PER_S[-1]))} and "
            "at full speed"
        )
    else:
        parts += options(setting)
    return ", ".join(parts)


def _group(probe: Probe, shape: str, steps: Sequence[Step], most: int) -> str:
    sizes = sorted({step.setting.block_size_bytes for step in steps} - {0})
    threads = sorted({step.setting.threads for step in steps})
    takes_s = sum(step.seconds + step.warmup_s for step in steps) * most / len(steps)
    what = PROBES[probe].operations
    if sizes:
        what += f" of {'/'.join(size(each) for each in sizes)}"
    workers = f"{span(threads[0], threads[-1])} {worker(probe)}{'s' if threads[-1] > 1 else ''}"
    number = (
        counted(len(steps), "point") if most == len(steps) else f"{most} of {len(steps)} points"
    )
    line = ", ".join(part for part in (f"Measures {what}", shape, f"at {workers}") if part)
    return f"{line}: {number}, {_whole(takes_s)} at most."


def _amounts(plan: Plan, endurance_bytes: float | None) -> Iterator[str]:
    """How much is read and written: exact for files, else for how long at most."""
    drive = [step for step in plan.steps if step.setting.probe not in SERVER_PROBES]
    if drive:
        read, written = prepared_bytes(plan)
        what = "files and the table" if plan.table_bytes else "files"
        yield (
            f"Reads {size(read)} and writes {size(written)} to prepare {what}, then "
            f"reads for at most {_whole(longest_s(plan, _READING))} and writes for at most "
            f"{_whole(longest_s(plan, _WRITING))}, as fast as the drive can."
        )
    budget = plan.budget
    if budget.read_bytes:
        yield f"Never reads more than {size(budget.read_bytes)}: the budget."
    limits = [step.byte_limit for step in drive if step.setting.probe is Probe.STEADY_WRITE]
    if any(limits):
        yield f"The steady write ends after {size(max(limits))}."
    if not budget.written_bytes:
        return
    share = ""
    if endurance_bytes:
        share = (
            f", {percent(budget.written_bytes / endurance_bytes)} of the drive's rated endurance"
        )
    yield f"Never writes more than {size(budget.written_bytes)}: the budget{share}."


def _care(plan: Plan) -> Iterator[str]:
    """What limits the run and who is watched."""
    if plan.budget.seconds:
        yield f"Ends after {seconds(plan.budget.seconds)} at the latest: the budget."
    elif not plan.deciding:
        yield f"Measures for {_whole(longest_s(plan))} at most, files and tables not counted."
    if plan.guard is not None:
        yield _guard(plan.guard, steps_back=plan.engine == "agent")
    if plan.io_priority:
        yield f"Its reads and writes have {plan.io_priority} priority."
    if plan.cross_engine:
        yield f"Measures {counted(len(plan.cross_steps), 'point')} again with {plan.cross_engine}."


def _guard(guard: Guard, *, steps_back: bool) -> str:
    watches = f"Watches the server: one read by primary key every {seconds(guard.every_s)}."
    limits = []
    if guard.added_us:
        limits.append(f"that takes {duration_us(guard.added_us)} longer than before")
    if guard.threads_running:
        limits.append(f"{guard.threads_running} more threads run")
    if guard.row_lock_waits:
        limits.append(f"{guard.row_lock_waits} more rows are waited for")
    if not limits:
        return watches
    line = f"{watches} Stops within a second once {' or '.join(limits)}"
    if not steps_back or not guard.step_backs:
        return f"{line}."
    return (
        f"{line}; goes on with gentler points when the server has recovered, at most "
        f"{counted(guard.step_backs, 'time')}."
    )


def _commands(plan: Plan, inventory_s: float) -> list[str]:
    commands = ["leadline-agent inventory"]
    if inventory_s:
        commands.append("leadline-agent watch")
    if plan.steps:
        engines = [plan.engine, plan.cross_engine]
        commands += [
            "leadline-agent probe" if engine == "agent" else f"{engine} (once for each point)"
            for engine in engines
            if engine
        ]
    if plan.sandbox:
        commands += ["leadline-agent guard", "mariadbd or mysqld"]
    return commands


def _whole(length_s: float) -> str:
    """An estimate of seconds, of which parts would say too much."""
    return seconds(round(length_s))
