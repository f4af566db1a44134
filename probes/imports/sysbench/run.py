"""One run within the text of sysbench 0.4 to 1.1: what all its tests have in common."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from probes.figures import count as count_text
from probes.figures import counted, rate
from probes.imports.figures import count, figure, thread_count
from probes.imports.points import NAN, histogram_of, latency_of
from probes.points import Latency
from probes.statistics.intervals import rate_interval

START = re.compile(r"^[ \t]*Running the test with following options:", re.MULTILINE)
"""Each run says this; other text may stand before and between."""

_VERSION = re.compile(r"^[ \t]*sysbench v?(\d{1,3}\.\d{1,3}[\w.\-]{0,30})", re.MULTILINE)
_THREADS = re.compile(r"^[ \t]*Number of threads:\s*(\d{1,9})", re.MULTILINE)
_TOTAL_S = re.compile(r"^[ \t]*(?:total time|time elapsed):\s*([\d.]{1,20})s", re.MULTILINE)
_EVENTS = re.compile(r"^[ \t]*total number of events:\s*(\d{1,18})", re.MULTILINE)
_STATISTIC = r"^[ \t]*{}:\s+(\d{{1,15}}(?:\.\d{{1,9}})?)(?:ms)?[ \t\r]*$"
_MEAN = re.compile(_STATISTIC.format("avg"), re.MULTILINE)
_HIGHEST = re.compile(_STATISTIC.format("max"), re.MULTILINE)
_PERCENTILE = re.compile(
    r"^[ \t]*(?:approx\.\s+)?(\d{1,3})(?:st|nd|rd|th)?\s+percentile:\s+([\d.]{1,20})(?:ms)?",
    re.MULTILINE,
)
_BIN = re.compile(r"^[ \t]*(\d{1,12}\.\d{1,6}) \|[* ]*? (\d{1,15})[ \t\r]*$", re.MULTILINE)
_RATE_LIMIT = re.compile(r"^[ \t]*Target transaction rate:\s*(\d{1,12})/sec", re.MULTILINE)
_WARM_UP = re.compile(r"^[ \t]*Warmup time:\s*(\d{1,9})s", re.MULTILINE)

_FATAL = re.compile(r"^(?:\(.{1,60}\) )?FATAL: *(\S.{0,300})", re.MULTILINE)
_UNFINISHED = re.compile(
    r"unfinished transactions on\s{1,4}forced shutdown:\s{1,4}(\d{1,9})", re.IGNORECASE
)
_QUEUE_FULL = "The event queue is full"
_FORCED = "forcing shutdown"
_SUMMED_UP = re.compile(r"^[ \t]*(?:General statistics:|Test execution summary:)", re.MULTILINE)

KEPT_UP = 0.98
"""A target rate counts as reached from this share on (our choice)."""

STANDSTILLS = 0.1
"""From this share of intermediate reports without a single event on, the rate is no steady one
(our choice)."""

_MOST_PER_BIN = 10**12
_COARSE_US = 100.0
_LEAST_REPORTS = 5

COARSE = (
    "sysbench gives latency to a hundredth of a millisecond: below 0.1 ms it is known to 10 µs "
    "only."
)


@dataclass(frozen=True, slots=True)
class SysbenchRun:
    """The text of one run, and the version of the program that wrote it."""

    text: str
    version: str

    @property
    def old(self) -> bool:
        """Whether it is of 0.4 or 0.5, which count syncs apart from events."""
        return self.version.startswith("0.")

    @property
    def threads(self) -> int:
        """Raises ImportRefused."""
        found = _THREADS.search(self.text)
        return thread_count(found[1] if found else "", "the number of sysbench's threads")

    @property
    def seconds(self) -> float:
        """How long it took; nan where it is not said (fileio of 1.1)."""
        found = _TOTAL_S.search(self.text)
        return figure(found[1], "the total time") if found else NAN

    @property
    def events(self) -> int:
        """What it counts as events; 0 where it is not said."""
        found = _EVENTS.search(self.text)
        return count(found[1], "the number of events") if found else 0

    @property
    def target_per_s(self) -> float:
        """The rate of events that it was held to; nan where it went as fast as it could."""
        limit = _RATE_LIMIT.search(self.text)
        return figure(limit[1], "the target rate") if limit else NAN

    @property
    def fatal(self) -> str:
        """What ended it; "" where nothing did before its time."""
        found = _FATAL.search(self.text)
        text = found[1].strip() if found else ""
        return "" if _FORCED in text else text

    @property
    def held_to_a_rate(self) -> bool:
        """Whether it was to make events at a rate: only then does it have a queue of them."""
        return self.target_per_s > 0 or self._queue_full

    @property
    def _queue_full(self) -> bool:
        return self.fatal.startswith(_QUEUE_FULL)

    @property
    def without_result(self) -> str:
        """Why it has no result, as a sentence about ``the run``; "" where another test ran."""
        if _SUMMED_UP.search(self.text):
            return ""
        if self.fatal:
            return f"ended with: {self.fatal.rstrip('.')}."
        return "was cut off before its result." if START.match(self.text) else ""

    def doubts(self, events_per_s: float, workers: str) -> list[str]:
        """Why its rate or latency may be of something else; ``workers`` are its threads' name."""
        found = []
        target, fatal, full = self.target_per_s, self.fatal, self._queue_full
        # Without the head of the text nobody knows which rate it was held to.
        if target > 0 and (full or events_per_s < KEPT_UP * target):
            found.append(
                f"sysbench was to make {rate(target, 'events')} and did not keep up: "
                f"{rate(events_per_s)} is what it could do, and its latency holds the wait in the "
                "queue."
            )
        elif target > 0:
            found.append(f"sysbench was held to {count_text(target)} events per second.")
        if full:
            found.append("The run ended early: the event queue was full.")
        elif fatal:
            found.append(f"The run ended with: {fatal.rstrip('.')}.")
        unfinished = _UNFINISHED.search(self.text)
        if unfinished and int(unfinished[1]):
            found.append(
                f"{count_text(int(unfinished[1]))} of {counted(self.threads, workers)} had not "
                "finished when sysbench was forced to end: its latency leaves the slowest out."
            )
        return found

    @property
    def warm_up_s(self) -> float:
        """What was cut off before; only 1.1 can."""
        found = _WARM_UP.search(self.text)
        return figure(found[1], "the warm-up") if found else 0.0

    def latency(self) -> tuple[Latency, str]:
        """Summary and histogram; without --histogram one percentile is all there is."""
        bins: dict[float, int] = {}
        for found in _BIN.finditer(self.text):
            # Narrow slots look alike with three digits.
            latency_ns = float(found[1]) * 1e6
            times = count(found[2], "a count", _MOST_PER_BIN)
            bins[latency_ns] = min(_MOST_PER_BIN, bins.get(latency_ns, 0) + times)
        histogram = histogram_of(bins)
        if histogram is not None:
            return latency_of(histogram), histogram.encoded()
        percentile = _PERCENTILE.search(self.text)
        named = {percentile[1]: percentile[2]} if percentile else {}
        return Latency(
            mean_us=_us(_MEAN.search(self.text)),
            p50_us=_known_us(named.get("50")),
            p95_us=_known_us(named.get("95")),
            p99_us=_known_us(named.get("99")),
            p999_us=NAN,
            max_us=_us(_HIGHEST.search(self.text)),
        ), ""

    @property
    def coarse(self) -> bool:
        """Whether its latency is so low that two digits of a millisecond tell little."""
        mean_us = _us(_MEAN.search(self.text))
        return math.isnan(mean_us) or mean_us < _COARSE_US


