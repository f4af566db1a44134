"""What is typed for one step of a plan: statements, lines of an option file, commands."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.plan.change_plan import Action, Group
from advisor.plan.export.sql import at_restart, online
from advisor.plan.step_texts import parameters
from advisor.plan.writing import cnf_line, persistable
from advisor.steps import HostCommand, Procedure, RemoveLine, SetVariable
from advisor.variables.managed import service_of
from probes.version import ServerVersion


def typed(version: ServerVersion | None, action: Action) -> tuple[str, ...]:
    """The lines for one step on a server of ``version``; none for a step by hand.

    What is not set by SQL stands below a comment that says where it goes.
    """
    match action.step:
        case HostCommand() as step:
            kept = (f"# {step.keep_file}", step.keep_line) if step.keep_file else ()
            return (step.run, *kept)
        case Procedure() as step:
            return tuple(step.sql.splitlines())
        case SetVariable() | RemoveLine() if version is not None:
            return tuple(_lines(version, action))
        case _:
            return ()


def _lines(version: ServerVersion, action: Action) -> Iterator[str]:
    step = action.step
    service = service_of(version)
    if service is not None:
        if isinstance(step, SetVariable):
            yield from parameters(service, [step])
    elif action.group is Group.ONLINE:
        yield from online(version, action)
        if isinstance(step, SetVariable) and action.written and not persistable(version, step.name):
            yield f"-- In the option file: {cnf_line(step.name, step.value, version)}"
    else:
        yield from at_restart(version, action)
