"""Values as JSON and back; what an older program left out gets its default.

JSON has no nan: unknown figures are null there.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from advisor.store.typed import build
from probes.boundary.json_text import decode
from probes.boundary.malformed import Malformed
from probes.boundary.text import text
from probes.events import Calibrated
from probes.plans.plan import Plan
from probes.points import HostSample
from probes.targets.address import TargetSpec

_MOST_BYTES = 8 << 20
"""Of one value; a thorough plan takes some 100 KB."""


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


def load(kept: object) -> object:
    """The value of a kept JSON text; this and all other ``load`` functions raise Malformed."""
    return decode(text(kept, "a value", _MOST_BYTES), _MOST_BYTES)


def load_target(kept: object) -> TargetSpec:
    """What ``dump`` made of a target."""
    content = load(kept)
    if not isinstance(content, dict) or "kind" not in content:
        raise Malformed("the target lacks its kind")
    return build(TargetSpec, content, "the target")


def load_plan(kept: object) -> Plan:
    """What ``dump`` made of a plan."""
    return build(Plan, load(kept), "the plan")


def load_calibrated(kept: object) -> Calibrated:
    """What ``dump`` made of a calibration."""
    return build(Calibrated, load(kept), "the calibration", unknown=True)


def dump_host(host: HostSample) -> str:
    """A host sample as an array of its fields in their order: its names would take most room."""
    return json.dumps(plain([getattr(host, each.name) for each in fields(host)]), allow_nan=False)


def load_host(kept: object) -> HostSample:
    """What ``dump_host`` made; an older program's array is shorter."""
    content = load(kept)
    names = [each.name for each in fields(HostSample)]
    if not isinstance(content, list) or len(content) > len(names):
        raise Malformed("the host sample is no list of its figures")
    return build(
        HostSample, dict(zip(names, content, strict=False)), "the host sample", unknown=True
    )
