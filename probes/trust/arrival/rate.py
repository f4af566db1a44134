"""What a point's rate says against it: its interval, its course, and work that was left out."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from statistics import fmean

from probes.doubts import DoubtKind, doubt, rejection
from probes.points import EndedBy, Point, Probe
from probes.trust import thresholds
from probes.trust.arrival.seen import Seen
from probes.trust.doubt import Remark, slowed
from probes.trust.levels import levels


def nothing_finished(seen: Seen) -> Remark | None:
    """Reject a point without a single operation.

    Nothing finished: a rate of 0 says that something was broken, not how fast the drive is.
    """
    if not seen.point.rate_per_s <= 0:
        return None
    return Remark(rejection(DoubtKind.NOTHING_FINISHED))


def wide_interval(seen: Seen) -> Remark | None:
    """Doubt a point whose interval is wider than its rate allows; unknown intervals pass.

    The rate swung so much that its mean says little.

    An interval that reaches from 0.6 to 1.65 times the rate means that the drive did two different
    things, or that somebody else used it. Plans ask for 1.5 to 5 %; a point that misses this at its
    time cap is still of use as long as the interval is shown with it, so the threshold is far
    above. Swings multiply a rate, so the width is taken of its logarithm: half of the way from the
    lower to the upper end.
    """
    if not half_width(seen.point) > thresholds.WIDEST_INTERVAL:
        return None
    low, high = seen.point.ci95_per_s
    return Remark(doubt(DoubtKind.SWUNG, low_per_s=low, high_per_s=high))


def half_width(point: Point) -> float:
    """Half the interval of the rate's logarithm, for small ones its share of the rate.

    Infinite where the interval reaches down to 0, nan where it is not known.
    """
    low, high = point.ci95_per_s
    if not point.rate_per_s > 0 or math.isnan(low) or math.isnan(high):
        return math.nan
    return math.log(high / low) / 2 if low > 0 else math.inf


def stepped(seen: Seen) -> Remark | None:
    """Doubt a point within which the rate stepped from one level to another.

    The point holds two levels: a burst that ended, or a throttle that came and went.

    The mean of two levels is a rate at which the drive never worked. They are looked for as steps
    in the samples, each level at least three samples (0.6 s) long and half as fast again as the
    other; less is an unsteady drive, which the interval shows. ``steady_write`` is left out: its
    levels are its result (``probes.trust.change_points``).
    Source: ``probes.trust.levels`` (Killick, Fearnhead and Eckley 2012); cloud volumes and SLC
    caches burst (AWS, "Amazon EBS volume types", gp2; G. Wu and others on SLC caching in consumer
    SSDs).
    """
    if (
        seen.point.setting.probe is Probe.STEADY_WRITE
        or len(seen.counted) < thresholds.STEP_LEAST_SAMPLES
    ):
        return None
    rates = [max(0.0, sample.rate_per_s) for sample in seen.counted]
    found = levels(rates, shortest=thresholds.STEP_SAMPLES, factor=thresholds.STEP_FACTOR)
    if len(found) < 2:
        return None
    first, last = found[0], found[-1]
    after_s = seen.counted[first.end - 1].at_s
    means = [level.mean for level in found]
    then = {"last_per_s": last.mean} if len(found) > 2 else {}
    return Remark(
        doubt(
            DoubtKind.STEPPED,
            first_per_s=first.mean,
            next_per_s=found[1].mean,
            after_s=after_s,
            **then,
        ),
        least=min(1.0, min(means) / seen.point.rate_per_s),
        most=max(1.0, max(means) / seen.point.rate_per_s),
    )


def not_settled(seen: Seen) -> Remark | None:
    """Doubt a point that had not settled when its time was up.

    The point ended at its time cap while its rate still wandered in one direction.

    A rate that rises or falls through the whole point has no mean to be sure of: a cache fills, a
    drive warms up, credit runs out. The halves of the measured part are compared; they must differ
    by more than 20 % and by more than four standard errors, which the swing of each half gives. A
    point that the interval ended has settled by definition, one that stepped is ``bursts``'
    business, and ``steady_write`` reports its phases instead.
    Source: the test of the means of two halves is the simplest of those in L. Schruben, "Detecting
    initialization bias in simulation output", Operations Research 30, 1982.
    """
    skipped = (
        seen.point.setting.probe is Probe.STEADY_WRITE or "touch" in seen.point.setting.options
    )
    if (
        skipped
        or seen.point.ended_by is EndedBy.INTERVAL
        or len(seen.counted) < thresholds.DRIFT_LEAST_SAMPLES
    ):
        return None
    rates = [sample.rate_per_s for sample in seen.counted]
    first, second = rates[: len(rates) // 2], rates[len(rates) // 2 :]
    before, after = fmean(first), fmean(second)
    chance = math.sqrt(_of_mean(first) + _of_mean(second))
    least = max(thresholds.DRIFT_SIGMAS * chance, thresholds.DRIFT * max(before, after))
    if abs(after - before) <= least or stepped(seen) is not None:
        return None
    apart = slowed(abs(after - before) / max(before, after))
    return Remark(
        doubt(DoubtKind.NOT_SETTLED, before_per_s=before, after_per_s=after),
        # It may go on as it went.
        least=1 / apart,
        most=apart,
    )


def _of_mean(rates: Sequence[float]) -> float:
    """The variance of a half's mean, from steps between pairs of samples.

    Steps leave out the drift itself (J. von Neumann, "Distribution of the ratio of the mean square
    successive difference to the variance", 1941); pairs, because neighbours are alike.
    """
    means = [fmean(rates[at : at + 2]) for at in range(0, len(rates), 2)]
    steps = [(after - before) ** 2 / 2 for before, after in itertools.pairwise(means)]
    return fmean(steps) / len(means)


def failed_operations(seen: Seen) -> Remark | None:
    """Doubt a point with failed operations (``details.errors``).

    Operations failed, or did less work than they should.

    A query that was killed, or a lookup whose key has no row, ends sooner than a real one and makes
    the rate too good. One is enough: nothing shows how many more were affected without an error.
    """
    errors = seen.detail("errors")
    if not errors > 0:
        return None
    found = doubt(DoubtKind.FAILED_OPERATIONS, operations=errors)
    return Remark(found, least=_less_work(seen, errors))


def missing_rows(seen: Seen) -> Remark | None:
    """Doubt a point whose lookups found nothing (``details.missing_rows``)."""
    missing = seen.detail("missing_rows")
    if not missing > 0:
        return None
    found = doubt(DoubtKind.MISSING_ROWS, lookups=missing)
    return Remark(found, least=_less_work(seen, missing))


def _less_work(seen: Seen, operations: float) -> float:
    """The least share of the rate that is left when as many again were affected unseen."""
    return 1 / slowed(2 * operations / max(seen.point.operations, 1))


def fewer_threads(seen: Seen) -> Remark | None:
    """Doubt a point of which fewer threads ran (``details.threads``) than were asked for.

    Fewer threads ran than the setting says.

    A limit on processes (RLIMIT_NPROC, a control group's pids.max) can stop the prober from
    starting all of them. The point then lies at another place of the curve than its setting names.
    Source: setrlimit(2); the kernel's control group v2 guide, "PID".
    """
    ran, asked = seen.detail("threads"), seen.point.setting.threads
    if not ran < asked:
        return None
    found = doubt(DoubtKind.FEWER_THREADS, ran=ran, asked=asked)
    return Remark(found, most=asked / max(ran, 1.0))
