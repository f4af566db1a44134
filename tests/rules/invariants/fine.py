"""Risks, and rules that find what they name or deny fine."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from advisor.judging.engine import is_risk
from advisor.judging.memory_first import OF_MEMORY
from advisor.outcomes import Recommendation
from tests.rules.invariants.answer import Answer
from tests.rules.invariants.pool import POOL

SIZES_THE_POOL = "memory-limits.dedicated-server"
OF_THE_LOG = {"redo.checkpoint-age": ("redo.capacity",)}
"""Rules that look at what another one finds at risk."""

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


def fine_beside_its_risk(answer: Answer) -> Iterator[str]:
    """No rule is fine about what a risk names or denies."""
    risks = [one for one in answer.said if is_risk(one)]
    for one in answer.fine:
        for risk in risks:
            if _same_matter(answer, one, risk):
                yield f"{one.rule} is fine ({one.effect}) beside {risk.rule}: {risk.saw}"


def _same_matter(answer: Answer, one: Recommendation, risk: Recommendation) -> bool:
    if one.setting and one.setting == risk.setting:
        return True
    if one.rule in OF_THE_LOG.get(risk.rule, ()):
        return True
    if any(risk.rule in rules and re.search(words, one.effect) for words, rules in DENIED.items()):
        return True
    # A server that sizes its pool by itself is why memory runs out, unless another setting is.
    mysql = answer.case.inventory.mysql
    itself = mysql is not None and mysql.switch("innodb_dedicated_server")
    of_memory = risk.topic in OF_MEMORY and risk.setting in {"", POOL}
    return bool(itself) and one.rule == SIZES_THE_POOL and of_memory
