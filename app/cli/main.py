"""The command ``leadline``: its own options, and where its subcommands are."""

from __future__ import annotations

import importlib
import keyword
import sys
from collections.abc import Sequence
from typing import Any

import click
from click.shell_completion import CompletionItem

from advisor.target_names import CASE_SUFFIX
from app.cli.faults import code_of, guarded
from app.cli.shown.terminal import prepare_streams

COMMANDS = {
    "check": "Measure a target, judge it, and advise.",
    "watch": "Look at a running server's own work, without any load, and advise.",
    "history": "One server over time: what each look found, and what changed between.",
    "advise": "Judge a run again: its advice, and the plan of what to change.",
    "report": "A run as one file for a client: HTML, Markdown or JSON.",
    "case": "A run as one file, to be judged elsewhere.",
    "variables": "What Leadline knows of each server's settings.",
    "forecast": "What a server would do on another drive, from measured curves.",
    "bench": "Measure several directories in turn under equal conditions, and compare them.",
    "lab": "What a setting, a drive or a version is worth here, on throwaway servers.",
    "try": "One change on the live server, switched back and forth: kept, or taken back.",
    "record": "What came of rules' advice: in trials, labs and later looks.",
    "pin": "Settings that are kept as they are, and never advised against.",
    "fleet": "Many servers in one table: what limits each, and where they differ.",
    "compare": "Drives side by side, and which is fastest under a watched server.",
    "collect": "A script for a server's own people: its archive can be imported.",
    "import": "Keep results of fio, sysbench, iostat or a table as runs.",
    "probe": "Measure chosen probes alone: storage, redo, flush, mixed, steady, mysql.",
    "targets": "The targets that were saved: list, add, remove, test.",
    "runs": "The runs that were kept: list, show, compare, delete.",
    "rules": "What Leadline knows: list the rules, or read one.",
    "mcp": "Offer what was kept to an assistant, which can read it and change nothing.",
}
"""Each is the command of the same name in the module of the same name, loaded when it is used."""

_ROOMS = dict.fromkeys(("lab", "try", "record", "pin"), "trying") | dict.fromkeys(
    ("collect", "fleet", "history", "import"), "collecting"
)
"""Commands whose modules stand in a folder of their own."""


class Program(click.Group):
    """The group of all commands; turns every fault into a sentence and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The commands in the order in which a newcomer needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; what it imports costs its users alone."""
        if cmd_name not in COMMANDS:
            return None
        # A name that Python keeps for itself has an underscore there.
        name = f"{cmd_name}_" if keyword.iskeyword(cmd_name) else cmd_name
        room = f"{_ROOMS[cmd_name]}." if cmd_name in _ROOMS else ""
        module = importlib.import_module(f"app.cli.commands.{room}{name}")
        command: click.Command = getattr(module, name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that is meant; case files in its place open in the window."""
        if args[0].endswith(CASE_SUFFIX):
            from app.cli.window import window  # noqa: PLC0415 - only the window needs it

            return window.name, window, args
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without loading them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
        """What a shell may complete to, without loading the commands."""
        commands = [
            CompletionItem(name, help=meaning)
            for name, meaning in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return [*commands, *click.Command.shell_complete(self, ctx, incomplete)]

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run a command line (without the program's name) and return its exit code."""
        given = list(sys.argv[1:] if args is None else args)
        prepare_streams()
        options["standalone_mode"] = False
        with guarded() as outcome:
            refuse_password(given)
            outcome.code = code_of(super().main(given, *rest, **options))
        return outcome.code


def refuse_password(args: Sequence[str]) -> None:
    """Explain why there is no --password; raises UsageError."""
    if any(arg == "--password" or arg.startswith("--password=") for arg in args):
        raise click.UsageError(
            "There is no --password: every user of this computer could read it in the list of "
            "processes, and it would stay in your shell's history.\n"
            "Leave it out and Leadline asks for it. It is also found in the system's keyring "
            "(keyring set leadline 'mysql USER@HOST'), in an option file "
            "(--mysql defaults-file=PATH) and in the variable LEADLINE_MYSQL_PASSWORD."
        )


def show_version(context: click.Context, _option: click.Parameter, asked: bool) -> None:
    """Print the version and end, where that was asked for."""
    if asked and not context.resilient_parsing:
        from app.runtime.commit import version  # noqa: PLC0415 - it may start git

        click.echo(f"leadline {version()}")
        context.exit()


@click.group(
    cls=Program,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog="Exit codes: 0 done, 1 failed, 2 wrong usage, 3 target not reached, 4 stopped.",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=show_version,
    help="Show the version and its commit.",
)
@click.option("--self-test", is_flag=True, help="Check that this installation is complete.")
@click.pass_context
def cli(context: click.Context, self_test: bool) -> int | None:
    """Measure a MySQL server's storage and advise on InnoDB settings, with the evidence.

    Without a command, Leadline opens its window; with case files in its place, it imports them
    there.
    """
    if self_test:
        from app.runtime.self_test import run  # noqa: PLC0415 - it imports all that there is

        return int(run())
    if context.invoked_subcommand is not None:
        return None
    from app.cli.window import open_window  # noqa: PLC0415 - only the window needs Qt

    return open_window()
