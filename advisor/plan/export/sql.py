"""A plan as SQL: what a running server takes now, and what it can keep for its next start."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from advisor.plan import relations
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.plan.export.comments import (
    afterwards,
    commented,
    joined,
    left_out,
    offers,
    subject,
    wrapped,
)
from advisor.plan.writing import (
    cnf_line,
    cnf_line_back,
    forget_sql,
    online_sql,
    online_undo_sql,
    persistable,
    read_sql,
    resize_sql,
    set_sql,
)
from advisor.steps import RemoveLine, SetVariable
from probes.version import ServerVersion

_Write = Callable[[ServerVersion, Action], Iterable[str]]

_WAIT = "Repeat until it says Completed or that nothing changed, or is empty; then go on."


def apply(plan: ChangePlan) -> str:
    """Statements in the order that the server needs; what it can't take stands as comments."""
    return joined(
        [
            f"-- Leadline: changes for {subject(plan)}",
            *_block("At any time", _notes_and(plan, Group.MACHINE, in_file)),
            *_block("At once", _notes_and(plan, Group.ONLINE, online)),
            *_block("With the next restart", _notes_and(plan, Group.RESTART, at_restart)),
            *_block("Read back what the server has made of it", _reading(plan)),
            *_others(plan),
        ]
    )


def undo(plan: ChangePlan) -> str:
    """Statements that return to the settings before the plan, last change first."""
    return joined(
        [
            f"-- Leadline: back to the settings before, for {subject(plan)}",
            *_block("At once", _backwards(plan, Group.ONLINE, _online_back)),
            *_block("With the next restart", _backwards(plan, Group.RESTART, _at_restart_back)),
            *_block("At any time", _backwards(plan, Group.MACHINE, _in_file_back)),
        ]
    )


def _block(title: str, lines: list[str]) -> list[str]:
    return ["", f"-- {title}", *lines] if lines else []


def _notes_and(plan: ChangePlan, group: Group, write: _Write) -> list[str]:
    lines: list[str] = []
    if plan.version is not None:
        for action in plan.of(group):
            lines += wrapped("--", action.notes)
            lines += write(plan.version, action)
    return lines


def _backwards(plan: ChangePlan, group: Group, write: _Write) -> list[str]:
    lines: list[str] = []
    if plan.version is not None:
        for action in reversed(plan.of(group)):
            lines += write(plan.version, action)
    return lines


def online(version: ServerVersion, action: Action) -> Iterator[str]:
    """What a running server is sent for one step."""
    if isinstance(step := action.step, SetVariable):
        yield online_sql(version, step.name, step.value, keep=action.written)
        yield from _settled(version, step)
    else:
        yield from in_file(version, action)


def _online_back(version: ServerVersion, action: Action) -> Iterator[str]:
    if isinstance(step := action.step, SetVariable):
        yield from _settled(version, step)
        yield online_undo_sql(version, step.standing)
        yield from _settled(version, step)
    else:
        yield from _in_file_back(version, action)


def _settled(version: ServerVersion, step: SetVariable) -> Iterator[str]:
    """Where a change goes on behind the statement, the server takes no other one meanwhile."""
    if relations.settles_later(version, step.name):
        yield from wrapped("--", (_WAIT,))
        yield resize_sql()


def at_restart(version: ServerVersion, action: Action) -> Iterator[str]:
    """What is written for the next start, for one step."""
    step = action.step
    if isinstance(step, SetVariable):
        if not action.written:
            return  # its note says what to do
        if persistable(version, step.name):
            yield set_sql("PERSIST_ONLY", step.name, step.value)
        else:
            yield f"-- In the option file: {cnf_line(step.name, step.value, version)}"
    else:
        yield from in_file(version, action)


def in_file(_: ServerVersion, action: Action) -> Iterator[str]:
    """How a line goes that a file, or the server itself, keeps; nothing for any other step."""
    if isinstance(step := action.step, RemoveLine):
        if step.persisted:
            yield forget_sql(step.name)
        else:
            yield f"-- Take out of {step.place or 'the option file'}: {step.line}"


def _at_restart_back(version: ServerVersion, action: Action) -> Iterator[str]:
    step = action.step
    if isinstance(step, SetVariable):
        if not action.written:
            yield f"-- As before: {cnf_line_back(step.standing, version)}"
        elif not persistable(version, step.name):
            yield f"-- In the option file: {cnf_line_back(step.standing, version)}"
        elif step.standing.persisted:
            yield set_sql("PERSIST_ONLY", step.name, step.standing.value)
        else:
            yield forget_sql(step.name)
    else:
        yield from _in_file_back(version, action)


def _in_file_back(_: ServerVersion, action: Action) -> Iterator[str]:
    if isinstance(step := action.step, RemoveLine):
        if step.persisted:
            yield set_sql("PERSIST_ONLY", step.name, step.value)
        else:
            yield f"-- Put back into {step.place or 'the option file'}: {step.line}"


def _reading(plan: ChangePlan) -> list[str]:
    return [
        f"{read_sql(step.name)} -- {action.shows}"
        for action, step in plan.settings(Group.ONLINE, Group.RESTART)
    ]


def _others(plan: ChangePlan) -> list[str]:
    """What SQL can't say is named, so that nobody takes this for the whole plan."""
    elsewhere = sum(
        not isinstance(action.step, RemoveLine)
        for action in plan.of(Group.MACHINE, Group.REWRITE, Group.REBUILD)
    )
    sentences = [*left_out(plan), *afterwards(plan)]
    if elsewhere:
        sentences.insert(0, f"Steps that can't be done in SQL: {elsewhere} (see the plan as text).")
    lines = [*wrapped("--", sentences), *_offered(plan)]
    return ["", *lines] if lines else []


def _offered(plan: ChangePlan) -> Iterator[str]:
    """The statements of what is not the plan's to decide: none of them is run."""
    for sentence, offer in zip(offers(plan), plan.offered, strict=True):
        yield from wrapped("--", (sentence,))
        yield from commented("--", offer.typed)
