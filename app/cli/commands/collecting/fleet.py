"""``leadline fleet``: many servers in one table, from archives that their own people collected."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click

from advisor.fleet.listing import kept_servers
from advisor.fleet.roles import by_role
from advisor.fleet.server_row import ServerRow
from advisor.fleet.sorting import SORTS, sorted_by
from advisor.fleet.taking import RefusedArchive, archives_in, take_archives
from advisor.report.document.blocks import Block
from advisor.report.document.templates import Paper
from advisor.report.fleet import fleet_blocks, fleet_rows, role_blocks
from advisor.report.forms.by_ending import FLEET_FORMS, written_fleet
from advisor.report.json.written import written
from app.cli.arguments import options
from app.cli.faults import ExitCode, exit_code, tell
from app.cli.opening import opened_store
from app.cli.shown.files import write_whole
from app.cli.shown.measuring import give
from app.cli.shown.terminal import messages
from probes._version import __version__
from probes.collection.script import DEFAULT_S, filled, shell_script, template
from probes.errors import UsageError
from probes.figures import counted, seconds

_NONE = UsageError(
    "No server was checked, watched or imported.",
    "`leadline fleet import FOLDER` takes in what `leadline collect`'s script has packed.",
)


@click.group(invoke_without_command=True)
@click.option(
    "--sort",
    type=click.Choice(list(SORTS)),
    metavar="COLUMN",
    default="gain",
    show_default=True,
    help=f"What it is sorted by, of {', '.join(SORTS)}: servers that want the most come first.",
)
@click.option("--reverse", is_flag=True, help="The other way round.")
@click.option("--role", metavar="ROLE", default="", help="The servers of one role, side by side.")
@options.json_document("it")
@options.output_file("it (.html, .pdf, .md, .csv, .json or text, by the file's ending)")
@click.pass_context
def fleet(
    context: click.Context,
    *,
    sort: str,
    reverse: bool,
    role: str,
    as_json: bool,
    file: Path | None,
) -> int:
    """List all servers, each by its latest run: what limits it, its risks, what is to be gained.

    Servers of one role are nodes of a cluster, or those whose names differ in a number at their
    end; the table says in what each differs from most of its role.
    """
    if context.invoked_subcommand is not None:
        return ExitCode.DONE
    with opened_store() as store:
        rows = list(kept_servers(store))
    if not rows:
        raise _NONE
    if role:
        rows = _of_role(rows, role)
    _give(sorted_by(rows, sort, backwards=reverse), role, as_json=as_json, file=file)
    return ExitCode.DONE


@fleet.command("import")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--processes",
    type=click.IntRange(1, 256),
    default=None,
    help="How many archives are judged at once.  [default: as many as there are processors]",
)
def import_(folder: Path, processes: int | None) -> int:
    """Judge all archives of a FOLDER, and keep each as a watch of the server that it names."""
    refused: list[RefusedArchive] = []
    kept = again = 0
    started = time.monotonic()
    with opened_store() as store:
        for each in take_archives(store, archives_in(folder), processes):
            if isinstance(each, RefusedArchive):
                refused.append(each)
                tell(each.error)
            elif each.again:
                again += 1
            else:
                kept += 1
    took = seconds(round(time.monotonic() - started))
    known = f"; {counted(again, 'archive')} had been taken in before" if again else ""
    lacking = f"; {counted(len(refused), 'file')} can't be read" if refused else ""
    messages().print(
        f"{counted(kept, 'server')} taken in and judged in {took}{known}{lacking}. "
        "`leadline fleet` lists them.",
        soft_wrap=True,
    )
    return max((exit_code(each.error) for each in refused), default=ExitCode.DONE)


@fleet.command()
@click.option(
    "--hosts", metavar="GROUP", default="mysql", show_default=True, help="Ansible's group."
)
@click.option(
    "--seconds",
    type=click.IntRange(1, 3600),
    default=DEFAULT_S,
    show_default=True,
    help="How long each server is watched.",
)
@options.output_file("the playbook")
def playbook(hosts: str, seconds: int, file: Path | None) -> int:
    """Write a playbook for Ansible that collects on a group of servers and brings the archives.

    `ansible-playbook -i INVENTORY FILE` leaves them in the folder archives/ beside it, which
    `leadline fleet import archives` reads. The script is a file beside the playbook.
    """
    if not hosts.isprintable() or any(letter in hosts for letter in "\"'\\#{}%"):
        raise UsageError(f"{hosts!r} can't be a group of Ansible's.")
    parts = {"hosts": hosts, "seconds": str(seconds), "version": __version__}
    text = filled(template("playbook.yml"), parts)
    if file is None:
        click.echo(text, nl=False)
        return ExitCode.DONE
    script = file.with_name("collect.sh")
    write_whole(file, text)
    write_whole(script, shell_script(__version__, seconds))
    messages().print(
        f"{file} and {script} are written: `ansible-playbook -i INVENTORY {file}` runs them.",
        soft_wrap=True,
    )
    return ExitCode.DONE


def _of_role(rows: Sequence[ServerRow], role: str) -> list[ServerRow]:
    found = [row for row in rows if row.role == role]
    if not found:
        roles = ", ".join(sorted(by_role(rows))[:20])
        raise UsageError(
            f"No server has the role {role!r}.", f"There are: {roles}." if roles else ""
        )
    return found


def _give(rows: Sequence[ServerRow], role: str, *, as_json: bool, file: Path | None) -> None:
    def blocks() -> Sequence[Block]:
        return tuple(role_blocks(role, rows)) if role else fleet_blocks(rows)

    ending = "" if file is None or as_json else file.suffix.lower()
    if file is not None and ending in FLEET_FORMS:
        write_whole(file, written_fleet(ending, rows, Paper.A4))
    else:
        give(lambda: written(fleet_rows(rows)), blocks, as_json=as_json, file=file)
    if file is not None:
        messages().print(f"Written to {file}.", soft_wrap=True)
