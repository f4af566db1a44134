"""A plan as a text that people read and work through."""

from __future__ import annotations

import re
from collections.abc import Iterator

from advisor.plan import relations
from advisor.plan.change_plan import GROUP_TITLES, Action, ChangePlan, Group
from advisor.plan.export.comments import joined, plain_line, subject
from advisor.plan.step_texts import parameters, parameters_back
from advisor.plan.writing import (
    cnf_line,
    cnf_line_back,
    forget_sql,
    online_sql,
    online_undo_sql,
    read_sql,
    resize_sql,
    set_sql,
)
from advisor.steps import HostCommand, Procedure, RemoveLine, SetVariable
from advisor.variables.managed import service_of
from probes.version import ServerVersion

DEFAULTS_ASSUMED = (
    "The settings before are the version's defaults, because the server that was measured was "
    "Leadline's own. Compare them with yours first."
)
"""What a plan says that was checked against no server of the user's."""

_IN_FILE = "In the option file, below [mysqld]:"

_MARKS = re.compile(r"([\\`*\[\]<>#|~&!]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9]))")


def apply(plan: ChangePlan) -> str:
    """The whole plan: what to do in which order, how to check it, what was left out."""
    title, *about = plan.about or (f"Change plan for {subject(plan)}",)
    lines = [
        f"# {escaped(title)}",
        *(["", *(f"- {escaped(one)}" for one in about)] if about else []),
    ]
    lines += _preamble(plan)
    for group, title in GROUP_TITLES.items():
        actions = plan.of(group)
        if actions:
            lines += ["", f"## {title}"]
        for number, action in enumerate(actions, 1):
            lines += ["", f"### {number}. {_what(action)}", "", *_body(plan, action)]
    if plan.left_out:
        lines += ["", "## Left out", ""]
    lines += [
        f"- {code(one.what)} ({code(one.rule)}): {escaped(one.because)}" for one in plan.left_out
    ]
    return joined(lines)


def undo(plan: ChangePlan) -> str:
    """The way back, last step first."""
    lines = [f"# The way back for {escaped(subject(plan))}"]
    if not plan.changes:
        lines += ["", "There is nothing to take back."]
    for number, action in enumerate(reversed(plan.changes), 1):
        lines += ["", f"## {number}. Take back: {_what(action)}", "", *_back(plan, action)]
    return joined(lines)


def escaped(text: str) -> str:
    """Foreign text as plain words: no mark-up, no HTML, one line."""
    return _MARKS.sub(r"\\\1", plain_line(text)).replace("\\<", "&lt;").replace("\\&", "&amp;")


def code(text: str) -> str:
    """Foreign text as a code span that it can't close."""
    said = plain_line(text)
    mark = "`" * (1 + max((len(found) for found in re.findall("`+", said)), default=0))
    space = " " if said.startswith("`") or said.endswith("`") else ""
    return f"{mark}{space}{said}{space}{mark}"


