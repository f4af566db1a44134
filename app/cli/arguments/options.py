"""Options that several commands share, each with one spelling and one meaning."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar

import click

from app.cli.shown.files import check_writable
from app.fields.field import Option, defaults_of, fields_of
from probes.home import home

Command = TypeVar("Command", bound=Callable[..., Any])

mysql = click.option(
    "--mysql",
    metavar="DSN",
    default="",
    help="The server, as its machine sees it: mysql://[user@]host[:port], socket=PATH, or"
    " parts like host=db7,user=app (also port, tls, ca, defaults-file). No password: it is asked"
    " for.",
)
trace = click.option(
    "--trace/--no-trace",
    default=True,
    show_default=True,
    help="Have the kernel trace the server's reads, writes and syncs while it is watched, where "
    "the account is root or --sudo is given.",
)
new_server = click.option(
    "--for",
    "new",
    metavar="VERSION",
    default="",
    help="A starting configuration for a new server of that version, like mysql-8.4.",
)
full = click.option(
    "--full", is_flag=True, help="Show all of it: curves, evidence, what is fine, what lacks facts."
)


def of_form(form: type, *names: str) -> Callable[[Command], Command]:
    """Options for what a form asks for, by its names there and in this order; all without names."""
    declared, defaults = fields_of(form), defaults_of(form)
    names = names or tuple(name for name, field in declared.items() if field.option.names)

    def with_options(command: Command) -> Command:
        for name in reversed(names):
            command = _of_field(name, declared[name].option, defaults[name])(command)
        return command

    return with_options


def _of_field(name: str, option: Option, default: Any) -> Callable[[Command], Command]:
    attributes: dict[str, Any] = {"help": option.help, "show_default": option.shown}
    if option.choices:
        attributes |= {"type": click.Choice(option.choices), "default": None}
    elif option.repeated:
        attributes |= {"metavar": option.metavar, "multiple": True}
    elif option.metavar:
        attributes |= {"metavar": option.metavar, "type": option.kind, "default": default}
    elif "/" in option.names:
        attributes |= {"default": None}
    else:
        attributes |= {"is_flag": True}
    if option.shown:
        attributes |= {"default": default}
    return click.option(option.names, name, **attributes)


def json_document(what: str) -> Callable[[Command], Command]:
    """``--json``, read as ``as_json``: ``what`` is given as a JSON document."""
    return click.option("--json", "as_json", is_flag=True, help=f"Give {what} as a JSON document.")


def writable(context: click.Context, _option: click.Parameter, file: Path | None) -> Path | None:
    """Make sure of a file before minutes are spent on what goes into it; raises UsageError."""
    if file is not None and not context.resilient_parsing:
        check_writable(file)
    return file


def fail_on(command: Command) -> Command:
    """``--fail-on``, read as an agenda's part: what makes the command end with exit code 5."""
    return click.option(
        "--fail-on",
        type=click.Choice(["risk", "change"]),
        help="End with exit code 5 where a risk was found, or a risk or a change: for CI.",
    )(command)


def output_file(what: str) -> Callable[[Command], Command]:
    """``-o FILE``, read as ``file``: where ``what`` is written to, None for standard output."""
    return click.option(
        "-o",
        "--output",
        "file",
        metavar="FILE",
        type=click.Path(path_type=Path),
        callback=writable,
        help=f"Write {what} to a file.",
    )


def plan_forms(command: Command) -> Command:
    """``--sql``, ``--cnf`` and so on: a switch for each form that a plan is given in."""
    from advisor.report.forms.plan_formats import FORMATS  # noqa: PLC0415 - most commands give no plan

    for form in reversed(FORMATS.values()):
        text = f"Give the plan in this form: {form.title}."
        command = click.option(f"--{form.name}", is_flag=True, help=text)(command)
    return command


def choices(command: Command) -> Command:
    """``--as`` (read as ``other``), ``--only`` and ``--without``: what `choose` is asked for."""
    for option in (
        click.option(
            "--without", metavar="RULE", multiple=True, help="Leave this rule's advice out."
        ),
        click.option(
            "--only", metavar="RULE", multiple=True, help="Plan this rule's advice alone."
        ),
        click.option(
            "--as",
            "other",
            metavar="VERSION",
            default="",
            help="Judge it as if its server were another, like mysql-8.4.",
        ),
    ):
        command = option(command)
    return command


