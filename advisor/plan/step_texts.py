"""What steps are in words to be copied: statements, option-file lines, commands, and the way back.

The one renderer of a single piece of advice; a whole plan is written by ``advisor.plan.export``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from advisor.outcomes import Apply
from advisor.plan.checks import fault
from advisor.plan.export.comments import commented, plain_line
from advisor.plan.writing import (
    cnf_line,
    cnf_line_back,
    forget_sql,
    online_sql,
    online_undo_sql,
    read_sql,
    set_sql,
)
from advisor.steps import HostCommand, Needs, Procedure, RemoveLine, SetVariable, Step
from advisor.variables.managed import Service, service_of
from probes.version import ServerVersion

_AT_START = "# in the option file, then restart:"
_NEW_DIRECTORY = "# only for a new, empty data directory:"


@dataclass(frozen=True, slots=True)
class StepTexts:
    """``undo`` goes from the last step to the first; each text is "" where there is none."""

    apply: Apply
    undo: str
    verify: str


def step_texts(steps: Sequence[Step], version: ServerVersion | None) -> StepTexts:
    """Write the steps of one recommendation for a server of that version, if there is one."""
    settings = [step for step in steps if isinstance(step, SetVariable)]
    lines = [step for step in steps if isinstance(step, RemoveLine)]
    others = [step for step in steps if isinstance(step, HostCommand | Procedure)]
    online = version is not None and all(step.needs is Needs.DYNAMIC for step in settings)
    verify = _joined(_verify(settings, lines, others))
    if (service := service_of(version)) is not None:
        commands = (line for step in others for line in _commands(step))
        return StepTexts(
            Apply(os=_joined(commands), service=_joined(parameters(service, settings))),
            undo=_joined((*parameters_back(service, settings), *_undo_by_hand(others))),
            verify=verify,
        )
    return StepTexts(
        Apply(
            sql=_joined(_sql(settings, lines, others, version if online else None)),
            cnf=_joined(_cnf(settings, lines, version)),
            os=_joined(line for step in others for line in _commands(step)),
        ),
        undo=_joined(_undo(settings, lines, others, version, online=online)),
        verify=verify,
    )


def parameters(service: Service, settings: Sequence[SetVariable]) -> Iterable[str]:
    """Each setting as its service takes it: where it goes as a comment, then name and value."""
    return _parameters(service, settings, lambda step: step.value)


def parameters_back(service: Service, settings: Sequence[SetVariable]) -> Iterable[str]:
    """The same with the values before, from the last to the first."""
    return _parameters(service, settings[::-1], lambda step: step.standing.value)


def _parameters(
    service: Service, settings: Sequence[SetVariable], value: Callable[[SetVariable], str]
) -> Iterable[str]:
    for restart, steps in groupby(settings, lambda step: step.needs is not Needs.DYNAMIC):
        yield f"# {service.where(restart=restart)}:"
        yield from (plain_line(f"{step.name} = {value(step)}") for step in steps)


def _sql(
    settings: Sequence[SetVariable],
    lines: Sequence[RemoveLine],
    others: Sequence[HostCommand | Procedure],
    version: ServerVersion | None,
) -> Iterable[str]:
    if version is not None:
        yield from (online_sql(version, step.name, step.value) for step in settings)
    yield from (forget_sql(step.name) for step in lines if step.persisted)
    yield from (step.sql for step in others if isinstance(step, Procedure))


def _cnf(
    settings: Sequence[SetVariable], lines: Sequence[RemoveLine], version: ServerVersion | None
) -> Iterable[str]:
    for step in settings:
        if step.needs is Needs.REINIT:
            yield _NEW_DIRECTORY
        yield cnf_line(step.name, step.value, version)
    for line in lines:
        if not line.persisted:
            place = line.place or "the option file"
            yield from commented("#", (f"take out of {place}: {line.line}",))


def _commands(step: HostCommand | Procedure) -> Iterable[str]:
    """Only what a shell takes: work by hand is listed beside it."""
    if not isinstance(step, HostCommand):
        return
    if because := fault(step, None):
        yield f"# not given: {because}"
        return
    yield step.run
    if step.keep_file:
        yield f"# at each boot: {step.keep_line}  in {step.keep_file}"


def _undo(
    settings: Sequence[SetVariable],
    lines: Sequence[RemoveLine],
    others: Sequence[HostCommand | Procedure],
    version: ServerVersion | None,
    *,
    online: bool,
) -> Iterable[str]:
    if settings and not online:
        yield _AT_START
        yield from (cnf_line_back(step.standing, version) for step in settings)
    elif version is not None:
        yield from (online_undo_sql(version, step.standing) for step in reversed(settings))
    for line in lines:
        if line.persisted:
            yield set_sql("PERSIST_ONLY", line.name, line.value)
        else:
            place = line.place or "the option file"
            yield from commented("#", (f"put back into {place}: {line.line}",))
    yield from _undo_by_hand(others)


def _undo_by_hand(others: Sequence[HostCommand | Procedure]) -> Iterable[str]:
    for step in reversed(others):
        if isinstance(step, HostCommand):
            if fault(step, None):
                continue
            yield step.undo
            if step.keep_file:
                yield f"# and take the line out of {step.keep_file}"
        else:
            yield from (f"# {text}" for text in step.undo)


def _verify(
    settings: Sequence[SetVariable],
    lines: Sequence[RemoveLine],
    others: Sequence[HostCommand | Procedure],
) -> Iterable[str]:
    yield from (read_sql(step.name) for step in settings)
    if names := _names(line for line in lines if not line.persisted):
        yield f"mysqld --print-defaults no longer shows {names}."
    if names := _names(line for line in lines if line.persisted):
        yield f"performance_schema.persisted_variables no longer shows {names}."
    commands = (step for step in others if isinstance(step, HostCommand))
    yield from (step.verify for step in commands if not fault(step, None))


def _names(lines: Iterable[RemoveLine]) -> str:
    return ", ".join(dict.fromkeys(line.name for line in lines))


def _joined(lines: Iterable[str]) -> str:
    return "\n".join(line for line in lines if line)
