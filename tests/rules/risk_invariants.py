"""What holds of any judgement about risks, whatever the server is.

- Advice whose effect says that something is lost, torn or corrupted, or speaks of a crash or a
  power cut, is a risk to data by its stakes.
- Nothing is fine about what a risk names: not its setting, nor what it denies.
- Nothing is bought beyond a ceiling that the same card names.

Each function gives what breaks it, as sentences; an empty list where it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from advisor.gain import Stakes
from advisor.outcomes import Judgement, Recommendation, Verdict

LOSS = re.compile(
    r"\b(los(e|es|t|ing)|torn|tears?|power (cut|loss)|crash(es|ed)?|corrupt(s|ed|ion)?)\b",
    re.IGNORECASE,
)

SYNCS = ("durability.write-cache", "block.write-cache")
LOGS = ("redo.enabled", "redo.checkpoint-age", "redo.log-file-mmap")
DENIED: Mapping[str, Sequence[str]] = {
    r"commits? survives? a power cut": (*SYNCS, *LOGS),
    r"what was committed can be recovered": ("redo.checkpoint-age", "redo.log-file-mmap"),
    r"[Dd]urability (is cheap|costs little)": SYNCS,
    r"miss no events after a power cut": SYNCS,
    r"torn pages can be repaired": (*SYNCS, "flushing.flush-method", *LOGS[:2]),
    r"pages have time to collect their changes": ("redo.checkpoint-age",),
    r"would lengthen recovery and save little": ("redo.checkpoint-age",),
}
"""What no rule may call fine, by the risks that deny it."""

HARDLY_ANY_LEFT = "reduce something before you enlarge anything"
"""What the rule on the memory that is left says only where hardly any is."""

SIZES_ITSELF = "memory-limits.dedicated-server"

_FIGURE = r"([\d.,]+)\u202f(?:([kMG]) )?(requests/s|[KMGT]?i?B/s)"
_CEILING = re.compile(rf" Next comes [^:]*: {_FIGURE}(?:, {_FIGURE} of )?")
_TIMES = {"": 1.0, "k": 1e3, "M": 1e6, "G": 1e9}
_BYTES = {"B/s": 1.0, "KiB/s": 2.0**10, "MiB/s": 2.0**20, "GiB/s": 2.0**30, "TiB/s": 2.0**40}
ROUNDING = 1.01
"""Figures are said with three digits."""


def broken(judgement: Judgement) -> list[str]:
    """All that breaks, in one list."""
    said = judgement.recommendations
    return [
        *(each for one in said for each in losses_without_stakes(one)),
        *fine_beside_risks(said),
        *(each for one in said for each in bought_beyond_a_ceiling(one)),
    ]


def losses_without_stakes(one: Recommendation) -> list[str]:
    """Whether advice that speaks of a loss is not about data."""
    if one.verdict is Verdict.FINE or one.stakes is Stakes.DATA or not LOSS.search(one.effect):
        return []
    return [f"{one.rule} is about {one.stakes}, and says: {one.effect}"]


def is_risk(one: Recommendation) -> bool:
    return one.verdict is not Verdict.FINE and one.stakes is Stakes.DATA


def fine_beside_risks(said: Sequence[Recommendation]) -> list[str]:
    """What is called fine although a risk names or denies it."""
    risks = {one.rule: one for one in said if is_risk(one)}
    fine = [one for one in said if one.verdict is Verdict.FINE]
    return [
        f"{one.rule} is fine ({one.effect}) beside {risk}"
        for one in fine
        for risk in dict.fromkeys(_against(one, risks))
    ]


def _against(one: Recommendation, risks: Mapping[str, Recommendation]) -> Iterator[str]:
    yield from (rule for rule, risk in risks.items() if one.setting and one.setting == risk.setting)
    for words, rules in DENIED.items():
        if re.search(words, one.effect):
            yield from (rule for rule in rules if rule in risks)
    if one.rule == SIZES_ITSELF and one.now.upper() == "ON":
        left = risks.get("host.memory-left")
        if left is not None and HARDLY_ANY_LEFT in left.effect:
            yield left.rule
        pool = risks.get("buffer-pool.size")
        if pool is not None and "swapped" in pool.saw:
            yield pool.rule


def bought_beyond_a_ceiling(one: Recommendation) -> list[str]:
    """Whether more is to be bought than the limit lets through that the card names as the next."""
    wanted = re.fullmatch(_FIGURE, one.proposed)
    if one.verdict is not Verdict.RECOMMEND or not one.rule.startswith("cloud.") or wanted is None:
        return []
    if " is nearer: " in one.saw:
        return [f"{one.rule} buys {one.proposed} behind a limit that is nearer: {one.saw}"]
    named = _CEILING.search(one.saw)
    if named is None:
        return []
    figures = [named.groups()[:3], named.groups()[3:]]
    in_bytes = wanted[3] in _BYTES
    ends = [_value(*each) for each in figures if each[0] and (each[2] in _BYTES) is in_bytes]
    bought = _value(wanted[1], wanted[2], wanted[3])
    if not ends or bought <= ROUNDING * min(ends):
        return []
    return [f"{one.rule} buys {one.proposed}: {one.saw}"]


def _value(number: str, prefix: str | None, unit: str) -> float:
    return float(number.replace(",", "")) * _TIMES[prefix or ""] * _BYTES.get(unit, 1.0)
