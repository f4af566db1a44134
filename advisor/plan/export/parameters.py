"""Settings as a managed service takes them, name by name: those that its language can say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from advisor.plan.change_plan import Group
from advisor.plan.foreign_words import UnsayableError
from advisor.steps import SetVariable

Chosen = tuple[Group, SetVariable]


@dataclass(frozen=True, slots=True)
class Parameter:
    """One setting with the value that it gets, as the language has it."""

    group: Group
    name: str
    value: str


def after(step: SetVariable) -> str:
    """The value that the plan gives a setting."""
    return step.value


def before(step: SetVariable) -> str:
    """The value that the way back gives it."""
    return step.standing.value


def parameters(
    chosen: Iterable[Chosen], value: Callable[[SetVariable], str], language: Callable[[str], str]
) -> tuple[list[Parameter], list[str]]:
    """What the language can say, and a sentence for each setting that it can't."""
    found: list[Parameter] = []
    not_here: list[str] = []
    for group, step in chosen:
        try:
            found.append(Parameter(group, step.name, language(value(step))))
        except UnsayableError as error:
            not_here.append(f"{step.name}: not here, because its value {error}. Set it by hand.")
    return found, not_here
