"""A setting whose planned value is what a start makes of it anyway: its lines go, none is written.

A line that repeats a default hides the few that matter, and keeps an old default in the next
version. What is set for durability is worth stating all the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from advisor.facts.server.lines import in_file
from advisor.plan.chosen_at_start import decided_by
from advisor.plan.durability import DURABILITY
from advisor.plan.target import PlanTarget, same
from advisor.steps import Needs, RemoveLine, SetVariable
from advisor.variables.managed import service_of
from probes.inventory.facts import COMMAND_LINE, DYNAMIC, PERSISTED

_IN_NO_FILE = frozenset({"COMPILED", "AUTO", DYNAMIC, COMMAND_LINE})
"""Origins of a value that no file states."""


@dataclass(frozen=True, slots=True)
class BackToDefault:
    """What takes a setting back: the lines that go, and whether the setting itself is to be done.

    Neither where a start alone brings it, and nothing has to be done for that. ``itself`` is for a
    running server that takes the value, and for a command line that people have to change.
    """

    lines: tuple[RemoveLine, ...]
    itself: bool


def back_to_default(
    target: PlanTarget, step: SetVariable, planned: Mapping[str, str] = MappingProxyType({})
) -> BackToDefault | None:
    """Say how a setting goes back to its default; None where its line has to be written.

    ``planned`` are the values that lines will state once the plan is done. Where nobody knows which
    line states the old value, a line with the new one overrides it.
    """
    if target.sandbox or step.name in DURABILITY or step.needs is Needs.REINIT:
        return None
    if service_of(target.version) is not None:
        return None  # a service's default is not the server's own
    known = target.known(step.name)
    # A default that other settings or the machine decide is another one when these change.
    if known is None or known.formula or known.default is None:
        return None
    if not same(known.default, step.value) or _is_decided(target, step.name, planned):
        return None
    lines = _lines(target, step)
    whole = target.lines is not None and not target.lines.unread
    origin = step.standing.origin
    if not (lines or origin in _IN_NO_FILE or (whole and not origin)):
        return None
    return BackToDefault(lines, step.needs is Needs.DYNAMIC or origin == COMMAND_LINE)


def _is_decided(target: PlanTarget, name: str, planned: Mapping[str, str]) -> bool:
    """Whether another line makes a start choose it otherwise."""
    now = {each: found.value for each, found in target.standings.items() if found.is_stated}
    return bool(decided_by(target.version, name, {**now, **planned}))


def _lines(target: PlanTarget, step: SetVariable) -> tuple[RemoveLine, ...]:
    """The lines that state the old value, as far as they are known."""
    origin = step.standing.origin
    found = [] if target.lines is None else target.lines.by_name().get(step.name, [])
    last = in_file(found) if found else None
    removed = [] if last is None else [RemoveLine.of(each) for each in (*last.earlier, last)]
    if not removed and origin.startswith("/"):
        removed = [RemoveLine(step.name, step.standing.value, origin)]
    if step.standing.persisted:
        removed.append(RemoveLine(step.name, step.standing.value, PERSISTED))
    return tuple(removed)
