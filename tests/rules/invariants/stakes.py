"""What an effect says is lost, against the list that it stands in."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor.gain import Stakes
from advisor.ranking import stakes
from tests.rules.invariants.answer import Answer

LOSS = re.compile(
    r"\b(loses? (?!its effect)|losing|lost|torn|tear|corrupt\w*|power cut|crash\w*|cut off)",
    re.IGNORECASE,
)
"""Words of what goes wrong with data; a line that "loses its effect" loses none."""

WARNS = frozenset({"threads.native-aio"})
"""Rules that warn of what is switched off: nothing is at stake before somebody switches it on."""


def loss_without_stakes(answer: Answer) -> Iterator[str]:
    """An effect that says what is lost, torn or survives a power cut is of the stakes of data."""
    for one in answer.said:
        found = LOSS.search(one.effect)
        if found and stakes(one) is not Stakes.DATA and one.rule not in WARNS:
            yield f"{one.rule} of the stakes of {stakes(one).value}: {one.effect}"
