"""A plan as commands of a managed service's own program: Azure's az, Google's gcloud.

Their accounts may not SET GLOBAL: parameters and flags are changed from outside, by name.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterable

from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export.comments import afterwards, commented, joined, left_out, offers, subject
from advisor.plan.export.parameters import Chosen, Parameter, after, before, parameters
from advisor.plan.foreign_words import az, gcloud
from advisor.variables.managed import REDO_FILE_SIZES, SET_BY_SERVICE

_GROUPS = (Group.ONLINE, Group.RESTART)

_AZURE_HEAD = (
    "Leadline: {what} of {subject}",
    "Set SERVER and RESOURCE_GROUP to the names of your flexible server and its group.",
    "What the service does not let you change is refused by name.",
)
_GOOGLE_HEAD = (
    "Leadline: {what} of {subject}",
    "Set INSTANCE to the name of your instance, and OTHER_FLAGS to the flags that stay, as",
    "NAME=VALUE,NAME=VALUE: the command replaces all of them. This shows them:",
    "gcloud sql instances describe INSTANCE --format='value(settings.databaseFlags)'",
    "Cloud SQL restarts the instance where a flag takes it, and asks before.",
)


def apply_azure(plan: ChangePlan) -> str:
    """Shell lines: ``az mysql flexible-server parameter set`` for each setting, then a restart."""
    return _azure(plan, "changes", *parameters(_settings(plan), after, az))


def undo_azure(plan: ChangePlan) -> str:
    """The same with the values before."""
    return _azure(plan, "the old parameters", *parameters(_settings(plan)[::-1], before, az))


def apply_google(plan: ChangePlan) -> str:
    """Shell lines: one ``gcloud sql instances patch --database-flags`` with all settings."""
    return _google(plan, "changes", *parameters(_settings(plan), after, gcloud))


def undo_google(plan: ChangePlan) -> str:
    """The same with the values before."""
    return _google(plan, "the old flags", *parameters(_settings(plan)[::-1], before, gcloud))


def _azure(plan: ChangePlan, what: str, chosen: list[Parameter], not_here: list[str]) -> str:
    lines = _head(_AZURE_HEAD, plan, what)
    lines += [': "${SERVER:?}" "${RESOURCE_GROUP:?}"', ""]
    where = '--resource-group "$RESOURCE_GROUP"'
    for one in chosen:
        if one.name == "innodb_log_file_size":
            sizes = ", ".join(map(str, REDO_FILE_SIZES))
            lines += commented("#", (f"The service takes one of {sizes}.",))
        lines.append(
            f'az mysql flexible-server parameter set {where} --server-name "$SERVER" '
            f"--name {one.name} --value {shlex.quote(one.value)}"
        )
    if any(one.group is Group.RESTART for one in chosen):
        lines.append(f'az mysql flexible-server restart {where} --name "$SERVER"')
    return joined([*lines, *_others(plan, not_here)])


def _google(plan: ChangePlan, what: str, chosen: list[Parameter], not_here: list[str]) -> str:
    lines = _head(_GOOGLE_HEAD, plan, what)
    if chosen:
        # Another character than the comma parts them, which stands inside values.
        flags = "~".join(f"{one.name}={one.value}" for one in chosen)
        lines += [
            ': "${INSTANCE:?}" "${OTHER_FLAGS?}"',
            "",
            "others=$(printf '%s' \"$OTHER_FLAGS\" | tr , '~')",
            f'gcloud sql instances patch "$INSTANCE" --database-flags="^~^${{others:+$others~}}"'
            f"{shlex.quote(flags)}",
        ]
    return joined([*lines, *_others(plan, not_here)])


def _head(lines: Iterable[str], plan: ChangePlan, what: str) -> list[str]:
    sentences = (line.format(what=what, subject=subject(plan)) for line in lines)
    return ["#!/bin/sh", "set -eu", *commented("#", sentences)]


def _settings(plan: ChangePlan) -> list[Chosen]:
    chosen = [(action.group, step) for action, step in plan.settings(*_GROUPS)]
    return [(group, step) for group, step in chosen if step.name not in SET_BY_SERVICE]


def _others(plan: ChangePlan, not_here: Iterable[str]) -> list[str]:
    """What these commands do not do, as comments."""
    kept = [step.name for _, step in plan.settings(*_GROUPS) if step.name in SET_BY_SERVICE]
    sentences = [
        *not_here,
        *left_out(plan),
        *offers(plan),
        *(f"{name}: the service sets it itself." for name in kept),
    ]
    elsewhere = len(plan.changes) - len(plan.settings(*_GROUPS))
    if elsewhere:
        sentences.append(f"Steps that are no parameters: {elsewhere}.")
    return ["", *commented("#", (*sentences, *afterwards(plan)))] if sentences else []