def runs(text: str) -> Iterator[SysbenchRun]:
    """The runs in their order; text without a start is taken for one run."""
    starts = [match.start() for match in START.finditer(text)]
    if not starts:
        yield SysbenchRun(text, _last_version(text, ""))
        return
    version = ""
    ends = [*starts[1:], len(text)]
    before = [0, *starts]
    for start, end, since in zip(starts, ends, before, strict=False):
        version = _last_version(text[since:start], version)
        yield SysbenchRun(text[start:end], version)


def interval_of(rate_per_s: float, reports: Sequence[float]) -> tuple[float, float]:
    """The rate's 95 % interval by its intermediate reports; nan where there are too few."""
    if len(reports) < _LEAST_REPORTS:
        return (NAN, NAN)
    return rate_interval(rate_per_s, reports)


def standstills(reports: Sequence[float]) -> list[str]:
    """Why intermediate reports deny a steady rate; nothing where they don't."""
    still = sum(1 for each in reports if each == 0)
    if still < 2 or still < STANDSTILLS * len(reports):
        return []
    return [
        f"Nothing finished in {still} of {len(reports)} intermediate reports: the rate is a mean "
        "of work and standstill."
    ]


def _last_version(text: str, otherwise: str) -> str:
    found = None
    for match in _VERSION.finditer(text):
        found = match
    return found[1] if found else otherwise


def _us(found: re.Match[str] | None) -> float:
    return _known_us(found[1] if found else None)


def _known_us(milliseconds: str | None) -> float:
    """0.00 ms is below what is reported, not no time at all."""
    if milliseconds is None:
        return NAN
    return figure(milliseconds, "a latency") * 1000 or NAN
