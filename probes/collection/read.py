"""From an archive to raw answers, as an inventory and a watch over SSH would have brought them.

The questions are asked of the recording by the same code that asks a server, so that whatever
reads and judges the answers need not know where they come from.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from probes.collection.archive import MACHINE, MOMENTS, SERVER, Texts, read_archive
from probes.collection.machine import (
    CollectedMachine,
    data_size,
    inventory_answer,
    read_machine_text,
    stated,
)
from probes.collection.moments import watch_answer
from probes.collection.recorded import RecordedServer
from probes.errors import ImportRefused, MySQLError
from probes.inventory.ask_mysql import MySQLAsker
from probes.inventory.facts import Missing, RawInventory
from probes.inventory.redact import clean_inventory
from probes.inventory.roles import role_directories
from probes.inventory.stated_machine import stated_answer
from probes.targets.address import StatedMachine
from probes.watch.clients import addresses_in
from probes.watch.machine_series import ANSWER, TRACE
from probes.watch.server_series import STATUS_ANSWER

_NO_MACHINE = "an account of the server alone collected it, so nothing is known of its machine"
_NO_TRACE = "the script that collected it has no kernel trace"
_NO_SAMPLES = "the server was not sampled to the end"


@dataclass(frozen=True, slots=True)
class CollectedServer:
    """One server: the name that the script gave it, which Leadline wrote that, and the answers."""

    name: str
    version: str
    raw: RawInventory


def read_collected(path: Path) -> CollectedServer:
    """Read an archive; raises ImportRefused for one that is none, or was changed, and OSError."""
    return from_texts(read_archive(path))


def from_texts(texts: Texts) -> CollectedServer:
    """The same of its texts; raises ImportRefused."""
    try:
        raw = _raw(texts)
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError) as error:
        raise ImportRefused(
            "What it holds is not as the script writes it.",
            "Ask for the archive as it was written, or have it collected again.",
            repr(error)[:200],
        ) from error
    manifest = texts.manifest
    return CollectedServer(
        manifest.get("name", ""), manifest.get("version", ""), clean_inventory(raw)
    )


def _raw(found: Texts) -> RawInventory:
    texts, taken_at = found.texts, _taken_at(found.manifest)
    line = found.manifest.get("line", "")
    server = RecordedServer(texts[SERVER], int(line) if line.isdecimal() else 0)
    asker = MySQLAsker(server, server.clock)
    machine = read_machine_text(texts[MACHINE]) if MACHINE in texts else None
    try:
        asker.ask_settings()
        asker.ask_internals()
    except MySQLError as error:
        raise ImportRefused(
            "It holds no answer of the server to what it is: it was cut off, or the login failed.",
            "Look into its mysql.txt, and have it collected again.",
            error.sentence,
        ) from error
    if machine is not None:
        asker.own_addresses = _own_addresses(machine)
    try:
        asker.take_samples(server.samples)
    except MySQLError as error:
        asker.missing.append(Missing(STATUS_ANSWER, f"{_NO_SAMPLES}: {error.sentence}"))
    directories = role_directories(asker.variables, asker.version)
    roles = {role.value: path for role, path in directories.items()}
    answers = asker.answers | {"roles": json.dumps(roles, ensure_ascii=False)}
    missing = list(asker.missing)
    if machine is None or not machine.host:
        missing += [Missing("host", _NO_MACHINE), Missing("storage", _NO_MACHINE)]
        return RawInventory(taken_at, answers, tuple(missing))
    answers |= _machine(machine, roles, texts.get(MOMENTS, ""), asker)
    if "mysql.sizes" not in answers and (size := data_size(machine)):
        answers["mysql.sizes"] = json.dumps({"innodb_files_bytes": size})
        missing = [each for each in missing if each.fact != "mysql.sizes"]
    missing.append(Missing(TRACE, _NO_TRACE))
    return RawInventory(taken_at, answers, tuple(missing))


def _machine(
    machine: CollectedMachine, roles: Mapping[str, str], moments: str, asker: MySQLAsker
) -> dict[str, str]:
    answers = {"agent.inventory": inventory_answer(machine, roles, asker.option_files)}
    if (watched := watch_answer(moments, machine, roles)) is not None:
        answers[ANSWER] = watched
    if (known := stated(machine)) is not None:
        answers |= stated_answer(StatedMachine(memory_bytes=known[0]))
    return answers


def _own_addresses(machine: CollectedMachine) -> frozenset[str]:
    tables = (machine.named.get(f"/proc/net/{name}") for name in ("fib_trie", "if_inet6"))
    lines = [line for table in tables if table is not None for line in table.lines]
    return frozenset(addresses_in(lines))


def _taken_at(manifest: Mapping[str, str]) -> str:
    try:
        taken_at = datetime.fromisoformat(manifest.get("taken_at", ""))
    except ValueError:
        taken_at = datetime.now(UTC)
    return _in_utc(taken_at).isoformat(timespec="seconds")


def _in_utc(moment: datetime) -> datetime:
    """The same in UTC."""
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
