"""From raw answers to facts: pure, so that a better reader can read an old answer again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.inventory.container import limited, read_container
from probes.inventory.facts import Inventory, Missing, MySQLFacts, RawInventory, Role
from probes.inventory.machine.answer import LONGEST_BYTES, MachineAnswer
from probes.inventory.machine.host import read_host
from probes.inventory.machine.storage import read_storage
from probes.inventory.mysql import MySQLReading, read_mysql
from probes.inventory.option_files import OptionFiles, read_option_files
from probes.inventory.server_process import read_server_process
from probes.inventory.stated_machine import read_stated
from probes.targets.container.facts import ANSWER as CONTAINER
from probes.watch.reading.machine import agents_answer, server_hostname
from probes.watch.reading.whole import read_watch

OPTION_FILES = "mysql.option_files"
"""The fact, and the raw answer of option files that came without a machine."""


def read(raw: RawInventory) -> Inventory:
    """Read everything that was answered. Never fails: a damaged answer becomes a missing fact."""
    mysql = _mysql(raw)
    inventory = _machine(raw, Inventory(raw.taken_at))
    elsewhere = _elsewhere(inventory, mysql, raw)
    if elsewhere:
        inventory = _apart(inventory, elsewhere)
    inventory = _contained(raw, inventory)
    seen = _watched(raw, _sent(raw, inventory), mysql.facts, here=not elsewhere)
    inventory = _stated(raw, seen)
    return replace(
        inventory,
        mysql=mysql.facts,
        missing=(*raw.missing, *inventory.missing, *mysql.missing),
    )


def _sent(raw: RawInventory, inventory: Inventory) -> Inventory:
    """Option files that came by themselves, without the machine that they are of."""
    text = raw.answers.get(OPTION_FILES)
    if text is None:
        return inventory
    try:
        options = read_option_files(decode_object(text, LONGEST_BYTES))
    except Malformed as error:
        missing = Missing(OPTION_FILES, f"what was sent of them is damaged: {error}")
        return replace(inventory, missing=(*inventory.missing, missing))
    missed = (*inventory.missing, *_unread(options))
    return replace(inventory, option_files=options, missing=missed)


def _watched(
    raw: RawInventory, inventory: Inventory, mysql: MySQLFacts | None, *, here: bool
) -> Inventory:
    """What was seen of the server's work; of the machine only where the server is ``here``."""
    try:
        found = read_watch(
            raw.answers,
            here=here,
            mariadb=mysql is not None and mysql.version.is_mariadb,
            scheduler=mysql is not None and mysql.scheduler_runs,
        )
    except Malformed as error:
        missing = Missing("watch", f"its answer is damaged: {error}")
        return replace(inventory, missing=(*inventory.missing, missing))
    unseen = tuple(Missing(f"watch.{what}", because) for what, because in found.missing)
    return replace(inventory, watched=found.watched, missing=(*inventory.missing, *unseen))


def _stated(raw: RawInventory, inventory: Inventory) -> Inventory:
    try:
        return replace(inventory, told=read_stated(raw.answers))
    except Malformed as error:
        missing = Missing("told", f"what was said of the machine is damaged: {error}")
        return replace(inventory, missing=(*inventory.missing, missing))


def _contained(raw: RawInventory, inventory: Inventory) -> Inventory:
    """The container that was looked into, with its limits."""
    try:
        container = read_container(raw.answers)
    except Malformed as error:
        missing = Missing(CONTAINER, f"what its engine says of it is damaged: {error}")
        return replace(inventory, missing=(*inventory.missing, missing))
    return inventory if container is None else limited(inventory, container)


def _machine(raw: RawInventory, inventory: Inventory) -> Inventory:
    text = raw.answers.get("agent.inventory")
    if text is None:
        return inventory
    try:
        return _read_machine(MachineAnswer.parse(text), inventory)
    except (ValueError, ArithmeticError, RecursionError) as error:
        return replace(inventory, missing=(Missing("host", f"its answer is damaged: {error}"),))


def _read_machine(answer: MachineAnswer, inventory: Inventory) -> Inventory:
    reading = read_storage(answer)
    options = read_option_files(None if answer.server is None else answer.server.options)
    return replace(
        inventory,
        host=read_host(answer),
        storage=reading.storage,
        missing=(*reading.missing, *_unread(options)),
        server_process=read_server_process(answer.server),
        option_files=options,
    )


def _unread(options: OptionFiles | None) -> tuple[Missing, ...]:
    """What of the option files could not be read, file by file."""
    if options is None:
        return ()
    if options.because:
        return (Missing(OPTION_FILES, options.because),)
    return tuple(
        Missing(f"{OPTION_FILES}.{file.path}", file.because)
        for file in options.files
        if file.because
    )


def _elsewhere(inventory: Inventory, mysql: MySQLReading, raw: RawInventory) -> str:
    """Why the machine that was looked at is not the server's; "" where it is.

    Over the network a path of the same name says nothing: only names that agree do, the machine's
    or the one that a server's process in a container has.
    """
    if inventory.host is None or mysql.facts is None or raw.answers.get("mysql.over") == "socket":
        return ""
    theirs, ours = mysql.facts.value("hostname") or "", inventory.host.hostname
    if not theirs or not ours or _first(theirs) == _first(ours):
        return ""
    if _first(theirs) in map(_first, _names_in_container(inventory, raw)):
        return ""
    return f"MySQL runs on {theirs}, and this machine is {ours}"


def _names_in_container(inventory: Inventory, raw: RawInventory) -> Iterator[str]:
    """What the server's process calls its machine: as this account sees it, and as root did."""
    if inventory.server_process is not None:
        yield inventory.server_process.hostname
    with suppress(Malformed):
        yield server_hostname(agents_answer(raw.answers))


def _apart(inventory: Inventory, because: str) -> Inventory:
    """Leave out the directories and the process of a server that runs on another machine."""
    probe = f"storage.{Role.PROBE}"
    return replace(
        inventory,
        storage=tuple(one for one in inventory.storage if one.role is Role.PROBE),
        server_process=None,
        option_files=None,
        missing=(
            Missing("storage", because),
            *([] if inventory.option_files is None else [Missing(OPTION_FILES, because)]),
            *(one for one in inventory.missing if one.fact.startswith(probe)),
        ),
    )


def _first(hostname: str) -> str:
    return hostname.partition(".")[0].lower()


def _mysql(raw: RawInventory) -> MySQLReading:
    try:
        return read_mysql(raw.answers)
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError) as error:
        because = f"the server's answer is damaged: {error}"
        return MySQLReading(None, (Missing("mysql", because),))
