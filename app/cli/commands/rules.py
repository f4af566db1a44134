"""``leadline rules``: what Leadline knows, readable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, date, datetime
from itertools import groupby
from pathlib import Path
from typing import Any

import click
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from advisor.rulebook.dates import RuleAge, age_of
from advisor.rulebook.pages import family, page
from advisor.rulebook.review import Review, reviewed, source_tree
from advisor.rulekit.registry import GONE, all_rules
from advisor.rulekit.rule import Rule
from app.cli.faults import ExitCode
from app.cli.shown.terminal import messages, output, plain_table, write, write_json
from probes.errors import UsageError
from probes.figures import counted

ROOT = Path(__file__).resolve().parents[3]

COUNTS = ("rule", "cases", "speaks up", "fine", "not judged", "n/a", "boundary", "sources", "")


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
@click.option("--age", is_flag=True, help="How old each rule's page and its sources are.")
@click.pass_context
def rules(context: click.Context, *, as_json: bool, age: bool) -> None:
    """The rules that judge a case; alone, it lists them."""
    if context.invoked_subcommand is not None:
        return
    if age:
        show_ages(as_json=as_json)
    else:
        show_all(as_json)


@rules.command("list")
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
def list_command(as_json: bool) -> None:
    """List the rules with their titles, family by family."""
    show_all(as_json)


def show_all(as_json: bool) -> None:
    """Print every rule's id and title, family by family."""
    found = all_rules()
    if as_json:
        write_json([_content(rule) for rule in found])
        return
    table = plain_table("rule", "title", whole=("rule",))
    for name, members in groupby(found, family):
        _heading(table, name)
        for rule in members:
            table.add_row(rule.id, Text(rule.title))
    output().print(table)
    output().print(f"\n{counted(len(found), 'rule')}. `leadline rules show ID` explains one.")


def show_ages(*, as_json: bool) -> None:
    """Print how old each rule's page and its published sources are, the oldest page first."""
    today = datetime.now(UTC).date()
    found = [age_of(rule) for rule in all_rules()]
    if as_json:
        write_json([_age_content(each, today) for each in found])
        return
    table = plain_table("rule", "page of", "days", "newest source", "oldest", whole=("rule",))
    for each in sorted(found, key=lambda one: (one.written or today, one.rule.id)):
        days = each.days(today)
        table.add_row(
            each.rule.id,
            "not dated" if each.written is None else each.written.isoformat(),
            "" if days is None else str(days),
            each.published[-1] if each.published else "",
            each.published[0] if each.published else "",
        )
    output().print(table)
    newest = max((each.published[-1] for each in found if each.published), default="")
    output().print(
        f"\n{counted(len(found), 'rule')}; the newest published source is of {newest}. "
        "What manuals and source code say was read by the day of the page."
    )


def _age_content(age: RuleAge, today: date) -> dict[str, Any]:
    return {
        "rule": age.rule.id,
        "page": None if age.written is None else age.written.isoformat(),
        "days": age.days(today),
        "published": list(age.published),
    }


@rules.command()
@click.argument("rule_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Give the rule as JSON.")
def show(rule_id: str, as_json: bool) -> None:
    """Show the documentation of the rule ID."""
    found = next((rule for rule in all_rules() if rule.id == rule_id), None)
    if found is None and rule_id in GONE:
        if as_json:
            write_json({"rule": rule_id, "gone": True})
        else:
            write(f"{gone(rule_id)}\n")
        return
    if found is None:
        raise UsageError(f"There is no rule {rule_id!r}.", "`leadline rules` lists them all.")
    if as_json:
        write_json(_content(found) | {"documentation": page(found)})
    elif output().is_terminal:
        output().print(Markdown(page(found)))
    else:
        write(page(found))


def gone(rule_id: str) -> str:
    """What is said of a rule that there was."""
    return f"Leadline no longer has the rule {rule_id}: nothing is judged by it."


@rules.command()
@click.option("--json", "as_json", is_flag=True, help="Give the outcome as JSON.")
def check(as_json: bool) -> int:
    """See that every rule has its cases, its page and its sources.

    The cases and pages lie in the source tree; an installed Leadline counts sources alone. Ends
    with 1 when a rule lacks something.
    """
    tree = source_tree(ROOT)
    found = reviewed(all_rules(), tree)
    if as_json:
        write_json([_reviewed_content(each) for each in found])
    else:
        _print_review(found)
        if tree is None:
            messages().print("The rules' cases are part of the source tree, which is not here.")
    return ExitCode.FAILED if any(each.faults for each in found) else ExitCode.DONE


def _print_review(found: Sequence[Review]) -> None:
    table = plain_table(*COUNTS, whole=("rule",))
    for name, members in groupby(found, lambda each: family(each.rule)):
        _heading(table, name)
        for each in members:
            table.add_row(*_counted(each))
    output().print(table)
    output().print()
    for each in found:
        for fault in each.faults:
            output().print(Text(f"{each.rule.id}: {fault}.", style="red"), soft_wrap=True)
    output().print(_total(found))


def _counted(review: Review) -> list[str | Text]:
    cases = review.cases
    counts: list[str | Text] = ["–"] * 6
    if cases is not None:
        shown = (cases.firing, cases.fine, cases.not_judged, cases.not_applicable, cases.boundary)
        counts = [str(count) for count in (cases.total, *shown)]
    text = Text("lacks something", "red") if review.faults else Text("ok", "green")
    return [review.rule.id, *counts, str(review.sources), text]


def _total(found: Sequence[Review]) -> str:
    families = {family(each.rule) for each in found}
    cases = sum(each.cases.total for each in found if each.cases is not None)
    lacking = sum(bool(each.faults) for each in found)
    text = f"{lacking} of them lack something." if lacking else "None lacks anything."
    return f"{len(found)} rules in {len(families)} families, {cases} cases. {text}"


def _heading(table: Table, name: str) -> None:
    table.add_row("")
    table.add_row(Text(name, style="bold cyan"))


def _content(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.id,
        "title": rule.title,
        "topic": rule.topic,
        "settings": list(rule.settings),
        "needs": list(rule.needs),
        "uses": list(rule.uses),
        "since": rule.since,
        "applies_to": [str(versions) for versions in rule.applies_to],
        "findings": list(rule.findings),
        "waits_for": list(rule.waits_for),
    }


def _reviewed_content(review: Review) -> dict[str, Any]:
    return {
        "rule": review.rule.id,
        "cases": None if review.cases is None else asdict(review.cases),
        "sources": review.sources,
        "faults": list(review.faults),
    }
