"""A plan as a fragment of an option file: with it the server starts as planned."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export.comments import (
    afterwards,
    commented,
    headline,
    joined,
    left_out,
    offers,
    subject,
    wrapped,
)
from advisor.plan.writing import cnf_line, cnf_line_back, forget_sql
from advisor.steps import RemoveLine

HOW = (
    "Save it as a file of its own that the server reads last, such as "
    "/etc/mysql/conf.d/zz-leadline.cnf, and restart. To undo, delete that file and restart."
)
_TITLES = {
    Group.ONLINE: "The running server takes these at once as well, as statements.",
    Group.RESTART: "These take effect with the restart.",
}


def apply(plan: ChangePlan) -> str:
    """The fragment; what only a new data directory takes is a comment in it."""
    lines = [*wrapped("#", (*headline(plan), HOW)), "[mysqld]"]
    for group, title in _TITLES.items():
        found = plan.written(group)
        if found and not plan.about:
            lines += ["", *commented("#", (title,))]
        for action, step in found:
            lines += wrapped("#", action.notes)
            lines.append(cnf_line(step.name, step.value, plan.version))
    sentences = beside(plan)
    return joined([*lines, *([""] if sentences else []), *commented("#", sentences)])


def beside(plan: ChangePlan) -> list[str]:
    """What a file of its own can't do, and what the plan does not hold."""
    return [
        *_removed(plan),
        *_persisted(plan),
        *_rebuilt(plan),
        *left_out(plan),
        *offers(plan),
        *afterwards(plan),
    ]


def undo(plan: ChangePlan) -> str:
    """The fragment that states the settings before the plan."""
    lines = wrapped(
        "#",
        (
            f"Leadline: back to the settings before, for {subject(plan)}",
            "Delete the plan's own file and restart. Where its lines were written into another "
            "file, these take their place.",
        ),
    )
    lines.append("[mysqld]")
    for _, step in plan.written(Group.ONLINE, Group.RESTART):
        lines.append(cnf_line_back(step.standing, plan.version))
    return joined([*lines, *commented("#", put_back(plan))])


def put_back(plan: ChangePlan) -> list[str]:
    """The lines of other files that the way back needs again."""
    return [
        f"Put back into {step.place or 'the option file'}: {step.line}"
        for step in _lines_removed(plan)
    ]


def _removed(plan: ChangePlan) -> Iterator[str]:
    for step in _lines_removed(plan):
        yield f"Take out of {step.place or 'the option file'}: {step.line}"


def _lines_removed(plan: ChangePlan) -> list[RemoveLine]:
    steps = [action.step for action in plan.actions]
    return [step for step in steps if isinstance(step, RemoveLine) and not step.persisted]


def _persisted(plan: ChangePlan) -> Iterator[str]:
    """What the server keeps itself wins over this file, so it has to forget it."""
    names = [
        step.name
        for _, step in plan.written(Group.ONLINE, Group.RESTART)
        if step.standing.persisted
    ]
    names += [
        action.step.name
        for action in plan.actions
        if isinstance(action.step, RemoveLine) and action.step.persisted
    ]
    for name in names:
        yield f"Run this, too, because a persisted value wins over this file: {forget_sql(name)}"


def _rebuilt(plan: ChangePlan) -> Iterator[str]:
    for _, step in plan.settings(Group.REBUILD):
        yield f"Only in a new data directory: {cnf_line(step.name, step.value, plan.version)}"
