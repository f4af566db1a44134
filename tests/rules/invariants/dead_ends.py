"""Rules that lead nowhere: that failed, or that send to another one, which sees nothing to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from advisor.why import RuleFailed
from tests.rules.invariants.answer import Answer

FIRST = "it first"
"""How advice ends that takes another change before it."""

SENT_TO: Mapping[str, str] = {"open_files_limit": "files.open-files-limit"}
"""What is to be changed first, and the rule that proposes it."""


def failed_rules(answer: Answer) -> Iterator[str]:
    """No rule has a fault."""
    for one in answer.judgement.not_judged:
        if isinstance(one.why, RuleFailed):
            yield f"{one.rule}: {one.why.error}, {one.why.text}"


def sent_to_a_fine_rule(answer: Answer) -> Iterator[str]:
    """No rule asks for a change first that its own rule sees no need for."""
    fine = {one.rule for one in answer.fine}
    for one in answer.said:
        for words, rule in SENT_TO.items():
            if FIRST in one.effect and words in one.effect and rule in fine:
                yield f"{one.rule} ({one.effect}) beside {rule}, which is fine"
