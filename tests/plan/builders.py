"""Cases and recommendations for tests of plans, in a few words each."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.case import Case
from advisor.outcomes import Recommendation, Verdict
from advisor.steps import HostCommand, Needs, SetVariable, Step
from advisor.variables.standing import Standing
from probes.statistics.ranges import Range
from tests.rules.casework import build

MYSQL80, MYSQL97, MYSQL56, MYSQL55 = "8.0.33", "9.7.4", "5.6.14", "5.5.34"
MARIADB = "10.11.6-MariaDB"


def case_of(
    version: str, variables: Mapping[str, str], origin: Mapping[str, str] | None = None
) -> Case:
    """A case of one server with these settings."""
    return build({"version": version, "variables": dict(variables), "origin": dict(origin or {})})


def sandbox_case(version: str) -> Case:
    """A case whose server is Leadline's own."""
    return build({"version": version, "variables": {}, "sandbox": True})


def setting(
    name: str, now: str, value: str, needs: Needs = Needs.DYNAMIC, origin: str = "", safe: str = ""
) -> SetVariable:
    return SetVariable(Standing(name, now, origin=origin), value, needs, safe)


def advice(rule: str, *steps: Step, gain: float = 0.5) -> Recommendation:
    """A recommendation that asks for these steps."""
    return Recommendation(
        Verdict.RECOMMEND,
        "Seen.",
        rule=rule,
        title=f"Title of {rule}",
        topic="Test",
        gain=Range.exact(gain),
        steps=steps,
    )


def command(
    what: str = "Choose the scheduler none",
    run: str = "true",
    undo: str = "true",
    keep: tuple[str, str] = ("", ""),
) -> HostCommand:
    return HostCommand(what, run, undo, "cat /sys/block/vda/queue/scheduler", *keep)
