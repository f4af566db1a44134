"""Waiting for a drive that another run is measuring: two at once would measure each other."""

from __future__ import annotations

import os
import posixpath
from collections.abc import Iterable, Iterator, Mapping

from advisor.runs.events import CheckEvent, Queued, Stage, StageStarted
from advisor.runs.link import Link
from advisor.runs.preparing import directory_for
from advisor.runs.requests import Request
from advisor.store.drive_turns import DriveTurn, Holder
from probes.cancel import CancelToken
from probes.errors import TargetError
from probes.inventory.ask import ask_places
from probes.inventory.facts import Role, Storage
from probes.inventory.read import read
from probes.kinds.kind import Kind
from probes.targets.address import TargetSpec
from probes.targets.target import Target

LOOK_AGAIN_S = 0.5
"""How soon a drive that has become free is noticed."""

_SAME_BOOT = "/proc/sys/kernel/random/boot_id"


def drives_of(link: Link, request: Request) -> tuple[str, ...]:
    """The drives that a run will load, each with its machine: alike whichever way that is reached.

    The machine is known by the number of its boot, which its containers share; a drive by its
    disks, or by what is mounted where no disk is seen. () where machine or drives are not known.
    """
    if link.machine is None:
        return ()
    return drives_below(link.machine, [_directories(link, request)])


def drives_below(machine: Target, directories: Iterable[Mapping[Role, str]]) -> tuple[str, ...]:
    """The drives below directories of a machine, each with its machine; () where not known."""
    try:
        boot = machine.read_file(_SAME_BOOT, 64).decode("ascii", "replace").strip()
    except TargetError:
        return ()
    found = {
        name
        for places in directories
        for storage in read(ask_places(machine, dict(places))).storage
        for name in _names(storage)
    }
    return tuple(f"{boot} {name}" for name in sorted(found)) if boot else ()


def waited(turn: DriveTurn, name: str, token: CancelToken, *, anyway: bool) -> Iterator[CheckEvent]:
    """Take the turn, waiting for it where another run has it; raises Cancelled and StoreError.

    ``name`` is the target's; with ``anyway`` nothing is waited for.
    """
    shown = ""
    while (holder := turn.take(name)) is not None and not anyway:
        text = _sentence(holder)
        if text != shown:
            shown = text
            yield Queued(text)
        token.wait(LOOK_AGAIN_S)
    if shown:
        yield StageStarted(Stage.CONNECT, "The drive is free: this run begins.")


def _directories(link: Link, request: Request) -> dict[Role, str]:
    """Where the run will read and write, its own files' place first."""
    found = {Role.PROBE: directory_for(link, request.target)}
    if link.mysql is None:
        return found
    paths = link.mysql.one(
        "SELECT @@datadir AS datadir, @@innodb_log_group_home_dir AS redo_directory"
    )
    datadir = str(paths["datadir"])
    if Kind.MYSQL in request.kinds and not request.sandbox:
        found[Role.DATA] = datadir
    if not request.target.directory:
        found[Role.REDO] = posixpath.join(datadir, str(paths["redo_directory"]))
    return found


def _names(storage: Storage) -> Iterator[str]:
    for disk in storage.disks:
        yield disk.name
    if not storage.disks and storage.mount_source:
        yield f"{storage.mount_source} on {storage.mount_point}"


def _sentence(holder: Holder) -> str:
    whose = "this computer" if holder.target == TargetSpec().name else holder.target
    of = f" of {whose}" if whose else ""
    other = holder.pid not in (0, os.getpid())
    elsewhere = f", in another program (process {holder.pid})" if other else ""
    return (
        f"This drive is being measured by a run{of}{elsewhere}. This one starts when that one "
        "ends: two at once would measure each other."
    )
