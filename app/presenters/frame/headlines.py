"""The one sentence on top of each page, made from figures."""

from __future__ import annotations

from advisor.case import Case
from advisor.judging.agenda import agenda, changes_asked
from advisor.outcomes import Judgement
from advisor.plan.change_plan import ChangePlan
from advisor.run import RunState
from advisor.runs.shortfall import usable
from advisor.wording.advice.evidence_card import deed
from advisor.wording.advice.gains import saves
from advisor.wording.advice.nothing_to_change import nothing_to_change
from advisor.wording.advice.plan import plan_gain
from advisor.wording.measured.cells import half_width
from app.controllers.run import LiveRun, Run
from app.presenters.charts.curves import Picture
from app.presenters.texts.phrases import beside_server, threads_text
from app.runtime.translation import tr, tr_n
from probes.figures import counted, duration_us, part_of, percent, rate, size
from probes.inventory.facts import Inventory, Role, Storage
from probes.kinds.table import PROBES
from probes.kinds.words import capital, inside, options, setting_line, unit
from probes.points import PAGE_BYTES, Curve, LimitedBy, Point, Probe, Trust
from probes.statistics.repeats import curves

PLENTY = 0.9
"""A curve has risen far enough where it gives this share of its peak."""

SURE = 0.2
"""A point that may truly be further off than this share proves no such thing (our choice)."""


def of_inventory(inventory: Inventory) -> str:
    """What the machine is and where its data lies."""
    storage = inventory.role(Role.DATA) or inventory.role(Role.PROBE)
    server = _server(inventory)
    lies = _lies(storage) if storage is not None else ""
    found = [server, lies if server else capital(lies)]
    text = "; ".join(filter(None, found)) or tr("Nothing could be read from this target")
    return f"{text}."


def _server(inventory: Inventory) -> str:
    server, host = "", inventory.host
    if inventory.mysql is not None:
        server = str(inventory.mysql.version)
        if inventory.mysql.sandbox:
            server = tr("A throwaway {server}", server=server)
    threads, memory_bytes = (host.cpu.threads, host.memory_bytes) if host is not None else (0, 0)
    processors = tr_n("1 processor", "{n} processors", threads) if threads else ""
    cpus, granted = inventory.granted_cpus, inventory.granted_memory_bytes
    if processors and cpus is not None:
        processors = tr("{part} of {processors}", part=f"{cpus:g}", processors=processors)
    usable = size(memory_bytes or 0) if granted is None else part_of(granted, memory_bytes or 0)
    memory = tr("{size} of memory", size=usable) if memory_bytes else ""
    machine = processors or memory
    if processors and memory:
        machine = tr("{processors} and {memory}", processors=processors, memory=memory)
    if server and machine:
        return tr("{server} on {machine}", server=server, machine=machine)
    return server or machine


def _lies(storage: Storage) -> str:
    filesystem = storage.filesystem or tr("an unknown filesystem")
    if storage.role is Role.DATA:
        text = tr("its data lies on {filesystem}", filesystem=filesystem)
    else:
        text = tr("{path} lies on {filesystem}", path=storage.path, filesystem=filesystem)
    if storage.disks:
        names = ", ".join(disk.name for disk in storage.disks)
        text = tr_n(
            "{lies} over 1 disk ({names})",
            "{lies} over {n} disks ({names})",
            len(storage.disks),
            lies=text,
            names=names,
        )
    if storage.free_bytes is not None:
        text = tr("{lies}, {size} free", lies=text, size=size(storage.free_bytes))
    return text


def of_run(run: Run, shown: Picture | None = None) -> str:
    """What was measured, or what is being measured now; ``shown`` is what it stands above."""
    if isinstance(run, LiveRun) and run.running:
        return _running(run)
    points = usable(run.points)
    if shown is not None:
        points = [point for point in points if shown.holds(point.setting)] or points
    best = _best_curve(points)
    measured = _peak(best) if best is not None else _first_point(points)
    match run.state:
        case RunState.DONE:
            return measured or tr("The run ended without a trustworthy point.")
        case RunState.CANCELLED | RunState.INTERRUPTED:
            return f"{_cut_short(run)} {measured}".strip()
        case _:
            if not measured:
                return tr("The run failed: nothing was measured that can be used.")
            text = tr_n(
                "The run failed after 1 point.",
                "The run failed after {n} points.",
                len(run.points),
            )
            return f"{text} {measured}"


def _cut_short(run: Run) -> str:
    points, cancelled = len(run.points), run.state is RunState.CANCELLED
    if not points and cancelled:
        return tr("Cancelled before the first point.")
    if not points:
        return tr("Interrupted before the first point.")
    if cancelled:
        return tr_n(
            "Cancelled after 1 point, which is kept.",
            "Cancelled after {n} points, which are kept.",
            points,
        )
    return tr_n(
        "Interrupted after 1 point, which is kept.",
        "Interrupted after {n} points, which are kept.",
        points,
    )


