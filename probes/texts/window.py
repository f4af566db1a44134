"""Which samples of the counters are a window, and how long it is.

Two samples or more, of one server that was not restarted between them, are what a watch sees; one
alone is a mean since the server's start.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TypeVar

from probes.inventory.facts import figure
from probes.texts.reading.pieces import StatusPiece
from probes.watch.server_series import COUNTERS, GAUGES, STATUS_ANSWER

T = TypeVar("T")

LONGEST_WATCH_S = 6 * 3600.0
"""Two samples that lie further apart are a mean over day and night, and show no load of now (our
choice)."""

LEAST_UPTIME_S = 3600.0
"""A mean since a start that is less long ago is one of warming up (our choice)."""

MANY, LONGEST_PAUSE_S, TIMES_USUAL = 3, 60.0, 10.0
"""From that number of pauses on, one of that many seconds, and that many times the usual one, parts
two looks (our choice)."""

_ALIKE = ("Questions", "Queries", "Innodb_data_reads", "Innodb_data_writes", "Bytes_sent",
          "Innodb_buffer_pool_read_requests", "Connections")  # fmt: skip
RESTARTED = "its counters fall between the two: the server was restarted, or it is another one"
_NAMED = (*COUNTERS, *GAUGES)


@dataclass(frozen=True, slots=True)
class StatusReading:
    """The raw answers of a window, how many samples it is made of, and what is to be said of it.

    ``seconds`` is how long it is, ``since_start``: from the server's start on. ``because`` says why
    there is no window of now, "" where there is one.
    """

    answers: Mapping[str, str]
    samples: int = 0
    seconds: float = 0.0
    since_start: bool = False
    because: str = ""


def window_of(samples: Sequence[StatusPiece], apart_s: float | None = None) -> StatusReading:
    """Make a window of the samples; ``apart_s`` is what a person said of their distance."""
    if not samples:
        return StatusReading({})
    rounded = [sample for sample in samples if sample.rounded]
    precise = [sample for sample in samples if not sample.rounded]
    if len(samples) > 1 and len(precise) < 2:
        because = "the figures are rounded, so that the difference of two says nothing"
        return _one(max(rounded or samples, key=lambda each: each.uptime_s or 0.0), because)
    timed, because = _timed(_placed(precise or samples, apart_s), apart_s)
    if len(timed) < 2:
        last = timed[-1][1] if timed else max(samples, key=lambda each: each.uptime_s or 0.0)
        return _one(last, because)
    return _window(timed)


def _placed(samples: Sequence[StatusPiece], apart_s: float | None) -> Sequence[StatusPiece]:
    """Those with an uptime, where two have one: a few counters in a mail are of no known moment."""
    placed = [each for each in samples if each.uptime_s is not None]
    return placed if apart_s is None and len(placed) > 1 else samples


_Timed = list[tuple[float, StatusPiece]]


def _timed(samples: Sequence[StatusPiece], apart_s: float | None) -> tuple[_Timed, str]:
    """The samples in the order of their time, those alone that belong to one run of the server.

    And why it is only one, where it is.
    """
    samples, restarted = _since_restart(samples)
    if len(samples) == 1:
        return [(0.0, samples[0])], RESTARTED if restarted else ""
    times, because = _times(samples, apart_s)
    if times is None:
        return [(0.0, samples[-1])], because
    ordered = sorted(zip(times, samples, strict=True), key=lambda each: each[0])
    kept: _Timed = [ordered[0]]
    for at_s, sample in ordered[1:]:
        if at_s <= kept[-1][0]:
            continue
        if _grew(kept[-1][1], sample):
            kept.append((at_s, sample))
        else:
            kept = [(at_s, sample)]
            because = RESTARTED
    kept = one_look(kept)
    if len(kept) == 1 and not because:
        because = "all of them are of one moment"
    return kept, because if len(kept) == 1 else ""


def one_look(timed: list[tuple[float, T]]) -> list[tuple[float, T]]:
    """The longest part without a long pause: tools that watch again hours later leave many such."""
    pauses = sorted(later[0] - earlier[0] for earlier, later in pairwise(timed))
    if len(pauses) < MANY:
        return timed
    longest_s = max(LONGEST_PAUSE_S, TIMES_USUAL * pauses[len(pauses) // 2])
    looks: list[list[tuple[float, T]]] = [[timed[0]]]
    for earlier, later in pairwise(timed):
        if later[0] - earlier[0] > longest_s:
            looks.append([])
        looks[-1].append(later)
    return max(reversed(looks), key=len)


def _since_restart(samples: Sequence[StatusPiece]) -> tuple[Sequence[StatusPiece], bool]:
    """Those behind the last one that has been up for less long than the one before it in its text.

    Of two texts nobody knows which is the earlier.
    """
    for at in range(len(samples) - 1, 0, -1):
        before, up_s = samples[at - 1].uptime_s, samples[at].uptime_s
        if samples[at].follows and before is not None and up_s is not None and up_s < before:
            return samples[at:], True
    return samples, False


def _times(samples: Sequence[StatusPiece], apart_s: float | None) -> tuple[list[float] | None, str]:
    """The samples' times in seconds, None where nothing says how far apart they are."""
    ups = [sample.uptime_s for sample in samples]
    clocks = [sample.at_s for sample in samples]
    if apart_s is not None:
        if all(each is not None for each in ups):
            order = sorted(range(len(samples)), key=lambda at: ups[at] or 0.0)
            return [apart_s * order.index(at) for at in range(len(samples))], ""
        return [apart_s * at for at in range(len(samples))], ""
    if all(each is not None for each in clocks) and _agree(clocks, ups):
        return [each or 0.0 for each in clocks], ""
    if all(each is not None for each in ups):
        return [each or 0.0 for each in ups], ""
    if all(each is not None for each in clocks):
        return [each or 0.0 for each in clocks], ""
    return None, "neither Uptime nor a time says how far apart the two are (--apart does)"


