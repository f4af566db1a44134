"""A plan as parameters of a managed database's parameter group (Amazon RDS and Aurora)."""

from __future__ import annotations

import json
from typing import Any

from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export.comments import afterwards, left_out, offers, plain_line, subject
from advisor.plan.export.parameters import Chosen, Parameter, after, before, parameters
from advisor.plan.foreign_words import aws
from advisor.variables.aurora import AURORA, NOT_IN_AURORA

MOST_IN_ONE_CALL = 20
"""More parameters than these are refused in one call."""

_HOW = (
    "Give each of the inputs to: aws rds {call} --cli-input-json. What your engine does not let "
    "you change is refused by name, and nothing of that input is done. A default group can't be "
    "changed: make one of your own first, which the instance takes at a reboot.{besides}"
)
_OF_THE_CLUSTER = (
    " An instance takes its cluster's value, unless its own parameter group sets another one."
)

_METHODS = {Group.ONLINE: "immediate", Group.RESTART: "pending-reboot"}


def apply(plan: ChangePlan) -> str:
    """JSON: a list of inputs for ``aws rds modify-db-parameter-group --cli-input-json``.

    On Aurora they are for ``modify-db-cluster-parameter-group``.
    """
    return _document(plan, *parameters(_settings(plan), after, aws))


def undo(plan: ChangePlan) -> str:
    """JSON in the same form, with the values before.

    A value that the group held as a formula comes back as the number that it gave.
    """
    return _document(plan, *parameters(_settings(plan)[::-1], before, aws))


def _settings(plan: ChangePlan) -> list[Chosen]:
    return [
        (action.group, step)
        for action, step in plan.settings(*_METHODS)
        if not (_on_aurora(plan) and step.name in NOT_IN_AURORA)
    ]


def _on_aurora(plan: ChangePlan) -> bool:
    return plan.version is not None and plan.version.vendor == AURORA


def _document(plan: ChangePlan, chosen: list[Parameter], unwritable: list[str]) -> str:
    # Aurora keeps some parameters in the cluster's group alone, and all of them there as well.
    aurora = _on_aurora(plan)
    group = "DBClusterParameterGroupName" if aurora else "DBParameterGroupName"
    call = "modify-db-cluster-parameter-group" if aurora else "modify-db-parameter-group"
    calls = [
        {group: "NAME-OF-YOUR-PARAMETER-GROUP", "Parameters": some} for some in _portions(chosen)
    ]
    document: dict[str, Any] = {
        "for": subject(plan),
        "how": _HOW.format(call=call, besides=_OF_THE_CLUSTER if aurora else ""),
        "inputs": calls,
        "not_here": [plain_line(sentence) for sentence in (*unwritable, *_not_here(plan))],
    }
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _portions(chosen: list[Parameter]) -> list[list[dict[str, str]]]:
    entries = [
        {
            "ParameterName": one.name,
            "ParameterValue": one.value,
            "ApplyMethod": _METHODS[one.group],
        }
        for one in chosen
    ]
    starts = range(0, len(entries), MOST_IN_ONE_CALL)
    return [entries[start : start + MOST_IN_ONE_CALL] for start in starts]


def _not_here(plan: ChangePlan) -> list[str]:
    sentences = [*left_out(plan), *offers(plan)]
    if _on_aurora(plan):
        sentences += [
            f"{step.name}: Aurora's own storage takes no notice of it."
            for _, step in plan.settings(*_METHODS)
            if step.name in NOT_IN_AURORA
        ]
    elsewhere = len(plan.changes) - len(plan.settings(*_METHODS))
    if elsewhere:
        sentences.append(f"Steps that are no parameters: {elsewhere}.")
    return [*sentences, *afterwards(plan)]
