"""``leadline collect``: a script for a server's own people, whose archive can be imported."""

from __future__ import annotations

from pathlib import Path

import click

from app.cli.arguments import options
from app.cli.shown.files import write_whole
from app.cli.shown.terminal import messages
from probes._version import __version__
from probes.collection.script import DEFAULT_S, shell_script
from probes.collection.sql import Dialect, sql_script
from probes.errors import UsageError


@click.command()
@click.option(
    "--seconds",
    metavar="SECONDS",
    type=click.IntRange(1, 3600),
    default=DEFAULT_S,
    show_default=True,
    help="How long it watches; `sh collect.sh --seconds=60` says otherwise.",
)
@click.option(
    "--sql",
    "as_sql",
    is_flag=True,
    help="Give statements for who has an account of the server alone; nothing is known of its "
    "machine then.",
)
@click.option(
    "--for",
    "dialect",
    type=click.Choice([each.value for each in Dialect]),
    default=None,
    help="With --sql: whose statements. The shell script asks the server itself.  [default: mysql]",
)
@options.output_file("the script")
def collect(*, seconds: int, as_sql: bool, dialect: str | None, file: Path | None) -> int:
    """Print a script that collects what a check of a server needs, to be sent to its own people.

    It is one readable shell script: `sh collect.sh -S /run/mysqld/mysqld.sock -u root` needs no
    installation and no root, changes nothing, hides passwords, keys and tokens, and leaves
    HOST-collect.tar.gz beside itself. `leadline import` makes a watch of that archive.
    """
    if dialect is not None and not as_sql:
        raise UsageError(
            "--for belongs to --sql.", "The shell script asks the server itself what it is."
        )
    text = (
        sql_script(__version__, seconds, Dialect(dialect or Dialect.MYSQL))
        if as_sql
        else shell_script(__version__, seconds)
    )
    if file is None:
        click.echo(text, nl=False)
        return 0
    write_whole(file, text)
    messages().print(f"{file} is written. Its first lines say how it is run.", soft_wrap=True)
    return 0
