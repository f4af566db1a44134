"""Values as JSON and back; what an older program left out gets its default.

JSON has no nan: unknown figures are null there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from probes.events import Calibrated
from probes.plans.plan import Budget, FileSet, Guard, Plan, PlanName, Step
from probes.points import HostSample, Probe, Setting
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec, TlsMode


def dump(value: Plan | TargetSpec | Calibrated) -> str:
    """A plan, target or calibration as JSON; none holds a secret."""
    return dump_plain(asdict(value))


def dump_plain(value: object) -> str:
    """Mappings, lists and plain values as JSON."""
    return json.dumps(plain(value), ensure_ascii=False, sort_keys=True, allow_nan=False)


def plain(value: object) -> Any:
    """The same without what JSON lacks: enums, tuples, figures beyond all numbers."""
    match value:
        case str():
            return str(value)
        case float():
            return value if math.isfinite(value) else None
        case Mapping():
            return {str(name): plain(each) for name, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
        case _:
            return value


def load_target(text: str) -> TargetSpec:
    """What ``dump`` made of a target."""
    content = json.loads(text)
    ssh, mysql = content.pop("ssh", None), content.pop("mysql", None)
    if mysql is not None and "tls" in mysql:
        mysql["tls"] = TlsMode(mysql["tls"])
    return TargetSpec(
        **content | {"kind": TargetKind(content["kind"])},
        ssh=None if ssh is None else SshAddress(**ssh),
        mysql=None if mysql is None else MySQLAddress(**mysql),
    )


def load_plan(text: str) -> Plan:
    """What ``dump`` made of a plan."""
    content = json.loads(text)
    guard = content.get("guard")
    return Plan(
        **content
        | {
            "name": PlanName(content["name"]),
            "file_sets": tuple(FileSet(**each) for each in content["file_sets"]),
            "steps": tuple(_step(each) for each in content["steps"]),
            "warnings": tuple(content.get("warnings", ())),
            "budget": Budget(**content.get("budget", {})),
            "guard": None if guard is None else Guard(**guard),
            "cross_steps": tuple(content.get("cross_steps", ())),
            "watch_pids": tuple(content.get("watch_pids", ())),
            "watch_directories": tuple(content.get("watch_directories", ())),
        }
    )


def _step(content: Mapping[str, Any]) -> Step:
    setting = content["setting"]
    return Step(**{**content, "setting": Setting(**setting | {"probe": Probe(setting["probe"])})})


def load_calibrated(text: str) -> Calibrated:
    """What ``dump`` made of a calibration; JSON's names are text, its counts are not."""
    content = json.loads(text)
    return Calibrated(
        **content
        | {
            "wakeup_us": _by_count(content["wakeup_us"]),
            "ceiling_per_s": {
                int(block): _by_count(rates) for block, rates in content["ceiling_per_s"].items()
            },
        }
    )


def _by_count(content: Mapping[str, float | None]) -> dict[int, float]:
    return {int(count): known(value) for count, value in content.items()}


def dump_host(host: HostSample) -> str:
    """A host sample as an array of its fields in their order: its names would take most room."""
    return json.dumps(plain([getattr(host, each.name) for each in fields(host)]), allow_nan=False)


def load_host(text: str) -> HostSample:
    """What ``dump_host`` made; an older program's array is shorter."""
    device, *figures = json.loads(text)
    return HostSample(device, *map(known, figures))


def known(value: float | None) -> float:
    """A figure, nan for None."""
    return math.nan if value is None else value
