"""Production servers as an engineer meets them: whole cases, and the list that such a one signs.

A file ``*.toml`` beside this is one server: the case as ``tests/rules/casework.py`` builds it, laid
over its version's defaults, and what is expected. ``like`` takes another file's case as the base, a
``variant`` lays something over the file's own. Sizes among the variables may be written "8G". What
is stated stands in /etc/my.cnf, but for what ``origin`` names another place of; ``options`` are
further lines. A ``managed`` server has no option file that could be read. The table ``work`` says
what it did while it was watched (``tests/rules/at_work.py``). A server whose figures contradict
each other is refused; where such a contradiction is the fault that it shows, ``log_overwritten``
says so: a checkpoint that is further behind than its redo log reaches.

To judge one takes half a second, so each worker does it once (``tests/suite/sharing.py`` gives all
files that ask for one to the same worker), and ``make quick`` asks a few of them.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from json import dumps
from pathlib import Path
from typing import Any

import pytest

from advisor.case import Case
from advisor.judging.over_draws import judge
from advisor.outcomes import Judgement
from advisor.variables.catalogue import SETTINGS
from advisor.variables.defaults import Machine, default
from probes.inventory.mysql import read_version
from probes.inventory.redact import without_secrets
from tests.rules.at_work import at_work
from tests.rules.casework import build
from tests.rules.coherence import coherent

FOLDER = Path(__file__).parent
OPEN_FILES = 65536
_TOLD_BY_SERVER = {"window_s", "variables", "rates", "samples", "gauges", "server"}
REPRESENTATIVES = {
    "aurora",
    "azure",
    "busy_and_well_tuned",
    "disks",
    "galera",
    "little_pool_in_idle_memory",
    "mariadb_write_heavy",
    "network_volume",
    "old_sata",
    "rds",
    "rds_class",
    "replica",
    "small_vm",
    "swapping",
    "unconfigured",
}
"""What ``make quick`` asks: each kind of drive, machine, service, family and limit once."""

UNITS = {"M": 1 << 20, "G": 1 << 30}


@dataclass(frozen=True, slots=True)
class ProductionServer:
    """One server: its name, what its file states, and what is expected of the advice."""

    name: str
    document: Mapping[str, Any]
    stated: Mapping[str, Any]
    expected: Mapping[str, Any]
    watched: bool = True

    @property
    def case(self) -> Case:
        """The whole case, built once for all tests."""
        return _built(self.name, self.watched)

    def judged(self) -> Judgement:
        """The advice as users get it, of one judgement for all tests."""
        return _judged(self.name, self.watched)


@cache
def production_servers() -> dict[str, ProductionServer]:
    """All servers, and their variants, by name."""
    found = [each for path in sorted(FOLDER.glob("*.toml")) for each in _servers(path)]
    return {each.name: each for each in found}


def each_server() -> list[Any]:
    """The names of all servers, as parameters of a test; ``make test`` alone asks most of them."""
    return [
        name if name in REPRESENTATIVES else pytest.param(name, marks=pytest.mark.long)
        for name in production_servers()
    ]


def not_watched(name: str) -> ProductionServer:
    """The same server as somebody finds it who has not watched it."""
    return replace(production_servers()[name], watched=False)


@cache
def _built(name: str, watched: bool) -> Case:
    server = production_servers()[name]
    made = _case(server.document, server.stated)
    return made if watched else replace(made, inventory=replace(made.inventory, watched=None))


@cache
def _judged(name: str, watched: bool) -> Judgement:
    return judge(_built(name, watched))


def _servers(path: Path) -> Iterator[ProductionServer]:
    document = _document(path.stem)
    yield ProductionServer(path.stem, document, document["case"], document["expect"])
    for variant in document.get("variant", ()):
        laid = _over(document["case"], variant.get("case", {}))
        name = f"{path.stem}: {variant['name']}"
        yield ProductionServer(name, document, laid, variant["expect"])


@cache
def _document(stem: str) -> dict[str, Any]:
    document = tomllib.loads((FOLDER / f"{stem}.toml").read_text(encoding="utf-8"))
    if "like" in document:
        document["case"] = _over(_document(document["like"])["case"], document["case"])
    return document


def _over(base: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Lay tables over tables, one level deep."""
    both = {
        name: {**base[name], **other[name]}
        for name in base.keys() & other.keys()
        if isinstance(base[name], Mapping)
    }
    return {**base, **other, **both}


def _case(document: Mapping[str, Any], case: Mapping[str, Any]) -> Case:
    host = case.get("host", {})
    memory_gib = host.get("memory_gib")
    machine = Machine(
        host.get("cpus"), None if memory_gib is None else int(memory_gib * 2**30), OPEN_FILES
    )
    stated = {name: in_bytes(value) for name, value in case.get("variables", {}).items()}
    said = {"version": document["version"], "comment": document.get("comment", "")}
    version = read_version({"mysql.version": dumps(said), "mysql.variables": dumps(stated)})
    usual = {name: default(version, name, machine, stated) for name in SETTINGS}
    usual_ones = {name: value for name, value in usual.items() if value is not None}
    shown = without_secrets(usual_ones | stated)
    spec = dict(case) | {"version": document["version"], "variables": shown}
    if not document.get("managed"):
        elsewhere = case.get("origin", {})
        known = dict.fromkeys(shown, "COMPILED") | dict.fromkeys(stated, "/etc/my.cnf")
        spec["origin"] = known | elsewhere
        spec["options"] = [
            *(
                f"/etc/my.cnf:{number} {name} = {value}"
                for number, (name, value) in enumerate(stated.items(), 1)
                if name not in elsewhere
            ),
            *case.get("options", ()),
        ]
    coherent(spec, document.get("name", "the server"))
    made = build(at_work(spec) if "work" in spec else spec)
    assert made.inventory.mysql is not None
    mysql = replace(made.inventory.mysql, version=version)
    return replace(made, inventory=replace(made.inventory, mysql=mysql))


def at_service(stem: str, version: str, variables: Mapping[str, str]) -> Case:
    """A file's server as an account at a managed service sees it: with no machine around it.

    Its memory was told, and so is where each value stands; ``variables`` are laid over the case's.
    """
    case = _document(stem)["case"]
    seen = {name: case[name] for name in _TOLD_BY_SERVER & case.keys()}
    seen["told"] = {"memory_bytes": case["host"]["memory_gib"] << 30}
    return _case({"version": version}, _over(seen, {"variables": variables}))


def in_bytes(text: str) -> str:
    """A size as the server shows it: "8G" is 8589934592."""
    number, unit = text[:-1], text[-1:]
    return str(int(number) * UNITS[unit]) if unit in UNITS and number.isdigit() else text
