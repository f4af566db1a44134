"""Which of a run's curves a forecast is made from."""

from __future__ import annotations

from collections.abc import Iterable

from advisor.compare.contender import Contender
from advisor.model.curves.commit_rates import CommitRates, commit_rates
from advisor.model.curves.measured_rates import MeasuredRates, Rates, measured_rates
from probes.errors import UsageError
from probes.figures import listed, size
from probes.kinds.redo import RedoOptions
from probes.kinds.server import ServerOptions
from probes.points import PAGE_BYTES, Curve, Probe
from probes.statistics.repeats import curves

_OTHER_FILES = frozenset({"set", "touch"})
"""Options of reads that say what else was looked into than the drive."""


def drive_rates(contender: Contender, page_bytes: int = PAGE_BYTES) -> MeasuredRates:
    """The contender's random reads of one block size; raises UsageError where it has none."""
    reads = [
        curve
        for curve in curves(contender.usable)
        if curve.setting.probe is Probe.RANDOM_READ and not _OTHER_FILES & {*curve.setting.options}
    ]
    found = _longest(curve for curve in reads if curve.setting.block_size_bytes == page_bytes)
    if found is not None:
        return found
    sizes = sorted({curve.setting.block_size_bytes for curve in reads})
    if not sizes:
        raise UsageError(
            f"{contender.name} has no random reads, which is what a drive is forecast from.",
            "Measure them with `leadline probe storage`, or name another run.",
        )
    raise UsageError(
        f"{contender.name} has no random reads of {size(page_bytes)}, only of "
        f"{', '.join(map(size, sizes))}.",
        "Choose one of these with --page-size, or measure the size that the server reads.",
    )


def redo_rates(contender: Contender) -> CommitRates:
    """The contender's commits to a redo log that is there already; UsageError where it has none."""
    commits = [
        curve for curve in curves(contender.usable) if curve.setting.probe is Probe.REDO_SYNC
    ]
    plain = [curve for curve in commits if RedoOptions.of(curve.setting).plain]
    usual = [curve for curve in plain if RedoOptions.of(curve.setting).sync == "fdatasync"]
    longest = _longest_curve(usual or plain)
    found = None if longest is None else commit_rates(longest)
    if found is None:
        raise UsageError(
            f"{contender.name} has no commits, which is what a redo log is forecast from.",
            "Measure them with `leadline probe redo`, or name another run.",
        )
    return found


def server_rates(contender: Contender) -> MeasuredRates:
    """The contender's row lookups with all data in memory; raises UsageError where it has none."""
    lookups = [
        curve for curve in curves(contender.usable) if curve.setting.probe is Probe.POINT_SELECT
    ]
    in_memory = contender.conditions.get("filesystem") == "tmpfs"
    found = _longest(
        curve
        for curve in lookups
        if in_memory or ServerOptions.of(curve.setting).working_set == "cached"
    )
    if found is None:
        raise UsageError(
            f"{contender.name} has no row lookups with all data in memory, which is what a server "
            "is forecast from.",
            "Measure them with `leadline probe mysql`, or give a CSV file.",
        )
    return found


def beyond_one(whose: str, log: Rates | None) -> tuple[str, ...]:
    """What was measured of a log's commits and can't be, as a sentence; none where all can be."""
    if not isinstance(log, CommitRates) or not log.beyond:
        return ()
    which = listed([f"{each:,}" for each in log.beyond])
    return (
        f"{whose}, {which} committers were measured at more than their number times one "
        "committer's rate, which no log can do: their number times the most that one may do is "
        "taken instead.",
    )


def alike(one: Rates | None, other: Rates | None) -> bool:
    """Whether both are the same measured curve."""
    if not isinstance(one, MeasuredRates) or not isinstance(other, MeasuredRates):
        return False
    return (one.threads, one.rates_per_s) == (other.threads, other.rates_per_s)


def _longest(found: Iterable[Curve]) -> MeasuredRates | None:
    longest = _longest_curve(found)
    return None if longest is None else measured_rates(longest)


def _longest_curve(found: Iterable[Curve]) -> Curve | None:
    """Of several curves the one with the most points; of these an idle drive's, and the first."""
    return max(found, key=lambda curve: (len(curve.points), not curve.beside_server), default=None)
