"""A plan in plain lines: what it will do, before it does it."""

from __future__ import annotations

from collections.abc import Iterable

from probes.plans.plan import FileSet, Plan
from probes.points import Probe

TITLES = {
    Probe.RANDOM_READ: "random reads",
    Probe.RANDOM_WRITE: "random writes",
    Probe.REDO_SYNC: "redo appends, each synced",
    Probe.POINT_SELECT: "primary-key lookups",
}


def describe(plan: Plan, *, inventory_s: float = 0.0) -> tuple[str, ...]:
    """Lines for people: files, bytes, seconds, commands, then warnings.

    ``inventory_s`` is added to the plan's length when status counters are watched first.
    """
    lines = [
        f"Plan {plan.name.value}: {len(plan.steps)} points in about "
        f"{plan.seconds + inventory_s:.0f} s."
    ]
    lines += [_files(files) for files in plan.file_sets]
    lines += _probes(plan)
    if plan.sandbox:
        lines.append(
            "Throwaway server: private mariadbd or mysqld with its own data directory beside the "
            f"probe files, a table of {_size(plan.table_bytes)}, no network; removed at the end."
        )
    lines.append(f"Commands: {', '.join(_commands(plan))}.")
    lines += plan.warnings
    return tuple(lines)


def _files(files: FileSet) -> str:
    count = "1 file" if files.files == 1 else f"{files.files} files"
    return (
        f"Writes {count} of {_size(files.bytes_per_file)} in {files.directory}, unlinked as soon "
        "as open; reads them once in full."
    )


def _probes(plan: Plan) -> list[str]:
    lines = []
    for probe in Probe:
        steps = [step for step in plan.steps if step.setting.probe is probe]
        if not steps:
            continue
        seconds = sum(step.seconds + step.warmup_s for step in steps)
        sizes = sorted({step.setting.block_size_bytes for step in steps} - {0})
        threads = sorted({step.setting.threads for step in steps})
        unit = "connections" if probe is Probe.POINT_SELECT else "threads"
        parts = [
            " of " + "/".join(_size(size) for size in sizes) if sizes else "",
            f" at {_range(threads)} {unit if threads[-1] > 1 else unit[:-1]}",
            f": {len(steps)} points, {seconds:.0f} s",
        ]
        lines.append(f"Measures {TITLES[probe]}{''.join(parts)}.")
    return lines


def _commands(plan: Plan) -> list[str]:
    commands = ["leadline-agent inventory"]
    if plan.steps:
        commands.append("leadline-agent probe")
    if plan.sandbox:
        commands += ["leadline-agent guard", "mariadbd or mysqld"]
    return commands


def _range(values: Iterable[int]) -> str:
    numbers = list(values)
    return str(numbers[0]) if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"


def _size(size_bytes: int) -> str:
    for unit, scale in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size_bytes >= scale:
            return f"{size_bytes / scale:.3g} {unit}"
    return f"{size_bytes} B"
