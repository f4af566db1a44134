"""``leadline targets``: how servers are reached, under names of their own."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import click
from rich.text import Text

from advisor.knowledge.machine_classes import machine_text
from advisor.store.store import Store
from advisor.target_names import LOCAL, check_name
from app.cli.arguments import options
from app.cli.arguments.addresses import with_stated
from app.cli.interrupts import Interrupts
from app.cli.opening import opened_store
from app.cli.shown.prompts import TerminalPrompts
from app.cli.shown.terminal import output, plain_table, write_json
from app.fields.named_target import named
from app.fields.target import MACHINE, TargetForm
from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec, TlsMode
from probes.targets.parse import container_text


@click.group(invoke_without_command=True)
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
@click.pass_context
def targets(context: click.Context, as_json: bool) -> None:
    """The targets that were saved; alone, it lists them."""
    if context.invoked_subcommand is None:
        show_all(as_json)


@targets.command("list")
@click.option("--json", "as_json", is_flag=True, help="List them as JSON.")
def list_command(as_json: bool) -> None:
    """List the targets and how each is reached."""
    show_all(as_json)


def show_all(as_json: bool) -> None:
    """Print every target, this computer first."""
    with opened_store() as store:
        found = all_targets(store)
    if as_json:
        write_json([asdict(spec) for spec in found])
        return
    table = plain_table("name", "machine", "MySQL", "directory")
    for column in table.columns:
        column.overflow = "fold"
    for spec in found:
        table.add_row(*map(Text, (spec.name, machine(spec), server(spec.mysql), spec.directory)))
    output().print(table)


def all_targets(store: Store) -> list[TargetSpec]:
    """The targets that a name may stand for: this computer, then the saved ones."""
    return [TargetSpec(), *(spec for spec in store.targets() if spec.name != LOCAL)]


@targets.command()
@click.argument("name")
@click.argument("target")
@options.mysql
@options.of_form(TargetForm, "tls", "sudo", *MACHINE, "directory")
def add(name: str, target: str, **stated: Any) -> None:
    """Save TARGET as NAME: an address, or a saved name.

    An address is local, root@db7, ssh://root@db7:22, mysql://app@db7:3306, a socket's or an option
    file's path, a container (podman://NAME), another tool's URL (jdbc:mysql://...), or a command in
    quotes ("mysql -h db7 -u app"). A password must not stand in it.
    """
    check_name(name)
    with opened_store() as store:
        store.save_target(replace(with_stated(named(store, target), stated), name=name))
    output().print(f"Saved {name}. `leadline targets test {name}` tries it.", soft_wrap=True)


@targets.command()
@click.argument("name")
def remove(name: str) -> None:
    """Forget the target NAME; its runs are kept."""
    with opened_store() as store:
        if store.target(name) is None:
            raise UsageError(f"There is no saved target named {name!r}.", "")
        store.delete_target(name)
    output().print(f"Removed {name}; its runs are kept.", soft_wrap=True)


@targets.command()
@click.argument("target", default=LOCAL)
@options.mysql
@options.of_form(TargetForm, "tls")
@click.option("--json", "as_json", is_flag=True, help="Give what was found as JSON.")
def test(target: str, as_json: bool, **stated: Any) -> None:
    """Connect to TARGET as a check would, and say what was found."""
    from advisor.runs import session  # noqa: PLC0415 - listing names shall not load every transport

    with opened_store() as store:
        spec = with_stated(named(store, target), stated)
    token = CancelToken()
    interrupts = Interrupts(token)
    with interrupts.watched():
        found = session.test_connection(spec, TerminalPrompts(interrupts), token)
    if as_json:
        content = {"lines": list(found.lines), "facts": dict(found.facts)}
        write_json(content)
        return
    for line in found.lines:
        output().print(line, soft_wrap=True)


def machine(spec: TargetSpec) -> str:
    """How the machine is reached, as its address is written."""
    sudo = ", sudo -n" if spec.sudo else ""
    if container := container_text(spec):
        return f"{container}{sudo}"
    if spec.ssh is not None:
        return f"ssh://{spec.ssh.place}{sudo}"
    if spec.kind == "local":
        return f"this computer{sudo}"
    text = machine_text(spec.told)
    how = "known from texts" if spec.kind is TargetKind.TEXTS else "not reached"
    return f"{how} ({text})" if text else how


def server(mysql: MySQLAddress | None) -> str:
    """How the server is reached from its machine, and how its TLS differs from the default.

    "" when none is named.
    """
    if mysql is None:
        return ""
    if mysql.tls is TlsMode.VERIFIED:
        return _place(mysql)
    return f"{_place(mysql)}, TLS {mysql.tls.value.replace('_', ' ')}"


def _place(mysql: MySQLAddress) -> str:
    user = f"{mysql.user}@" if mysql.user else ""
    if mysql.socket:
        return f"{user}{mysql.socket}"
    if not mysql.host:
        return f"{user}{mysql.defaults_file or 'from ~/.my.cnf'}"
    return f"{user}{mysql.host}:{mysql.port}"
