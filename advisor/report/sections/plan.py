"""The change plan: its steps in groups, the forms for programs, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from advisor.plan.change_plan import Action, ChangePlan
from advisor.plan.export.formats import FORMATS
from advisor.plan.export.markdown import DEFAULTS_ASSUMED
from advisor.report.document.blocks import (
    Block,
    Framed,
    Heading,
    Item,
    Items,
    Paragraph,
    Role,
    Span,
    Style,
    Verbatim,
    plain,
)
from advisor.steps import HostCommand, Procedure
from advisor.variables.managed import service_of
from advisor.wording.advice import plan as plan_words
from advisor.wording.advice.evidence_card import numbered

FILES = ("sql", "cnf", "shell")
"""The forms of the plan that are told in full: what people run, and what servers read.

For the server of a managed service it is the one that the service takes.
"""


@dataclass(frozen=True, slots=True)
class PlanStep:
    """One step of the plan.

    ``notes`` are what to read before; ``details`` the lines of work by hand, ``back`` those that
    take it back.
    """

    number: int
    what: str
    notes: tuple[str, ...]
    details: tuple[str, ...]
    back: tuple[str, ...]
    rules: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PlanFile:
    """The plan in a form for programs: its title, its text, and the text of the way back."""

    title: str
    apply: str
    undo: str


@dataclass(frozen=True, slots=True)
class Planned:
    """The change plan: its headline, its groups by title, what was left out and why.

    ``assumed`` says what its settings before rest on, where that is no server of the user's;
    ``expected`` what the model expects of all of it, "" where there is no forecast.
    """

    headline: str
    assumed: str
    expected: str
    groups: tuple[tuple[str, tuple[PlanStep, ...]], ...]
    left_out: tuple[tuple[str, str, str], ...]
    files: tuple[PlanFile, ...]


def planned(plan: ChangePlan) -> Planned:
    """The plan as a client is told it, its steps numbered through."""
    groups, number = [], 0
    for title, actions in plan_words.groups(plan):
        steps = []
        for action in actions:
            number += 1
            steps.append(_numbered_step(number, action))
        groups.append((title, tuple(steps)))
    return Planned(
        headline=plan_words.headline(plan),
        assumed=DEFAULTS_ASSUMED if plan.sandbox and plan.actions else "",
        expected=f"{plan_words.expected(plan)} {plan_words.late(plan)}".strip(),
        groups=tuple(groups),
        left_out=tuple((each.what, each.rule, each.because) for each in plan.left_out),
        files=tuple(_file(plan, name) for name in _needed(plan)),
    )


def _numbered_step(number: int, action: Action) -> PlanStep:
    """A step as people read it; statements, lines and commands stand in the files below."""
    step = action.step
    details: tuple[str, ...] = ()
    back: tuple[str, ...] = ()
    if isinstance(step, Procedure):
        details, back = tuple(numbered(step.steps)), tuple(numbered(step.undo))
    return PlanStep(number, plan_words.what(action), action.notes, details, back, action.rules)


def _needed(plan: ChangePlan) -> list[str]:
    """The forms that have anything to say: a script only where the machine is to be changed."""
    if not plan.actions:
        return []
    if (service := service_of(plan.version)) is not None:
        return [service.form]
    commands = any(isinstance(action.step, HostCommand) for action in plan.actions)
    return [name for name in FILES if name != "shell" or commands]


def _file(plan: ChangePlan, name: str) -> PlanFile:
    form = FORMATS[name]
    return PlanFile(form.title, form.apply(plan).strip("\n"), form.undo(plan).strip("\n"))


def change_plan(plan: Planned) -> Iterator[Block]:
    """Its headline, its steps, its files with the way back, and what was left out."""
    yield Paragraph(plain(plan.headline))
    if plan.assumed:
        yield Paragraph(plain(plan.assumed))
    for title, steps in plan.groups:
        yield Heading(2, title)
        yield from (Framed(tuple(_step(step))) for step in steps)
    for file in plan.files:
        yield Heading(2, file.title)
        yield Verbatim(file.apply)
        yield Paragraph(plain("the way back"), Role.LABEL)
        yield Verbatim(file.undo)
    if plan.left_out:
        yield Heading(2, "Left out of the plan")
        yield Items(
            tuple(
                Item((Span(what, Style.STRONG), Span(f" {rule}", Style.NAME), Span(f"\n{because}")))
                for what, rule, because in plan.left_out
            )
        )


def _step(step: PlanStep) -> Iterator[Block]:
    yield Paragraph(
        (
            Span(f"{step.number}.", Style.STRONG),
            Span(f" {step.what} "),
            Span(", ".join(step.rules), Style.NAME),
        )
    )
    yield from (Paragraph(plain(note)) for note in step.notes)
    if step.details:
        yield Verbatim("\n".join(step.details))
    if step.back:
        yield Paragraph(plain("to take it back"), Role.LABEL)
        yield Verbatim("\n".join(step.back))