def _running(run: LiveRun) -> str:
    if run.stopping:
        return tr_n("Stopping; 1 point kept.", "Stopping; {n} points kept.", len(run.points))
    if run.queued:
        return tr("Waiting for another run on this drive to end.")
    growing = run.growing
    if growing is None:
        return run.doing or run.stage or tr("Starting.")
    text = capital(setting_line(growing.setting))
    now = growing.rate_per_s
    if now is None:
        return tr("{setting}: warming up.", setting=text)
    return tr("{setting}: {rate} so far.", setting=text, rate=rate(now, unit(growing.setting)))


def _best_curve(points: list[Point]) -> Curve | None:
    """Random reads of the page size that most servers use, else the first curve with a shape."""
    found = [curve for curve in curves(points) if len(curve.points) > 1]
    reads = [curve for curve in found if curve.setting.probe is Probe.RANDOM_READ]
    pages = [curve for curve in reads if curve.setting.block_size_bytes == PAGE_BYTES]
    return next(iter(pages or reads or found), None)


def _peak(curve: Curve) -> str:
    """The peak, and the fewest threads that give nearly as much, with their p95."""
    peak, setting = curve.peak, curve.setting
    operations, of_rate = PROBES[setting.probe].operations, unit(setting)
    what = f"{size(setting.block_size_bytes)} " if setting.block_size_bytes else ""
    what = capital(what + operations)
    if special := ", ".join(options(setting)):
        what += f" ({special})"
    # Of page flushes pages are counted, of redo syncs commits.
    reach = rate(peak.rate_per_s, "" if of_rate in operations else of_rate)
    threads = threads_text(peak.setting)
    if peak.limited_by is LimitedBy.NOTHING:
        text = tr("{what} reach {rate} at {threads}", what=what, rate=reach, threads=threads)
    else:
        text = tr(
            "{what} reach at least {rate} at {threads}", what=what, rate=reach, threads=threads
        )
    if peak.beside_server:
        text = beside_server(text)
    if peak.trust is Trust.DOUBTFUL:
        text = tr("{reach} (doubtful)", reach=text)
    if peak.limited_by is LimitedBy.CPU:
        return tr("{reach}: the CPUs limited, not the drive.", reach=text)
    if peak.limited_by is LimitedBy.PROBER:
        return tr("{reach}: the prober limited, not the drive.", reach=text)
    enough = _enough(curve)
    if enough is peak:
        return tr("{reach}, p95 {p95} there.", reach=text, p95=duration_us(peak.latency.p95_us))
    return tr(
        "{reach}; {threads} already give {share} of it, at a p95 of {p95}.",
        reach=text,
        threads=threads_text(enough.setting),
        share=percent(enough.rate_per_s / peak.rate_per_s),
        p95=duration_us(enough.latency.p95_us),
    )


def _enough(curve: Curve) -> Point:
    """The fewest threads that surely give nearly as much as the peak; else the peak itself."""
    peak = curve.peak
    return next(
        point
        for point in curve.points
        if point is peak
        or (
            point.rate_per_s >= PLENTY * peak.rate_per_s
            # The interval of an import is not known.
            and not half_width(point) > SURE
        )
    )


def _first_point(points: list[Point]) -> str:
    if not points:
        return ""
    point = points[0]
    text = rate(point.rate_per_s, unit(point.setting))
    text = f"{capital(setting_line(point.setting))}: {text}"
    text = beside_server(text) if point.beside_server else text
    if point.trust is Trust.DOUBTFUL:
        text = tr("{reach} (doubtful)", reach=text)
    if not point.latency.p95_us > 0:
        return f"{text}."
    return tr("{reach}, p95 {p95} there.", reach=text, p95=duration_us(point.latency.p95_us))


def of_judgement(
    judgement: Judgement, case: Case, state: RunState, plan: ChangePlan | None = None
) -> str:
    """What the changes bring, which of them most, and what is open; in English, as all advice.

    A risk comes first: the list begins with it. ``plan`` is that of the changes, once it is made.
    """
    lists = agenda(judgement)
    risks = f"{counted(len(lists.risks), 'risk')} to data. " if lists.risks else ""
    changes = changes_asked(judgement)
    left = f"{len(judgement.open)} open." if judgement.open else ""
    if not changes:
        return f"{risks}{nothing_to_change(judgement, case, state)} {left}".strip()
    known = [one for one in lists.changes if one.gain is not None]
    best = max(known, key=lambda one: one.gain.value if one.gain else 0.0, default=None)
    first = best or (*lists.changes, *changes)[0]
    brings = saves(first) and f" ({saves(first)} of query time)"
    move = deed(first)
    gain = "" if plan is None else plan_gain(plan)
    number = counted(len(changes), "change")
    whole = f"{gain} queries with {number}" if gain else number
    which = ": " if len(changes) == 1 else "; most of it: " if gain and best else "; first: "
    return f"{risks}{whole}{which}{inside(move)}{brings}. {left}".strip()
