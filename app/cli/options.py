"""Options that several commands share, each with one spelling and one meaning."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import click

from advisor.told_machine import TypedMachine
from app.cli.addresses import MYSQL_HELP
from probes.home import home
from probes.plans.plan import PlanName
from probes.targets.address import TlsMode

Command = TypeVar("Command", bound=Callable[..., Any])

mysql = click.option("--mysql", metavar="DSN", default="", help=MYSQL_HELP)
tls = click.option(
    "--tls",
    type=click.Choice([mode.value for mode in TlsMode]),
    help="How the MySQL server over TCP is trusted: verified by default. unverified gives the"
    " password to any server with TLS; disabled does without TLS, and gives it to none.",
)
whole_plan = click.option(
    "--plan",
    type=click.Choice([name.value for name in PlanName]),
    default=PlanName.QUICK.value,
    show_default=True,
    help="How sure each point shall be: within 5, 3 or 1.5 %.",
)
sudo = click.option(
    "--sudo/--no-sudo",
    default=None,
    help="Run what looks at the server by `sudo -n` where the account is not root, so that the "
    "kernel may trace its reads, writes and syncs. It never asks for a password.",
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
directory = click.option(
    "--dir", "directory", metavar="PATH", default="", help="Where to measure the drive."
)
table = click.option(
    "--table",
    metavar="SCHEMA.TABLE",
    default="",
    help="Which table to look up rows in; - for none. Left out: the largest that fits.",
)


start_anyway = click.option(
    "--start-anyway",
    is_flag=True,
    help="Begin at once, also while another run measures the same drive.",
)

full = click.option(
    "--full", is_flag=True, help="Show all of it: curves, evidence, what is fine, what lacks facts."
)


memory = click.option(
    "--memory",
    metavar="SIZE",
    default="",
    help="The memory of a server's machine that can't be reached, as 64G (mysql:// targets), or"
    " of a new server's (with --for, or for the program that is installed here).",
)
_machine_class = click.option(
    "--class",
    "machine_class",
    metavar="NAME",
    default="",
    help="Its instance class, as db.r6g.2xlarge (mysql:// targets).",
)
_volume_iops = click.option(
    "--volume-iops",
    metavar="NUMBER",
    default="",
    help="What its volume was bought with, in requests per second, as 3000 (mysql:// targets).",
)
_volume_throughput = click.option(
    "--volume-throughput",
    metavar="SIZE",
    default="",
    help="The same in bytes per second, as 125M (mysql:// targets).",
)


def machine(command: Command) -> Command:
    """What is said of a server's machine that can't be asked, read as one ``machine``."""

    @memory
    @_machine_class
    @_volume_iops
    @_volume_throughput
    @wraps(command)
    def given(
        *, memory: str, machine_class: str, volume_iops: str, volume_throughput: str, **other: Any
    ) -> Any:
        typed = TypedMachine(memory, machine_class, volume_iops, volume_throughput)
        return command(machine=typed, **other)

    return cast("Command", given)


def json_document(what: str) -> Callable[[Command], Command]:
    """``--json``, read as ``as_json``: ``what`` is given as a JSON document."""
    return click.option("--json", "as_json", is_flag=True, help=f"Give {what} as a JSON document.")


def output_file(what: str) -> Callable[[Command], Command]:
    """``-o FILE``, read as ``file``: where ``what`` is written to, None for standard output."""
    return click.option(
        "-o",
        "--output",
        "file",
        metavar="FILE",
        type=click.Path(path_type=Path),
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


def cover(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--template``, and what is typed beside it: ``--client``, ``--author``, ``--date``...

    They make a report's first page, and say what it holds. The command gets the page as
    ``cover`` and the size of a PDF's sheets as ``paper``.
    """

    @wraps(command)
    def with_cover(
        *,
        template: str,
        client: str,
        author: str,
        date: str,
        logo: str,
        paper: str | None,
        hide_names: bool,
        **others: Any,
    ) -> Any:
        from advisor.report.document import templates  # noqa: PLC0415 - heavy to load
        from advisor.report.document.cover import day  # noqa: PLC0415

        found = templates.named(template, home() / templates.FOLDER)
        chosen = found.but(author, logo, paper or "", hide_names=hide_names)
        made = chosen.cover(client, date or day(datetime.now().astimezone()))
        return command(cover=made, paper=chosen.paper or "A4", **others)

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
        click.option("--date", metavar="DAY", default="", help="Its day; today if left out."),
        click.option("--author", metavar="NAME", default="", help="Who made the report."),
        click.option("--client", metavar="NAME", default="", help="Whom the report is for."),
        click.option(
            "--template",
            metavar="NAME|FILE",
            default="everything",
            show_default=True,
            help="Which sections it holds and what its cover says: everything, manager, plan, one"
            " that was kept, or a .toml file.",
        ),
    ):
        decorated = option(decorated)
    return decorated
