"""What an effect says is lost, against the list that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor.gain import Stakes
from advisor.outcomes import Recommendation, Verdict
from advisor.ranking import stakes
from tests.rules.invariants.answer import Answer

LOSS = re.compile(
    r"\b(los(e|es|t|ing)\b(?! its effect)|torn\b|tears?\b|power (cut|loss)|crash\w*|corrupt\w*"
    r"|cut off)",
    re.IGNORECASE,
)
"""Words of what goes wrong with data; a line that "loses its effect" loses none."""


def loss_without_stakes(answer: Answer) -> Iterator[str]:
    """An effect that says what is lost, torn or survives a power cut is of the stakes of data."""
    for one in answer.said:
        yield from loss_of(one)


def loss_of(one: Recommendation) -> Iterator[str]:
    """The same of one card."""
    if one.verdict is Verdict.FINE or stakes(one) is Stakes.DATA or not LOSS.search(one.effect):
        return
    yield f"{one.rule} of the stakes of {stakes(one).value}: {one.effect}"