def _agree(clocks: Sequence[float | None], ups: Sequence[float | None]) -> bool:
    """Whether times and uptimes grow alike; an uptime is whole seconds, and a time may be any."""
    pairs = zip(pairwise(clocks), pairwise(ups), strict=True)
    for (first, second), (up, later) in pairs:
        if first is None or second is None or up is None or later is None:
            continue
        if abs((second - first) - (later - up)) > 1.5:
            return False
    return True


def _grew(before: StatusPiece, after: StatusPiece) -> bool:
    """Whether nothing that only grows has fallen."""
    for name in _ALIKE:
        first, second = figure(before.values.get(name)), figure(after.values.get(name))
        if first is not None and second is not None and second < first:
            return False
    return True


def _window(timed: _Timed) -> StatusReading:
    begun_s = timed[0][0]
    moments = [(round(at_s - begun_s, 4), dict(sample.values)) for at_s, sample in timed]
    seconds = moments[-1][0]
    long = seconds > LONGEST_WATCH_S
    answers = dict(_ends(moments[0], moments[-1], averaged=long))
    because = ""
    if long:
        because = "the two lie so far apart that they are a mean over day and night"
    else:
        series = [
            {"at_s": at_s, "values": {name: values[name] for name in _NAMED if name in values}}
            for at_s, values in moments
        ]
        answers[STATUS_ANSWER] = json.dumps({"samples": series})
    return StatusReading(answers, len(moments), seconds, False, because)


def _one(sample: StatusPiece, because: str) -> StatusReading:
    """A mean since the start, or gauges alone where that is not known, or was just now."""
    after = dict(sample.values)
    up_s = sample.uptime_s
    if up_s is None:
        because = because or "one sample without Uptime says how much, and not in which time"
    elif up_s < LEAST_UPTIME_S:
        because = because or "the server had just been started"
    if up_s is None or up_s < LEAST_UPTIME_S:
        return StatusReading(
            dict(_ends(None, (up_s or 0.0, after), averaged=True)), 1, 0.0, False, because
        )
    flushed = figure(after.get("Uptime_since_flush_status"))
    reset = flushed is not None and flushed < up_s - 1
    # A log's positions count from its first day on, and FLUSH STATUS resets what is not InnoDB's.
    before = {
        name: "0"
        for name, value in after.items()
        if value.isdecimal() and "lsn" not in name and (name.startswith("Innodb_") or not reset)
    }
    answers = dict(_ends((0.0, before), (up_s, after), averaged=True))
    because = because or "one sample is a mean since the server's start"
    return StatusReading(answers, 1, up_s, True, because)


def _ends(
    before: tuple[float, Mapping[str, str]] | None,
    after: tuple[float, Mapping[str, str]],
    *,
    averaged: bool,
) -> Iterator[tuple[str, str]]:
    """Both ends of the window, as an inventory keeps them."""
    for name, end in (("before", before), ("after", after)):
        if end is not None:
            content: dict[str, object] = {"at_s": end[0], "values": dict(end[1])}
            if averaged:
                content["averaged"] = True
            yield f"mysql.status.{name}", json.dumps(content, ensure_ascii=False)
