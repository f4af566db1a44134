"""Scenarios that were named and kept with the run that they were asked of."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field

from advisor.forecasts.what_if import WhatIf
from probes.errors import UsageError
from probes.figures import counted, duration_us, ranged, rate, times

MOST_LETTERS = 80

_DRIVE, _OPTION = "drive", "--"
_ROUND = str.maketrans("[]", "()")
_NOTHING: Mapping[str, str] = {}
_TURNED = re.compile(r"(?P<said>[^\[]*) \[(?P<turned>.*)\]", re.DOTALL)


@dataclass(frozen=True, slots=True)
class KeptScenario:
    """A scenario: its name, what was forecast as a sentence, and what was turned.

    ``wanted`` are values by name as `turned` takes them, ``drive`` what the other drive is called
    where there is one. ``besides`` are options of the command line that turn what no page can.
    """

    name: str
    sentence: str
    wanted: Mapping[str, str]
    drive: str = ""
    besides: Mapping[str, str] = field(default_factory=dict)

    @property
    def stored(self) -> str:
        """All of it but its name as one text, as it is kept with its run."""
        options = {f"{_OPTION}{name}": value for name, value in self.besides.items()}
        every = {**self.wanted, **({_DRIVE: self.drive} if self.drive else {}), **options}
        turned = shlex.join(f"{name}={value}" for name, value in every.items())
        return f"{self.sentence} [{turned}]"


def scenario(
    name: str,
    found: WhatIf,
    wanted: Mapping[str, str],
    drive: str,
    besides: Mapping[str, str] = _NOTHING,
) -> KeptScenario:
    """Name a forecast; raises UsageError for a name that is none, or where nothing is turned."""
    plain = " ".join(name.split())
    if not plain or len(plain) > MOST_LETTERS or not plain.isprintable():
        raise UsageError(
            "A scenario needs a name.", f"Write up to {MOST_LETTERS} letters, as: more memory."
        )
    if not found.turned.words:
        raise UsageError(
            "Nothing is changed: there is no scenario to keep.", "Change a value first."
        )
    return KeptScenario(plain, forecast_text(found), dict(wanted), drive, dict(besides))


def forecast_text(found: WhatIf) -> str:
    """A forecast in one sentence, without its end, as it is kept."""
    then, gain = found.then, found.gain
    more, least, most = ranged(gain.value, gain.low, gain.high, times)
    change = ", ".join(f"{what} {now} to {value}" for what, now, value in found.turned.words)
    sentence = (
        f"{change}: {more} today's queries ({least} to {most}), "
        f"{rate(then.rate_per_s.value)} with {counted(then.threads, 'connection')}, "
        f"{duration_us(then.latency_us)} each"
    )
    late = found.times_then
    if late is not None:
        sentence += f", 95 of 100 within {late.every.p95_us.text(duration_us)}"
    # In brackets stands what was turned.
    return sentence.translate(_ROUND)


def kept(stored: Mapping[str, str]) -> list[KeptScenario]:
    """A run's scenarios by name, from their texts; what is of another form is left out."""
    found = []
    for name, text in sorted(stored.items()):
        parts = _TURNED.fullmatch(text)
        if parts is None:
            continue
        wanted = _pairs(parts["turned"])
        drive = wanted.pop(_DRIVE, "")
        options = {each for each in wanted if each.startswith(_OPTION)}
        besides = {each.removeprefix(_OPTION): wanted.pop(each) for each in sorted(options)}
        found.append(KeptScenario(name, parts["said"], wanted, drive, besides))
    return found


def _pairs(turned: str) -> dict[str, str]:
    """Values by name; none where the quotes of a damaged text have no end."""
    try:
        words = shlex.split(turned)
    except ValueError:
        words = []
    return {key: value for key, equals, value in (each.partition("=") for each in words) if equals}
