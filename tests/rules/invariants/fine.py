"""Risks, and rules that find what they name fine."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.gain import Stakes
from advisor.outcomes import Recommendation
from advisor.ranking import stakes
from advisor.report.limit import OF_MEMORY
from tests.rules.invariants.answer import Answer

SIZES_THE_POOL = "memory-limits.dedicated-server"
OF_THE_LOG = {"redo.checkpoint-age": ("redo.capacity",)}
"""Rules that look at what another one finds at risk."""


def fine_beside_its_risk(answer: Answer) -> Iterator[str]:
    """No rule is fine about what a risk names."""
    risks = [one for one in answer.said if stakes(one) is Stakes.DATA]
    for one in answer.fine:
        for risk in risks:
            if _same_matter(answer, one, risk):
                yield f"{one.rule} is fine beside the risk of {risk.rule}: {risk.saw}"


def _same_matter(answer: Answer, one: Recommendation, risk: Recommendation) -> bool:
    if one.setting and one.setting == risk.setting:
        return True
    if one.rule in OF_THE_LOG.get(risk.rule, ()):
        return True
    # A server that takes its memory by itself is why it runs out.
    mysql = answer.case.inventory.mysql
    itself = mysql is not None and mysql.switch("innodb_dedicated_server")
    return bool(itself) and one.rule == SIZES_THE_POOL and risk.topic in OF_MEMORY
