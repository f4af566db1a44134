"""``leadline advise``: a stored case judged anew, and the plan of what to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Group, RenderableType

from advisor.lens import LensReport, as_version, lens
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.formats import FORMATS, Format
from advisor.plan.planning import make_plan
from advisor.report.advice_text import advice_parts, of_verdict
from advisor.report.document import to_json
from advisor.report.lens_text import lens_parts
from advisor.report.plan_text import plan_parts
from advisor.report.plan_words import headline as plan_headline
from advisor.report.report import Report
from advisor.report.text import headline, plain_text
from advisor.variables.naming import version_named
from app.cli import options
from app.cli.case_argument import load
from app.cli.files import check_writable, write_whole
from app.cli.measuring import write_text
from app.cli.opening import opened_store
from app.cli.terminal import messages, write
from probes.errors import UsageError

WHOLE = "md"
"""The form that an undo takes where none was asked for: it holds every part of a plan."""


@click.command()
@click.argument("name", metavar="CASE")
@options.json_document("advice and plan")
@options.plan_forms
@click.option("--undo", is_flag=True, help="Give the way back instead, in the form asked for.")
@click.option(
    "--as",
    "other",
    metavar="VERSION",
    default="",
    help="Judge it as if its server were another, like mysql-8.4.",
)
@click.option("--only", metavar="RULE", multiple=True, help="Plan this rule's advice alone.")
@click.option("--without", metavar="RULE", multiple=True, help="Leave this rule's advice out.")
@options.output_file("it")
def advise(
    *,
    name: str,
    as_json: bool,
    undo: bool,
    other: str,
    only: tuple[str, ...],
    without: tuple[str, ...],
    file: Path | None,
    **forms: bool,
) -> None:
    """Judge CASE by the rules of now, and plan the changes that they recommend.

    CASE is a run's number, a target's name for its last run that came to its end, or a file of
    `leadline case export`. Nothing is applied: a plan is made of statements, lines and commands
    for people to use.
    """
    form = _form(forms, as_json=as_json, undo=undo)
    if file is not None:
        check_writable(file)
    with opened_store() as store:
        report = load(name, store).report
    looked = _look(report, other) if other else None
    case = report.case
    if looked is not None:
        case = as_version(case, looked.after)
        report = replace(report, judgement=looked.judgement)
    plan = make_plan(case, _chosen(report.judgement, only, without))
    if form is not None:
        if not plan.actions:
            messages().print(plan_headline(plan), soft_wrap=True)
        _give((form.undo if undo else form.apply)(plan), file)
    elif as_json:
        _give(to_json(report, plan, looked), file)
    elif file is not None:
        write_whole(file, plain_text(_told(report, plan, looked)))
    else:
        write_text(_told(report, plan, looked))


def _look(report: Report, other: str) -> LensReport:
    """See the case as another version; raises UsageError where there is none to see."""
    try:
        return lens(report.case, version_named(other))
    except ValueError as error:
        raise UsageError(str(error), "") from error


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


def _chosen(
    judgement: Judgement, only: Sequence[str], without: Sequence[str]
) -> list[Recommendation]:
    """What goes into the plan; raises UsageError for a rule that recommends nothing here."""
    proposed = of_verdict(judgement, Verdict.RECOMMEND)
    known = {each.rule for each in proposed}
    those = ", ".join(sorted(known))
    for rule in (*only, *without):
        if rule not in known:
            raise UsageError(
                f"{rule} recommends nothing for this case.",
                f"Those that do: {those}." if known else "No rule does.",
            )
    return [
        each for each in proposed if (not only or each.rule in only) and each.rule not in without
    ]


def _told(report: Report, plan: ChangePlan, looked: LensReport | None) -> RenderableType:
    seen = [] if looked is None else lens_parts(looked)
    return Group(*headline(report), *seen, *advice_parts(report.judgement), *plan_parts(plan))


def _give(text: str, file: Path | None) -> None:
    if file is None:
        write(text)
    else:
        write_whole(file, text)