def _line(name: str, metavar: str, text: str, *parameter: str) -> Callable[[Command], Command]:
    return click.option(name, *parameter, metavar=metavar, default="", help=text)


def _of_rules(name: str, what: str, text: str) -> Callable[[Command], Command]:
    """An option for advice, rule by rule: pairs of a rule's id and what is said of it."""
    return click.option(
        name, metavar=f"RULE={what}", multiple=True, callback=_by_rule, help=f"{text} Repeatable."
    )


def _by_rule(
    _context: click.Context, option: click.Parameter, given: tuple[str, ...]
) -> tuple[tuple[str, str], ...]:
    found = tuple(each.partition("=") for each in given)
    for rule, equals, _ in found:
        if not (rule and equals):
            raise click.BadParameter(f"Write it as {option.metavar}.")
    return tuple((rule.strip(), text) for rule, _, text in found)


def cover(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--template``, and what is typed beside it: ``--client``, ``--author``, ``--date``...

    They make a report's first page, and say what it holds. The command gets the page as
    ``cover`` and the size of a PDF's sheets as ``paper``.
    """

    @wraps(command)
    def with_cover(**others: Any) -> Any:
        from advisor.report.document import templates  # noqa: PLC0415 - heavy to load
        from advisor.report.document.cover import Cover, OwnWords, day  # noqa: PLC0415

        line = {name: others.pop(name) for name in ("client", "system", "date", "version", "valid")}
        line["date"] = line["date"] or day(datetime.now().astimezone())
        beside = {name: dict(others.pop(name)) for name in ("words", "who", "until")}
        rules = dict.fromkeys(rule for each in beside.values() for rule in each)
        typed = templates.Template(
            own=tuple(
                OwnWords(rule, **{name: each.get(rule, "") for name, each in beside.items()})
                for rule in rules
            ),
            author=others.pop("author"),
            logo=others.pop("logo"),
            paper=others.pop("paper") or "",
            hide_names=others.pop("hide_names"),
            contact=others.pop("contact"),
            confidential=others.pop("confidential"),
        )
        chosen = templates.named(others.pop("template"), home() / templates.FOLDER).but(typed)
        if others.pop("evidence"):
            chosen = chosen.with_evidence
        return command(cover=chosen.cover(Cover(**line)), paper=chosen.paper or "A4", **others)

    decorated: Callable[..., Any] = with_cover
    for option in (
        click.option(
            "--hide-names",
            is_flag=True,
            help="Leave out the names of hosts and accounts; secrets are never in a report.",
        ),
        click.option(
            "--paper",
            type=click.Choice(["A4", "Letter"], case_sensitive=False),
            help="The paper of a PDF; A4 if nothing is said.",
        ),
        click.option("--logo", metavar="FILE", default="", help="A logo for it, PNG or SVG."),
        _of_rules("--until", "DAY", "Until when a rule's change is to be done."),
        _of_rules("--who", "NAME", "Who carries out a rule's change."),
        _of_rules("--words", "TEXT", "What you say beside a rule's advice."),
        _line("--confidential", "TEXT", "A line at the head of each page."),
        _line("--contact", "TEXT", "Whom to ask about it."),
        _line("--valid", "DAY", "Until when it holds."),
        _line("--report-version", "TEXT", "The report's version.", "version"),
        _line("--date", "DAY", "Its day; today if left out."),
        _line("--author", "NAME", "Who made the report."),
        _line("--system", "NAME", "What the client calls the server."),
        _line("--client", "NAME", "Whom the report is for."),
        click.option(
            "--evidence", is_flag=True, help="Append the evidence, curve by curve and rule by rule."
        ),
        click.option(
            "--template",
            metavar="NAME|FILE",
            default="client",
            show_default=True,
            help="Which sections it holds and what its cover says: client, manager, plan,"
            " everything, one that was kept, or a .toml file.",
        ),
    ):
        decorated = option(decorated)
    return decorated
