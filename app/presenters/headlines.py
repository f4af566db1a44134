"""The one sentence on top of each page, made from figures."""

from __future__ import annotations

from advisor.case import Case
from advisor.outcomes import Judgement, Verdict
from advisor.report.agenda import agenda
from advisor.report.decisions import left_open, nothing_to_change
from advisor.report.evidence_card import of_verdict
from advisor.report.variable_text import said as value_said
from advisor.run import RunState
from advisor.runs.shortfall import usable
from app.controllers.run import Run
from probes.figures import counted, duration_us, percent, rate, size
from probes.inventory.facts import Inventory, Role, Storage
from probes.points import Curve, Point, Probe, Trust
from probes.repeats import curves
from probes.words import BESIDE_SERVER, PROBES, capital, setting_line, unit, workers

PLENTY = 0.9
"""A curve has risen far enough where it gives this share of its peak."""


def of_inventory(inventory: Inventory) -> str:
    """What the machine is and where its data lies."""
    parts = []
    if inventory.mysql is not None:
        kind = "A throwaway " if inventory.mysql.sandbox else ""
        parts.append(f"{kind}{inventory.mysql.version}")
    host = inventory.host
    if host is not None:
        machine = []
        if host.cpu.threads:
            machine.append(counted(host.cpu.threads, "processor"))
        if host.memory_bytes:
            machine.append(f"{size(host.memory_bytes)} of memory")
        if machine:
            parts.append(("on " if parts else "") + " and ".join(machine))
    sentence = " ".join(parts)
    storage = inventory.role(Role.DATA) or inventory.role(Role.PROBE)
    if storage is not None:
        lies = f"{_subject(storage, sentence)} on {storage.filesystem or 'an unknown filesystem'}"
        if storage.disks:
            names = [disk.name for disk in storage.disks]
            lies += f" over {counted(len(names), 'disk')} ({', '.join(names)})"
        if storage.free_bytes is not None:
            lies += f", {size(storage.free_bytes)} free"
        sentence += lies
    return f"{sentence or 'Nothing could be read from this target'}."


def _subject(storage: Storage, before: str) -> str:
    what = "its data lies" if storage.role is Role.DATA else f"{storage.path} lies"
    return f"; {what}" if before else what[0].upper() + what[1:]


def of_run(run: Run) -> str:
    """What was measured, or what is being measured now."""
    if run.running:
        return _running(run)
    points = usable(run.points)
    best = _best_curve(points)
    measured = _peak(best) if best is not None else _first_point(points)
    match run.state:
        case RunState.DONE:
            return measured or "The run ended without a trustworthy point."
        case RunState.CANCELLED | RunState.INTERRUPTED:
            word = "Cancelled" if run.state is RunState.CANCELLED else "Interrupted"
            if not run.points:
                return f"{word} before the first point."
            are = "is" if len(run.points) == 1 else "are"
            kept = f"{word} after {counted(len(run.points), 'point')}, which {are} kept."
            return f"{kept} {measured}".strip()
        case _:
            if not measured:
                return "The run failed: nothing was measured that can be used."
            return f"The run failed after {counted(len(run.points), 'point')}. {measured}"


def _running(run: Run) -> str:
    if run.stopping:
        return f"Stopping; {counted(len(run.points), 'point')} kept."
    if run.queued:
        return "Waiting for another run on this drive to end."
    growing = run.growing
    if growing is None:
        return run.doing or run.stage or "Starting."
    text = capital(setting_line(growing.setting))
    now = growing.rate_per_s
    if now is None:
        return f"{text}: warming up."
    return f"{text}: {rate(now, unit(growing.setting))} so far."


def _best_curve(points: list[Point]) -> Curve | None:
    """Random reads of the page size that most servers use, else the first curve with a shape."""
    found = [curve for curve in curves(points) if len(curve.points) > 1]
    reads = [curve for curve in found if curve.setting.probe is Probe.RANDOM_READ]
    pages = [curve for curve in reads if curve.setting.block_size_bytes == 16384]
    return next(iter(pages or reads or found), None)


def _peak(curve: Curve) -> str:
    """The peak, and the fewest threads that give nearly as much, with their p95."""
    peak, setting = curve.peak, curve.setting
    what = f"{size(setting.block_size_bytes)} " if setting.block_size_bytes else ""
    what += PROBES[setting.probe].operations
    said = f"{what} reach {rate(peak.rate_per_s)} at {_threads(peak)}"
    enough = next(point for point in curve.points if point.rate_per_s >= PLENTY * peak.rate_per_s)
    doubt = f" {BESIDE_SERVER}" if peak.beside_server else ""
    doubt += " (doubtful)" if peak.trust is Trust.DOUBTFUL else ""
    if enough is peak:
        return f"{said}{doubt}, p95 {duration_us(peak.latency.p95_us)} there."
    share = percent(enough.rate_per_s / peak.rate_per_s)
    return (
        f"{said}{doubt}; {_threads(enough)} already give {share} of it, "
        f"at a p95 of {duration_us(enough.latency.p95_us)}."
    )


def _first_point(points: list[Point]) -> str:
    if not points:
        return ""
    point = points[0]
    said = rate(point.rate_per_s, unit(point.setting))
    beside = f" {BESIDE_SERVER}" if point.beside_server else ""
    return f"{capital(setting_line(point.setting))}: {said}{beside}."


def _threads(point: Point) -> str:
    return workers(point.setting)


def of_judgement(judgement: Judgement, case: Case, state: RunState) -> str:
    """How much is worth a change, what brings most, and what is open."""
    lists = agenda(judgement)
    changes = of_verdict(judgement, Verdict.RECOMMEND)
    judged = len(judgement.recommendations)
    left = f"{left_open(judgement)}." if judgement.open else ""
    if not changes:
        return f"{nothing_to_change(judgement, case, state)} {left}".strip()
    first = (*lists.changes, *changes)[0]
    move = first.title
    if first.proposed:
        since = f" from {value_said(first.setting, first.now)}" if first.now else ""
        move = f"{first.setting}{since} to {value_said(first.setting, first.proposed)}"
    if len(changes) == 1:
        said = f"1 of {judged} judged rules asks for a change: {move}."
    else:
        said = f"{len(changes)} of {judged} judged rules ask for a change; first: {move}."
    return f"{said} {left}".strip()
