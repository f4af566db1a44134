"""Where a rule says what would change its mind, the case is changed so, and judged again.

``flips_when`` is text for people. Where it names a figure of something that a case holds, the
figure is put into the case: just short of it the verdict has to be the old one, just past it
another outcome has to come out. A figure is said with three digits, hence the hundredth on both
sides.
"""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from advisor.judging.engine import judge_by
from advisor.model.server.redo_log import LIMITS, LIMITS_SINCE_8_0_30
from advisor.outcomes import Outcome, Recommendation
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from probes.version import Flavour, ServerVersion
from tests.rules.casework import build
from tests.rules.test_rules import cases_of

NUMBER = r"([\d,]+(?:\.\d+)?)"
SI = {"": 1.0, "k": 1e3, "M": 1e6}
IEC = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
MICROSECONDS = {"µs": 1.0, "ms": 1e3, "s": 1e6}
SHORT, PAST = 0.99, 1.01

Spec = dict[str, Any]
Put = Callable[[Spec, float], Spec | None]
"""Puts a figure into a case, None where the case has no place for it."""


def rate(what: str) -> str:
    return rf"{NUMBER} ?([kM]?) ?{what}/s"


def size() -> str:
    return rf"{NUMBER} ({'|'.join(IEC)})"


PERCENT, COUNT = rf"{NUMBER} (%)", rf"{NUMBER}()"
DURATION = rf"{NUMBER} (µs|ms|s)\b"
MINUTES = rf"{NUMBER} (min)\b"
GROWTH = ("Innodb_redo_log_current_lsn", "Innodb_lsn_current", "Innodb_os_log_written")
UNITS = {**SI, **IEC, **MICROSECONDS, "min": 60.0, "%": 0.01}


def row(table: str, name: str, part_of: str = "") -> Put:
    """Put the figure into one row of a table, as a share of another row where one is named."""

    def put(spec: Spec, figure: float) -> Spec | None:
        rows = spec.get(table, {})
        if name not in rows or (part_of and part_of not in rows):
            return None
        whole = float(rows[part_of]) if part_of else 1.0
        text = f"{figure * whole:.9f}"
        value: object = text if table == "variables" else float(text)
        return spec | {table: rows | {name: value}}

    return put


def memory(spec: Spec, figure: float) -> Spec | None:
    if "memory_limit_gib" in spec.get("host", {}):
        return None
    return row("host", "memory_gib")(spec, figure / IEC["GiB"])


def one_read(spec: Spec, figure: float) -> Spec | None:
    """One read at a time takes so long; the rest of the curve stays."""
    curve = spec.get("reads_16k")
    return spec | {"reads_16k": [[1, curve[0][1], figure], *curve[1:]]} if curve else None


def buffered(spec: Spec, figure: float) -> Spec | None:
    text = spec.get("server", {}).get("innodb_status", "")
    changed = re.sub(r"(?m)^Ibuf: size \d+", f"Ibuf: size {figure:.0f}", text)
    return spec | {"server": spec["server"] | {"innodb_status": changed}} if text else None


def asked_for(spec: Spec, figure: float) -> Spec | None:
    """All free pages that are asked for are those of misses."""
    rates = spec.get("rates", {})
    others = {"Innodb_pages_read", "Innodb_pages_created"}
    kept = {name: value for name, value in rates.items() if name not in others}
    return row("rates", "Innodb_buffer_pool_reads")(spec | {"rates": kept}, figure)


def drive(spec: Spec, figure: float) -> Spec | None:
    """Make the drive as much faster or slower as its knee is away from the figure."""
    if "flush" in spec:  # its own rate limits as well
        return None
    curves = [name for name in ("writes_one", "writes_many") if name in spec]
    if len(curves) != 1:
        return None
    rows = spec[curves[0]]
    knee = next(row[1] for row in rows if row[1] >= 0.9 * max(row[1] for row in rows))
    return spec | {curves[0]: [[row[0], row[1] * figure / knee] for row in rows]}


