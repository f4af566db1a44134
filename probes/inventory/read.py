"""From raw answers to facts: pure, so that a better reader can read an old answer again."""

from __future__ import annotations

from dataclasses import replace

from probes.inventory.facts import Inventory, Missing, RawInventory
from probes.inventory.host import read_host
from probes.inventory.machine_answer import MachineAnswer
from probes.inventory.mysql import MySQLReading, read_mysql
from probes.inventory.storage import read_storage


def read(raw: RawInventory) -> Inventory:
    """Read everything that was answered. Never fails: a damaged answer becomes a missing fact."""
    inventory = _machine(raw, Inventory(raw.taken_at))
    reading = _mysql(raw)
    return replace(
        inventory,
        mysql=reading.facts,
        missing=(*raw.missing, *inventory.missing, *reading.missing),
    )


def _machine(raw: RawInventory, inventory: Inventory) -> Inventory:
    text = raw.answers.get("agent.inventory")
    if text is None:
        return inventory
    try:
        answer = MachineAnswer.parse(text)
    except ValueError as error:
        return replace(inventory, missing=(Missing("host", f"its answer is damaged: {error}"),))
    reading = read_storage(answer)
    return replace(
        inventory,
        host=read_host(answer),
        storage=reading.storage,
        missing=reading.missing,
    )


def _mysql(raw: RawInventory) -> MySQLReading:
    try:
        return read_mysql(raw.answers)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        because = f"the server's answer is damaged: {error}"
        return MySQLReading(None, (Missing("mysql", because),))
