"""What is bought against the limits that the same card names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor.outcomes import Recommendation, Verdict
from advisor.steps import Needs
from tests.rules.invariants.answer import Answer

UNITS = {"": 1.0, "k": 1e3, "M": 1e6, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
_FIGURE = r"([\d.,]+)[\s\u202f]?(k|M|KiB|MiB|GiB)?[\s\u202f]?"
REQUESTS = re.compile(_FIGURE + r"requests/s")
BYTES = re.compile(_FIGURE.replace("(k|M|KiB|MiB|GiB)?", "(KiB|MiB|GiB)") + r"/s")
NEXT = re.compile(r"Next comes[^.]*(?:\.\d[^.]*)*")
NEARER = " is nearer: "
INCLUDED = " without its being bought"
ROUNDED = 1.01
"""Figures are said with three digits."""


def bought_beyond_a_ceiling(answer: Answer) -> Iterator[str]:
    """Nothing is bought beyond a ceiling that the card itself names."""
    for one in answer.judgement.recommendations:
        yield from beyond_of(one)


def beyond_of(one: Recommendation) -> Iterator[str]:
    """The same of one card: what comes with a volume costs no more for a ceiling below it."""
    if one.verdict is not Verdict.RECOMMEND or one.needs is not Needs.MONEY:
        return
    if INCLUDED in one.formula:
        return
    for kind in (REQUESTS, BYTES):
        wanted = _figures(kind, one.proposed)
        if not wanted:
            continue
        if NEARER in one.saw:
            yield f"{one.rule} buys {one.proposed} behind a limit that is nearer: {one.saw}"
        for named in NEXT.finditer(one.saw):
            ceilings = _figures(kind, named[0])
            if ceilings and wanted[0] > ROUNDED * min(ceilings):
                yield f"{one.rule} buys {one.proposed}: {named[0]}"


def _figures(kind: re.Pattern[str], text: str) -> list[float]:
    return [float(m[1].replace(",", "")) * UNITS[m[2] or ""] for m in kind.finditer(text)]