def pages_written(spec: Spec, figure: float) -> Spec | None:
    """The server writes so many pages per second, watched or counted at the window's two ends."""
    watched = spec.get("watched", {})
    series = {
        name: told
        for name, told in watched.get("series", {}).items()
        if name != "Innodb_pages_written"
    }
    kept = spec | {"watched": watched | {"series": series}} if watched else spec
    return row("rates", "Innodb_pages_written")(kept, figure)


def sync_time(spec: Spec, figure: float) -> Spec | None:
    """A sync takes so long: the server's own where it was watched, else the measured one."""
    watched = spec.get("watched", {})
    if not watched:
        commits = [[*row[:2], figure] if row[0] == 1 else row for row in spec.get("commits", ())]
        return row("sync", "fdatasync")(spec | {"commits": commits}, figure)
    files = watched.get("files", ())
    if not any(each[:2] == ["redo", "sync"] for each in files):
        return None
    put = [[*each[:3], figure] if each[:2] == ["redo", "sync"] else each for each in files]
    return spec | {"watched": watched | {"files": put}}


def active(spec: Spec, figure: float) -> Spec | None:
    """So many connections are active beside the one that asks, at both ends of the window."""
    running = math.floor(figure) + 1
    return spec | {"samples": spec.get("samples", {}) | {"Threads_running": [running, running]}}


def filled_in(spec: Spec, seconds: float) -> Spec | None:
    """Redo grows so fast that what is usable of the log is filled in the time."""
    rates = spec.get("rates", {})
    found = [name for name in GROWTH if name in rates]
    capacity = spec.get("variables", {}).get("innodb_redo_log_capacity")
    resized = "Innodb_redo_log_capacity_resized" in spec.get("gauges", {})
    if not found or capacity is None or resized or "samples" in spec:
        return None
    version = ServerVersion.parse(spec["version"])
    newer = version.at_least(Flavour.MYSQL, 8, 0, 30)
    limits = LIMITS_SINCE_8_0_30 if newer else LIMITS
    return row("rates", found[0])(spec, limits.usable * float(capacity) / seconds)


def own_setting(spec: Spec, figure: float) -> Spec | None:
    """Stand for the setting that the outcome is about."""
    raise NotImplementedError


MISSES = row("rates", "Innodb_buffer_pool_reads")
DIRTY = row("gauges", "Innodb_buffer_pool_pages_dirty", "Innodb_buffer_pool_pages_total")
AGE = row("gauges", "Innodb_checkpoint_age", "Innodb_checkpoint_max_age")
WAITS = row("rates", "Innodb_buffer_pool_wait_free")
LOG_WAITS = row("rates", "Innodb_log_waits")


@dataclass(frozen=True)
class Phrase:
    """What a figure in a text is a figure of; ``past`` is where the outcome is another one."""

    pattern: str
    put: Put
    past: float
    short: float


def below(pattern: str, put: Put) -> Phrase:
    return Phrase(pattern, put, past=SHORT, short=PAST)


def above(pattern: str, put: Put) -> Phrase:
    return Phrase(pattern, put, past=PAST, short=SHORT)


PHRASES = (
    below(rf"the server's write rate falls (?:below|to) {rate('pages')}", pages_written),
    above(rf"the server's write rate (?:reaches|exceeds) {rate('pages')}", pages_written),
    below(rf"the rate of waits for a free page falls below {rate('')}", WAITS),
    above(rf"the rate of waits for a free page reaches {rate('')}", WAITS),
    below(rf"the miss rate falls below {rate('')}", MISSES),
    above(rf"the miss rate reaches {rate('')}", MISSES),
    below(rf"the read latency falls (?:below|to) {DURATION}", one_read),
    above(rf"the read latency (?:reaches|exceeds) {DURATION}", one_read),
    below(rf"the checkpoint age falls below {PERCENT} of its limit", AGE),
    above(rf"the checkpoint age reaches {PERCENT} of its limit", AGE),
    below(rf"the share of dirty pages falls below {PERCENT}(?! of its limit)", DIRTY),
    above(rf"the share of dirty pages reaches {PERCENT}(?! of its limit)", DIRTY),
    below(rf"the change buffer falls below {COUNT} pages", buffered),
    above(rf"the change buffer reaches {COUNT} pages", buffered),
    below(rf"the drive's limit falls below {rate('pages')}", drive),
    above(rf"the drive's limit reaches {rate('pages')}", drive),
    below(rf"the sync time falls (?:below|to) {DURATION}", sync_time),
    above(rf"the sync time (?:reaches|exceeds) {DURATION}", sync_time),
    below(rf"the delay falls to {DURATION}", own_setting),
    above(rf"the delay exceeds {DURATION}", own_setting),
    below(rf"the rate of waits falls below {rate('')}", LOG_WAITS),
    above(rf"the rate of waits reaches {rate('')}", LOG_WAITS),
    below(rf"the time to fill the log falls below {MINUTES}", filled_in),
    above(rf"the time to fill the log reaches {MINUTES}", filled_in),
    below(rf"fewer than {rate('requests')} miss (?:the pool|it)", MISSES),
    above(rf"{rate('requests')} or more miss the pool", MISSES),
    above(rf"the machine has {size()} of memory or more", memory),
    below(rf"the rate of free pages needed falls to {rate('pages')}", asked_for),
    below(rf"fewer than {COUNT} connections are active", active),
    below(rf"less than {size()} are available", row("host", "memory_available_bytes")),
    above(rf"^it is above {COUNT}$", own_setting),
    below(r"queries wait for a free page less than (once)() a second", WAITS),
)