def fenced(text: str, language: str = "") -> list[str]:
    """Text as a code block, behind a fence that it can't close."""
    lines = [plain_line(line) for line in text.split("\n")]
    longest = max((len(found) for found in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return [f"{fence}{language}", *lines, fence]


def _preamble(plan: ChangePlan) -> Iterator[str]:
    if not plan.actions:
        yield ""
        yield "This plan holds no change."
    if plan.sandbox:
        yield ""
        yield DEFAULTS_ASSUMED


def _what(action: Action) -> str:
    step = action.step
    match step:
        case SetVariable():
            was = f" (now {code(step.standing.value)})" if step.standing.value else ""
            return f"{code(f'{step.name} = {step.value}')}{was}"
        case RemoveLine():
            return f"Delete {code(step.line)}"
        case HostCommand() | Procedure():
            return escaped(step.what)


def _body(plan: ChangePlan, action: Action) -> Iterator[str]:
    step = action.step
    for note in action.notes:
        yield f"{escaped(note)}\n"
    match step:
        case SetVariable():
            yield from _setting(plan.version, action, step)
        case RemoveLine():
            yield from _removal(step)
        case HostCommand():
            yield from _command(step)
        case Procedure():
            yield from (f"{number}. {escaped(do)}" for number, do in enumerate(step.steps, 1))
    if action.rules:
        yield ""
        yield f"Asked for by {', '.join(map(code, action.rules))}."


def _setting(version: ServerVersion | None, action: Action, step: SetVariable) -> Iterator[str]:
    if (service := service_of(version)) is not None:
        yield from (*fenced("\n".join(parameters(service, [step])), "ini"), "")
    else:
        yield from _own_setting(version, action, step)
    yield f"Afterwards this shows {code(action.shows)}:"
    yield ""
    yield from fenced(read_sql(step.name), "sql")


def _own_setting(version: ServerVersion | None, action: Action, step: SetVariable) -> Iterator[str]:
    """A setting of a server whose owner sets it: the statement, the option file's line."""
    if version is not None and action.group is Group.ONLINE:
        keep = action.written
        yield from fenced(online_sql(version, step.name, step.value, keep=keep), "sql")
        yield ""
    if action.written:
        rebuilt = action.group is Group.REBUILD
        where = "The new data directory is made with:" if rebuilt else _IN_FILE
        yield from (where, "", *fenced(cnf_line(step.name, step.value, version), "ini"), "")


def _removal(step: RemoveLine) -> Iterator[str]:
    if step.persisted:
        yield from fenced(forget_sql(step.name), "sql")
    else:
        yield f"Take this line out of {_place(step)}:"
        yield ""
        yield from fenced(step.line, "ini")


def _place(step: RemoveLine) -> str:
    if not step.origin:
        return "the option file"
    return f"{code(step.origin)}, line {step.number}" if step.number else code(step.origin)


def _command(step: HostCommand) -> Iterator[str]:
    yield from fenced(step.run, "sh")
    if step.keep_file:
        yield ""
        yield f"To keep it over a boot, in {code(step.keep_file)}:"
        yield ""
        yield from fenced(step.keep_line)
    if step.verify:
        yield ""
        yield f"Check: {escaped(step.verify)}"


def _back(plan: ChangePlan, action: Action) -> Iterator[str]:
    step = action.step
    match step:
        case SetVariable():
            yield from _setting_back(plan.version, action, step)
        case RemoveLine():
            if step.persisted:
                yield from fenced(set_sql("PERSIST_ONLY", step.name, step.value), "sql")
            else:
                yield f"Put this line back into {_place(step)}:"
                yield ""
                yield from fenced(step.line, "ini")
        case HostCommand():
            yield from fenced(step.undo, "sh")
            if step.keep_file:
                yield ""
                yield f"In {code(step.keep_file)}, delete the line:"
                yield ""
                yield from fenced(step.keep_line)
        case Procedure():
            if not step.undo:
                yield "There is no way back but a copy of the data from before."
            yield from (f"{number}. {escaped(do)}" for number, do in enumerate(step.undo, 1))


def _setting_back(
    version: ServerVersion | None, action: Action, step: SetVariable
) -> Iterator[str]:
    if (service := service_of(version)) is not None:
        yield from fenced("\n".join(parameters_back(service, [step])), "ini")
        return
    if version is not None and action.group is Group.ONLINE:
        if relations.settles_later(version, step.name):
            yield (
                "Before it, and before what follows, ask this until it says Completed, that "
                "nothing changed, or nothing:"
            )
            yield ""
            yield from fenced(resize_sql(), "sql")
            yield ""
        yield from fenced(online_undo_sql(version, step.standing), "sql")
        yield ""
    if action.written:
        yield "In the option file:"
        yield ""
        yield from fenced(cnf_line_back(step.standing, version), "ini")
