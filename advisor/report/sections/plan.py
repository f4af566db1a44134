"""The change plan: its steps in groups, the forms for programs, what was left out, the way back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from advisor.plan import relations
from advisor.plan.change_plan import YOURS, Action, ChangePlan, Group
from advisor.plan.export.comments import subject
from advisor.plan.export.formats import FOR_PROGRAMS
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
from advisor.report.document.blocks import (
    Block,
    Framed,
    Heading,
    Item,
    Items,
    Paragraph,
    ParagraphRole,
    Style,
    TextSpan,
    Verbatim,
    Words,
    items,
    plain,
    quiet,
    text,
)
from advisor.steps import HostCommand, Procedure, RemoveLine, SetVariable
from advisor.target_config.starting import StartingConfiguration
from advisor.variables.managed import service_of
from advisor.variables.naming import value_text
from advisor.wording.advice import plan as plan_words
from probes.inventory.facts import PERSISTED
from probes.version import ServerVersion

FILES = ("sql", "cnf", "shell")
"""The forms of the plan that are shown in full: what people run, and what servers read.

For the server of a managed service it is the one that the service takes.
"""

DEFAULTS_ASSUMED = (
    "The settings before are the version's defaults, because the server that was measured was "
    "Leadline's own. Compare them with yours first."
)
"""What a plan says that was checked against no server of the user's."""

_IN_FILE = "In the option file, below [mysqld]"


def numbered_steps(plan: ChangePlan) -> list[tuple[str, list[tuple[int, Action]]]]:
    """The groups that have anything to do, by their titles; steps are numbered through."""
    numbers = iter(range(1, len(plan.actions) + 1))
    return [
        (title, [(next(numbers), action) for action in actions])
        for title, actions in plan_words.groups(plan)
    ]


def change_plan(plan: ChangePlan, *, rules: bool = True) -> Iterator[Block]:
    """Its headline, its steps, its files with the way back, and what was left out.

    Without ``rules`` it names none: they lead to evidence that is not there.
    """
    yield from _steps(plan, _in_words(plan), rules=rules)
    # What is left out, and looked at afterwards, stands beside them.
    alone = replace(plan, left_out=(), actions=plan.changes)
    for name in _needed(plan):
        form = FOR_PROGRAMS[name]
        yield Heading(2, form.title)
        yield Verbatim(form.apply(alone).strip("\n"))
        yield text("the way back", ParagraphRole.LABEL)
        yield Verbatim(form.undo(alone).strip("\n"))
    yield from _left_out(plan, rules=rules)


def plan_in_short(plan: ChangePlan) -> Iterator[Block]:
    """The same without files: a terminal's user asks for the form that is wanted."""
    yield Heading(1, "Change plan")
    yield from _steps(plan, plan_words.headline(plan))
    yield from _left_out(plan)


def plan_title(plan: ChangePlan) -> str:
    """What the plan is, and for whom."""
    return plan.about[0] if plan.about else f"Change plan for {subject(plan)}"


def whole_plan(plan: ChangePlan) -> Iterator[Block]:
    """What to do in which order with all that is typed, how to check it, what was left out."""
    yield from items(plan.about[1:])
    if not plan.actions:
        yield text("This plan holds no change.")
    yield from _rests(plan)
    for title, actions in numbered_steps(plan):
        yield Heading(1, title)
        for number, action in actions:
            yield Framed((*_step(number, action), *typed_step(plan.version, action)), numbered=True)
    yield from _left_out(plan, level=1)


def way_back(plan: ChangePlan) -> Iterator[Block]:
    """The way back, last step first."""
    if not plan.changes:
        yield text("There is nothing to take back.")
    for number, action in enumerate(reversed(plan.changes), 1):
        back = (
            TextSpan(f"{number}.", Style.STRONG),
            TextSpan(f" Take back: {plan_words.what(action)}"),
        )
        yield Framed((Paragraph(back), *step_back(plan.version, action)), numbered=True)


def starting(start: StartingConfiguration) -> Iterator[Block]:
    """A new server's configuration: what it rests on, its settings, the machine's part."""
    yield Heading(1, start.title)
    yield from _rests_on(start)
    yield from plan_in_short(start.plan)


