"""``leadline rules``: what Leadline knows, readable."""

from __future__ import annotations

import json
from typing import Any

import click
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

from advisor.rules.registry import all_rules
from advisor.rules.rule import Rule
from app.cli.terminal import output, write
from probes.errors import UsageError


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
@click.pass_context
def rules(context: click.Context, as_json: bool) -> None:
    """The rules that judge a case; alone, it lists them."""
    if context.invoked_subcommand is None:
        show_all(as_json)


@rules.command("list")
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
def list_command(as_json: bool) -> None:
    """List the rules with their titles."""
    show_all(as_json)


def show_all(as_json: bool) -> None:
    """Print every rule's id and title."""
    if as_json:
        write(json.dumps([_content(rule) for rule in all_rules()], indent=2) + "\n")
        return
    table = Table(box=None, pad_edge=False, padding=(0, 3, 0, 0))
    table.add_column("rule", header_style="bold", no_wrap=True)
    table.add_column("title", header_style="bold")
    for rule in all_rules():
        table.add_row(rule.id, Text(rule.title))
    output().print(table)


@rules.command()
@click.argument("rule_id", metavar="ID")
@click.option("--json", "as_json", is_flag=True, help="Give the rule as JSON.")
def show(rule_id: str, as_json: bool) -> None:
    """Show the documentation of the rule ID."""
    found = next((rule for rule in all_rules() if rule.id == rule_id), None)
    if found is None:
        raise UsageError(f"There is no rule {rule_id!r}.", "`leadline rules` lists them all.")
    if as_json:
        content = _content(found) | {"documentation": found.documentation}
        write(json.dumps(content, ensure_ascii=False, indent=2) + "\n")
    elif output().is_terminal:
        output().print(Markdown(f"# {found.id}\n\n{found.documentation}"))
    else:
        write(f"# {found.id}\n\n{found.documentation.strip()}\n")


def _content(rule: Rule) -> dict[str, Any]:
    return {
        "rule": rule.id,
        "title": rule.title,
        "topic": rule.topic,
        "settings": list(rule.settings),
        "needs": list(rule.needs),
        "uses": list(rule.uses),
        "since": rule.since,
    }
