"""Plans and targets as JSON and back; what an older program left out gets its default."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from probes.plans.plan import FileSet, Plan, PlanName, Step
from probes.points import Probe, Setting
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec, TlsMode


def dump(value: Plan | TargetSpec) -> str:
    """A plan or target as JSON; neither holds a secret."""
    return json.dumps(asdict(value), ensure_ascii=False, sort_keys=True)


def load_target(text: str) -> TargetSpec:
    """What ``dump`` made of a target."""
    fields = json.loads(text)
    ssh, mysql = fields.pop("ssh", None), fields.pop("mysql", None)
    if mysql is not None and "tls" in mysql:
        mysql["tls"] = TlsMode(mysql["tls"])
    return TargetSpec(
        **fields | {"kind": TargetKind(fields["kind"])},
        ssh=None if ssh is None else SshAddress(**ssh),
        mysql=None if mysql is None else MySQLAddress(**mysql),
    )


def load_plan(text: str) -> Plan:
    """What ``dump`` made of a plan."""
    fields = json.loads(text)
    return Plan(
        **fields
        | {
            "name": PlanName(fields["name"]),
            "file_sets": tuple(FileSet(**each) for each in fields["file_sets"]),
            "steps": tuple(_step(each) for each in fields["steps"]),
            "warnings": tuple(fields.get("warnings", ())),
        }
    )


def _step(fields: Mapping[str, Any]) -> Step:
    setting = fields["setting"]
    return Step(**{**fields, "setting": Setting(**setting | {"probe": Probe(setting["probe"])})})