def starting_in_short(start: StartingConfiguration) -> Iterator[Block]:
    """What it rests on, and its settings alone."""
    yield Heading(1, start.title)
    yield from _rests_on(start)
    for action, step in start.plan.written(Group.RESTART):
        name = Paragraph(
            (TextSpan(f"{step.name} = {value_text(step.name, step.value)}", Style.STRONG),)
        )
        yield Framed((name, *map(text, action.notes[:1])), numbered=True)


def _rests_on(start: StartingConfiguration) -> Iterator[Block]:
    found = (*start.known, *(f"Assumed: {each}" for each in start.assumed))
    if found:
        yield Items(tuple(Item(quiet(each)) for each in found))


def _in_words(plan: ChangePlan) -> str:
    """How much is to be done; what it brings stands in sections of its own."""
    if plan.offered and not plan.actions:
        return "Nothing is changed before you decide."
    return " ".join((*plan.about[:1], plan_words.work(plan)))


def _steps(plan: ChangePlan, headline: str, *, rules: bool = True) -> Iterator[Block]:
    yield text(headline)
    if plan.actions:
        yield from _rests(plan)
    for title, actions in numbered_steps(plan):
        yield Heading(2, title)
        for number, action in actions:
            commands = _command(action.step) if isinstance(action.step, HostCommand) else ()
            by_hand = _procedure_back(action.step) if isinstance(action.step, Procedure) else ()
            named = _step(number, action, rules=rules)
            yield Framed((*named, *commands, *by_hand), numbered=True)


def _rests(plan: ChangePlan) -> Iterator[Block]:
    """What it was checked against, and where its settings go."""
    if plan.sandbox:
        yield text(DEFAULTS_ASSUMED)
    if plan.changes and (place := plan_words.contained(plan)):
        yield text(place)


def _needed(plan: ChangePlan) -> list[str]:
    """The forms that have anything to say: a script only where the machine is to be changed."""
    if not plan.actions:
        return []
    if (service := service_of(plan.version)) is not None:
        return [service.form]
    commands = any(isinstance(action.step, HostCommand) for action in plan.actions)
    forms = ("sql", "container", "shell") if plan.container is not None else FILES
    return [name for name in forms if name != "shell" or commands]


def _left_out(plan: ChangePlan, *, level: int = 2, rules: bool = True) -> Iterator[Block]:
    """What the plan offers, with what is typed for it; and what is left out of it."""
    if plan.offered:
        yield Heading(level, YOURS)
    for offer in plan.offered:
        named = Paragraph((TextSpan(offer.what, Style.STRONG), *_by(rules, offer.rule)))
        yield Framed((named, text(offer.because), Verbatim("\n".join(offer.typed))))
    if plan.left_out:
        yield Heading(level, "Left out of the plan")
        yield Items(
            tuple(
                Item(
                    (
                        TextSpan(each.what, Style.STRONG),
                        *_by(rules, each.rule),
                        TextSpan(f"\n{each.because}"),
                    )
                )
                for each in plan.left_out
            )
        )


def _by(named: bool, *rules: str) -> Words:
    """Which rules ask for it, where they are named."""
    return (TextSpan(f" {', '.join(rules)}", Style.NAME),) if named else ()


def _step(number: int, action: Action, *, rules: bool = True) -> Iterator[Block]:
    """What it does and which rules ask for it, what to read before, the steps by hand."""
    yield Paragraph(
        (
            TextSpan(f"{number}.", Style.STRONG),
            TextSpan(f" {plan_words.what(action)}"),
            *_by(rules, *action.rules),
        )
    )
    yield from map(text, action.notes)
    if isinstance(action.step, Procedure):
        yield _by_hand(action.step.steps)


def _by_hand(steps: Sequence[str]) -> Items:
    return Items(tuple(Item(plain(each)) for each in steps), numbered=True)


def _command(step: HostCommand) -> Iterator[Block]:
    yield Verbatim(step.run, "sh")
    if step.keep_file:
        yield Paragraph(
            _in_file("to keep it over a boot, in ", step.keep_file), ParagraphRole.LABEL
        )
        yield Verbatim(step.keep_line)


