"""What one run of fio has measured, read into a point and its samples."""

from __future__ import annotations

import re
from collections.abc import Mapping

from probes.engines.tool import Measured
from probes.errors import ImportRefused
from probes.imports.documents import documents
from probes.imports.figures import count, figure
from probes.imports.fio.group import cpu_us_per_op
from probes.imports.fio.latency import timing
from probes.imports.fio.stats import Direction, after_sync, direction
from probes.imports.points import NAN, Figures, histogram_of, latency_of, make_point
from probes.plans.plan import Step
from probes.points import Latency, Probe, Sample, Setting
from probes.statistics.intervals import rate_interval

_LINE = re.compile(r"^(\d{1,12}), (\d{1,12}), [01], ", re.MULTILINE)


def read_point(output: str, log: str, step: Step, *, log_ms: int, direct: bool | None) -> Measured:
    """A point of fio's JSON+ and of its log of rates. Raises ImportRefused when it is none."""
    found, cut = documents(output)
    jobs = found[-1].get("jobs") if found else None
    if cut or not isinstance(jobs, list) or len(jobs) != 1 or not isinstance(jobs[0], dict):
        raise ImportRefused("fio gave no result.")
    job: Mapping[str, object] = jobs[0]
    setting = step.setting
    what = "read" if setting.probe is Probe.RANDOM_READ else "write"
    part = job.get(what)
    side = direction(part if isinstance(part, dict) else {}, what)
    samples = read_log(log, setting.threads, log_ms)
    latency, histogram = _latency(job, side, setting)
    errors = count(job.get("error", 0), "the error")
    figures = Figures(
        rate_per_s=side.rate_per_s,
        seconds=side.seconds,
        operations=side.operations,
        ci95_per_s=rate_interval(side.rate_per_s, [sample.rate_per_s for sample in samples]),
        latency=latency,
        histogram=histogram,
        cpu_us_per_op=cpu_us_per_op([job], side.operations),
        direct=direct,
        details={"errors": 1} if errors else {},
    )
    return make_point(setting, "fio", figures), samples


def read_log(log: str, threads: int, log_ms: int) -> tuple[Sample, ...]:
    """The rates of all threads together, a sample per interval in which all reported theirs."""
    rates: dict[int, float] = {}
    reported: dict[int, int] = {}
    for found in _LINE.finditer(log):
        interval = round(int(found[1]) / log_ms)
        rates[interval] = rates.get(interval, 0.0) + figure(found[2], "a rate")
        reported[interval] = reported.get(interval, 0) + 1
    return tuple(
        Sample(interval * log_ms / 1000, rates[interval], NAN, NAN)
        for interval in sorted(rates)
        if interval > 0 and reported[interval] == threads
    )


def _latency(job: Mapping[str, object], side: Direction, setting: Setting) -> tuple[Latency, str]:
    """Of a commit it is the write's and the sync's together, which fio measures apart."""
    if setting.options.get("sync") not in ("fdatasync", "fsync"):
        summary, histogram = side.summary()
        return summary.latency, histogram
    part = job.get("sync")
    synced = timing(part if isinstance(part, dict) else {})
    write_ns = side.latency.mean_us * 1000
    together = histogram_of({ns + write_ns: times for ns, times in synced.bins.items()})
    if together is None:
        return after_sync(side, synced).latency, ""
    return latency_of(together), together.encoded()
