"""How targets are named on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from advisor.store.store import Store
from advisor.target_names import LOCAL
from advisor.typed_machine import TypedMachine, stated_machine
from app.fields.target import FIELDS, MACHINE
from app.fields.target_field import TargetField
from probes.errors import UsageError
from probes.figures import listed
from probes.mysql.any_address import any_address
from probes.targets.address import TargetKind, TargetSpec
from probes.targets.allowed_characters import check_target
from probes.targets.parse import LEAVE_OUT, parse_mysql, parse_target

_OF_ADDRESSES = ("@", "=", "/", " ", ".cnf", ".ini")
"""What no target's name has that somebody would save, and every address has one of."""


def named(store: Store, text: str) -> TargetSpec:
    """The target for ``local``, a saved name or an address of any form; raises UsageError."""
    if "://" in text:
        return _at(text)
    saved = store.target(text)
    if saved is not None:
        # It may have been saved before addresses were checked.
        check_target(saved)
        return saved
    if text == LOCAL:
        return TargetSpec()
    if any(each in text for each in _OF_ADDRESSES):
        return _at(text)
    known = ", ".join([LOCAL, *(spec.name for spec in store.targets())])
    raise UsageError(
        f"There is no target named {text!r}.",
        f"Known names are: {known}. An address looks like root@db7, ssh://root@db7, "
        "mysql://app@db7 or podman://NAME.",
    )


def _at(text: str) -> TargetSpec:
    """Our own addresses strictly, those of other tools as they have them; no password is taken."""
    try:
        return parse_target(text)
    except UsageError:
        if text.startswith("ssh://"):
            raise
    found = any_address(text)
    if found.password:
        raise UsageError("The address holds a password, which a command line shows.", LEAVE_OUT)
    return found.target


def with_stated(spec: TargetSpec, stated: Mapping[str, Any]) -> TargetSpec:
    """``spec`` with what options say of it: ``mysql``, and fields of a target by their names.

    "" and None leave what it has. Raises UsageError.
    """
    given = {name: value for name, value in stated.items() if value not in ("", None)}
    if "mysql" in given:
        spec = replace(spec, mysql=parse_mysql(given.pop("mysql")))
    if given.get("sudo") and spec.kind is TargetKind.MYSQL:
        raise UsageError(
            "--sudo is for the server's machine, which can't be reached here.",
            "Name it by ssh://, or leave --sudo out.",
        )
    machine = {name: given.pop(name) for name in MACHINE if name in given}
    for name, value in given.items():
        spec = _with(spec, FIELDS[name], value)
    if not machine:
        return spec
    if spec.kind is not TargetKind.MYSQL:
        raise UsageError(
            f"{listed([FIELDS[name].option.names for name in MACHINE])} are for a server whose "
            "machine can't be reached.",
            "Leave them out: Leadline asks this machine itself.",
        )
    return replace(spec, told=stated_machine(TypedMachine(**machine), spec.told))


def _with(spec: TargetSpec, field: TargetField, value: Any) -> TargetSpec:
    """``spec`` with what a field of it, or of its server, was set to; raises UsageError."""
    part, _, name = field.part.rpartition(".")
    if not part:
        return replace(spec, **{name: field.read(value)})
    if spec.mysql is None:
        raise UsageError(
            f"{field.option.names} is for a MySQL server, but none is named.",
            "Name it by --mysql.",
        )
    return replace(spec, mysql=replace(spec.mysql, **{name: field.read(value)}))
