"""What a command line says of a target beside its name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from advisor.typed_machine import TypedMachine, stated_machine
from app.fields.target import FIELDS, MACHINE
from app.fields.target_field import TargetField
from probes.errors import UsageError
from probes.figures import listed
from probes.targets.address import TargetKind, TargetSpec
from probes.targets.parse import parse_mysql


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