@dataclass(frozen=True)
class Flip:
    """One figure of one case's text: the case short of it and past it."""

    rule: Rule
    case: Spec
    said: str
    short: Spec
    past: Spec


def figure(match: re.Match[str]) -> float:
    number, unit = match.groups()
    return 1.0 if number == "once" else float(number.replace(",", "")) * UNITS[unit]


def alternatives(text: str) -> Iterator[str]:
    """The parts of which each alone changes the outcome; one that takes two things is left out."""
    for part in re.split(
        r",? or (?=fewer|the |flush|more than|less than|[\d.]+ k? ?requests)", text
    ):
        if not re.search(r"\b(?:while|and)\b", part):
            yield part


def outcome_of(rule: Rule, spec: Spec) -> Outcome:
    return judge_by(rule, FactSource(build(copy.deepcopy(spec))))


def flips(rule: Rule) -> Iterator[Flip]:
    for case in cases_of(rule):
        outcome = outcome_of(rule, case)
        if case["name"] in FLIPS_BEFORE:
            continue
        if not isinstance(outcome, Recommendation) or case.get("sandbox"):
            continue  # what Leadline's own server counts is nobody's load
        text = outcome.flips_when.replace("\u202f", " ")
        for part in alternatives(text):
            for phrase in PHRASES:
                match = re.search(phrase.pattern, part)
                if match is None:
                    continue
                put = phrase.put
                if put is own_setting:
                    put = row("variables", outcome.setting)
                short = put(case, phrase.short * figure(match))
                past = put(case, phrase.past * figure(match) or 1.0)
                if short is not None and past is not None:
                    yield Flip(rule, case, f"{case['name']}: {part}", short, past)


FLIPS_BEFORE = {
    # Where less is written the checkpoint age's room counts first: the rate below which the plan is
    # four times what is written is true, and is not the nearest figure.
    "an age of half of its limit: what is written has to be written",
}
"""Cases whose outcome turns before the figure that is named, for another reason."""


def said(outcome: Outcome) -> tuple[object, ...]:
    if isinstance(outcome, Recommendation):
        return (outcome.verdict, outcome.effect)
    return (type(outcome),)


def flips_there(flip: Flip) -> None:
    first = outcome_of(flip.rule, flip.case)
    short, past = outcome_of(flip.rule, flip.short), outcome_of(flip.rule, flip.past)
    assert said(short)[0] == said(first)[0], f"{flip.said}: already {short}"
    assert said(past) != said(short), f"{flip.said}: still {past}"


# All of a rule in one test: as tests of their own they would be found by judging every case.
@pytest.mark.parametrize("rule", all_rules(), ids=lambda rule: rule.id)
def test_the_outcome_is_another_one_past_each_figure_that_is_named(rule: Rule) -> None:
    for flip in flips(rule):
        flips_there(flip)


def test_texts_of_many_rules_are_tried() -> None:
    assert sum(any(flips(rule)) for rule in all_rules()) >= 20
