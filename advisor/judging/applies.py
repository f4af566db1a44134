"""Whether a rule speaks about a server: its version, and what a managed service keeps to itself."""

from __future__ import annotations

from collections.abc import Collection

from advisor.facts.catalogue import CATALOGUE
from advisor.facts.measured.points import MEASURED
from advisor.facts.readings import Absent
from advisor.rulekit.facts import FactSource
from advisor.rulekit.rule import Rule
from advisor.variables.aurora import AURORA, FACTS_NOT_IN_AURORA, NOT_IN_AURORA
from advisor.variables.managed import (
    Kept,
    KeptByService,
    drive_of_service,
    files_of_service,
    is_of_machine,
    kept_by_service,
    machine_of_service,
)
from advisor.why import OtherServer
from probes.version import ServerVersion

ON_THE_DRIVE = frozenset(name for name, fact in CATALOGUE.items() if fact.source == MEASURED) | {
    "buffers.huge_pages_gain",
    "drive.load_seen",
    "mixed.ceiling",
    "mixed.commits",
}
"""Facts that only one who can use the server's drive, or see its counters, can tell."""


def no_question(rule: Rule, source: FactSource) -> KeptByService | OtherServer | None:
    """Why the rule does not speak about this server; None when it does or there is none."""
    version = _version(source)
    if version is None:
        return None
    if version.vendor == AURORA and (why := _not_in_aurora(rule)):
        return why
    seen = source.inventory.host is not None
    machine = None if seen else machine_of_service(version, rule.needs)
    files = files_of_service(version, rule.needs)
    if kept := kept_by_service(version.vendor, rule.settings) or machine or files:
        return kept
    if rule.applies_to and not any(versions.covers(version) for versions in rule.applies_to):
        return OtherServer(tuple(map(str, rule.applies_to)), str(version))
    if seen or not (drive := drive_of_service(version)):
        return None
    asked = ON_THE_DRIVE.intersection(rule.needs)
    found = (source.read(name, about_server=rule.about_server) for name in asked)
    return drive if any(isinstance(each, Absent) for each in found) else None


def no_way_to_tell(lacking: Collection[str], source: FactSource) -> KeptByService | None:
    """The service where no account can ever tell these facts, without which a rule is silent.

    None where one of them could be had, or nothing is lacking.
    """
    version = _version(source)
    if version is None or source.inventory.host is not None:
        return None
    never = all(name in ON_THE_DRIVE or is_of_machine(name) for name in lacking)
    return drive_of_service(version) if lacking and never else None


def _version(source: FactSource) -> ServerVersion | None:
    reading = source.read("mysql.version", about_server=True)
    if isinstance(reading, Absent) or not isinstance(reading.value, ServerVersion):
        return None
    return reading.value


def _not_in_aurora(rule: Rule) -> KeptByService | None:
    if not NOT_IN_AURORA.isdisjoint(rule.settings):
        return KeptByService(AURORA, Kept.NO_NOTICE)
    without = FACTS_NOT_IN_AURORA.isdisjoint(rule.needs)
    return None if without else KeptByService(AURORA, Kept.NO_PARTS)