def _in_file(before: str, path: str) -> Words:
    return TextSpan(before), TextSpan(path, Style.CODE)


def _procedure_back(step: Procedure) -> Iterator[Block]:
    if step.undo:
        yield text("to take it back", ParagraphRole.LABEL)
        yield _by_hand(step.undo)


def typed_step(version: ServerVersion | None, action: Action) -> Iterator[Block]:
    """The statement, the line or the command of a step, and how to check it."""
    match action.step:
        case SetVariable() as step:
            yield from _setting(version, action, step)
            yield Paragraph(
                (TextSpan("Afterwards this shows "), TextSpan(action.shows, Style.CODE)),
                ParagraphRole.LABEL,
            )
            yield Verbatim(read_sql(step.name), "sql")
        case RemoveLine(origin=origin) as step if origin.upper() == PERSISTED:
            yield Verbatim(forget_sql(step.name), "sql")
        case RemoveLine() as step:
            yield Paragraph(
                (TextSpan("Take this line out of "), *_place(step)), ParagraphRole.LABEL
            )
            yield Verbatim(step.line, "ini")
        case HostCommand() as step:
            yield from _command(step)
            if step.verify:
                yield text(f"Check: {step.verify}")
        case Procedure():
            return


def _setting(version: ServerVersion | None, action: Action, step: SetVariable) -> Iterator[Block]:
    """A parameter of a service; else the statement, and the option file's line."""
    if (service := service_of(version)) is not None:
        yield Verbatim("\n".join(parameters(service, [step])), "ini")
        return
    if version is not None and action.group is Group.ONLINE:
        yield Verbatim(online_sql(version, step.name, step.value, keep=action.written), "sql")
    if action.written:
        rebuilt = action.group is Group.REBUILD
        yield text(
            "The new data directory is made with" if rebuilt else _IN_FILE, ParagraphRole.LABEL
        )
        yield Verbatim(cnf_line(step.name, step.value, version), "ini")


def _place(step: RemoveLine) -> Words:
    if not step.origin:
        return plain("the option file")
    where = TextSpan(step.origin, Style.CODE)
    return (where, TextSpan(f", line {step.number}")) if step.number else (where,)


def step_back(version: ServerVersion | None, action: Action) -> Iterator[Block]:
    """What takes a step back."""
    match action.step:
        case SetVariable() as step:
            yield from _setting_back(version, action, step)
        case RemoveLine(origin=origin) as step if origin.upper() == PERSISTED:
            yield Verbatim(set_sql("PERSIST_ONLY", step.name, step.value), "sql")
        case RemoveLine() as step:
            yield Paragraph(
                (TextSpan("Put this line back into "), *_place(step)), ParagraphRole.LABEL
            )
            yield Verbatim(step.line, "ini")
        case HostCommand() as step:
            yield Verbatim(step.undo, "sh")
            if step.keep_file:
                place = (*_in_file("In ", step.keep_file), TextSpan(", delete the line"))
                yield Paragraph(place, ParagraphRole.LABEL)
                yield Verbatim(step.keep_line)
        case Procedure(undo=()):
            yield text("There is no way back but a copy of the data from before.")
        case Procedure() as step:
            yield _by_hand(step.undo)


def _setting_back(
    version: ServerVersion | None, action: Action, step: SetVariable
) -> Iterator[Block]:
    if (service := service_of(version)) is not None:
        yield Verbatim("\n".join(parameters_back(service, [step])), "ini")
        return
    if version is not None and action.group is Group.ONLINE:
        if relations.settles_later(version, step.name):
            yield text(
                "Before it, and before what follows, ask this until it says Completed, that "
                "nothing changed, or nothing",
                ParagraphRole.LABEL,
            )
            yield Verbatim(resize_sql(), "sql")
        yield Verbatim(online_undo_sql(version, step.standing), "sql")
    if action.written:
        yield text("In the option file", ParagraphRole.LABEL)
        yield Verbatim(cnf_line_back(step.standing, version), "ini")
