"""How targets are named on the command line."""

from __future__ import annotations

from dataclasses import replace

from advisor.store.store import Store
from advisor.target_names import LOCAL
from advisor.told_machine import TypedMachine, said_of_machine
from probes.errors import UsageError
from probes.targets.address import TargetKind, TargetSpec, TlsMode
from probes.targets.allowed_characters import check_target
from probes.targets.parse import parse_mysql, parse_target

MYSQL_HELP = (
    "The server, as its machine sees it: mysql://[user@]host[:port], socket=PATH, or"
    " parts like host=db7,user=app (also port, tls, ca, defaults-file). No password: it is asked"
    " for."
)


def named(store: Store, text: str) -> TargetSpec:
    """The target for ``local``, a saved name or an address; raises UsageError."""
    if "://" in text:
        return parse_target(text)
    saved = store.target(text)
    if saved is not None:
        # It may have been saved before addresses were checked.
        check_target(saved)
        return saved
    if text == LOCAL:
        return TargetSpec()
    known = ", ".join([LOCAL, *(spec.name for spec in store.targets())])
    raise UsageError(
        f"There is no target named {text!r}.",
        f"Known names are: {known}. An address looks like ssh://user@host or mysql://user@host.",
    )


def told(spec: TargetSpec, machine: TypedMachine) -> TargetSpec:
    """``spec`` with what was said of a machine that can't be asked; "" leaves it.

    Raises UsageError.
    """
    if machine == TypedMachine():
        return spec
    if spec.kind is not TargetKind.MYSQL:
        raise UsageError(
            "--memory, --class, --volume-iops and --volume-throughput are for a server whose "
            "machine can't be reached.",
            "Leave them out: Leadline asks this machine itself.",
        )
    return replace(spec, told=said_of_machine(machine, spec.told))


def address(
    spec: TargetSpec, *, mysql: str, directory: str, tls: str | None, sudo: bool | None = None
) -> TargetSpec:
    """``spec`` with what else was said on the command line; "" or None leaves it."""
    if mysql:
        spec = replace(spec, mysql=parse_mysql(mysql))
    if tls:
        if spec.mysql is None:
            raise UsageError(
                "--tls is for a MySQL server, but none is named.", "Name it by --mysql."
            )
        spec = replace(spec, mysql=replace(spec.mysql, tls=TlsMode(tls)))
    if directory:
        spec = replace(spec, directory=directory)
    if sudo and spec.kind is TargetKind.MYSQL:
        raise UsageError(
            "--sudo is for the server's machine, which can't be reached here.",
            "Name it by ssh://, or leave --sudo out.",
        )
    return spec if sudo is None else replace(spec, sudo=sudo)
