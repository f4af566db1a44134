"""``leadline advise``: a stored case judged again, and the plan of what to change."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.formats import Format, suits
from advisor.report.document.blocks import Block, Paragraph, plain
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.json.report import to_json
from advisor.report.report import Report
from advisor.report.sections.plan import plan_in_short, starting
from advisor.report.sections.version import seen_as
from advisor.report.terminal.first_screen import first_screen
from advisor.report.terminal.run import advice_blocks, headline, rule_blocks, which_run
from advisor.rulekit.registry import GONE
from advisor.variables.managed import service_of
from advisor.wording.advice.plan import headline as plan_headline
from app.cli.arguments import options
from app.cli.arguments.case import load
from app.cli.arguments.choice import AdviceChoice, choose
from app.cli.arguments.new_server import NewServer, asked_for, begin, begun_in_short, check_alone
from app.cli.commands.rules import gone
from app.cli.shown.files import write_whole
from app.cli.shown.measuring import ended_with, give
from app.cli.shown.terminal import messages, write
from app.fields.target import TargetForm
from probes.errors import UsageError

WHOLE = "md"
"""The form that an undo takes where none was asked for: it holds every part of a plan."""


@click.command()
@click.argument("name", metavar="CASE")
@options.json_document("advice and plan")
@options.plan_forms
@options.full
@options.fail_on
@click.option(
    "--rule",
    "rules",
    metavar="ID",
    multiple=True,
    help="Show all that this rule says: figures, evidence, statements, way back.",
)
@click.option("--undo", is_flag=True, help="Give the way back instead, in the form asked for.")
@options.choices
@options.new_server
@options.of_form(TargetForm, "memory")
@options.output_file("it")
def advise(
    *,
    name: str,
    as_json: bool,
    full: bool,
    fail_on: str | None,
    rules: tuple[str, ...],
    undo: bool,
    other: str,
    only: tuple[str, ...],
    without: tuple[str, ...],
    new: str,
    memory: str,
    file: Path | None,
    **forms: bool,
) -> int:
    """Judge CASE by the rules of now, and plan the changes that they recommend.

    CASE is a run's number, a target's name for its latest watch at work with its latest curves, or
    a file of `leadline case export`. It says what matters first; --full says all, --rule all of one
    rule. Nothing is applied: a plan is made of statements, lines and commands for people to use.
    With --for it is the starting configuration of a new server on that machine.
    """
    form = _form(forms, as_json=as_json, undo=undo)
    if ((full or rules) and (form or as_json)) or (rules and (full or new or memory)):
        raise UsageError(
            "--full and --rule show advice as text, one of them at a time, and --rule that of a "
            "server that was looked at.",
            "Leave it out to have the advice in another form.",
        )
    wanted = asked_for(new, memory)
    if wanted is not None:
        check_alone(wanted, form, undo=undo, others=bool(other or only or without))
    report = load(name).report
    as_it_is = wanted is None and not (other or only or without)
    if as_it_is and not (form or as_json or full or rules):
        give(lambda: to_json(report), lambda: first_screen(report), as_json=False, file=file)
        return ended_with(report, fail_on)
    chosen = choose(report, other, only, without) if wanted is None else begin(report, wanted)
    if form is not None:
        _check_suited(form, chosen.plan)
        if not chosen.plan.actions:
            messages().print(plan_headline(chosen.plan), soft_wrap=True)
        _give((form.undo if undo else form.apply)(chosen.plan), file)
    else:
        give(
            lambda: to_json(chosen.report, chosen.plan, chosen.seen),
            lambda: _blocks(chosen, wanted, full=full, rules=rules),
            as_json=as_json,
            file=file,
        )
    return ended_with(chosen.report, fail_on)


def _form(forms: dict[str, bool], *, as_json: bool, undo: bool) -> Format | None:
    """The one form that was asked for; raises UsageError when there are two."""
    asked = [key for key, wanted in forms.items() if wanted]
    if len(asked) + as_json > 1:
        names = ", ".join(f"--{key}" for key in (*asked, *(["json"] if as_json else [])))
        raise UsageError(f"Only one of {names} can be given at a time.", "Call it once for each.")
    if undo and as_json:
        raise UsageError("--undo is no part of --json.", "Each step there has its way back.")
    key = asked[0] if asked else WHOLE if undo else ""
    return FORMATS[key] if key else None


def _check_suited(form: Format, plan: ChangePlan) -> None:
    """Raise UsageError for a form that the service which runs the server does not take."""
    service = service_of(plan.version)
    if service is not None and not suits(form.name, plan.version):
        raise UsageError(
            f"{service.name} takes no {form.title}: settings are made {service.place}.",
            f"--{service.form} gives the plan as it takes it, --{WHOLE} as text.",
        )


def _blocks(
    chosen: AdviceChoice, wanted: NewServer | None, *, full: bool, rules: Sequence[str]
) -> tuple[Block, ...]:
    """What was asked for as text: all, all of some rules, or the plan of what was chosen."""
    report, seen = chosen.report, chosen.seen
    if wanted is not None and chosen.start is not None:
        start = chosen.start
        begun = starting(start) if full else begun_in_short(report, wanted, start)
        return (*which_run(report), *begun)
    if rules:
        return (*which_run(report), *(block for id_ in rules for block in _rule(report, id_)))
    lens = seen_as(seen) if seen is not None else ()
    plan = plan_in_short(chosen.plan)
    if full:
        return (*headline(report), *lens, *advice_blocks(report), *plan)
    return (*which_run(report), *lens, *plan)


def _rule(report: Report, rule_id: str) -> list[Block]:
    found = rule_blocks(report, rule_id)
    if not found and rule_id in GONE:
        return [Paragraph(plain(gone(rule_id)))]
    if not found:
        raise UsageError(f"There is no rule {rule_id!r}.", "`leadline rules` lists them all.")
    return found


def _give(text: str, file: Path | None) -> None:
    if file is None:
        write(text)
    else:
        write_whole(file, text)
