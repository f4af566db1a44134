"""A disk that gets full: the variant on it is left out, and the others go on."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from advisor.lab.asked import AGAIN
from advisor.runs.events import RunStarted, StageStarted
from advisor.runs.lab.events import LabEvent, LabFinished, StartBegun, TurnDone
from advisor.store.store import Store
from probes.errors import NotEnoughSpace, NothingMeasured
from probes.events import Preparing
from probes.lab.variant import Variant
from tests.advisor.runs.lab.small_labs import (
    MIB,
    asked,
    events_of,
    left_out,
    question_of,
    request,
    turns,
)


@pytest.fixture
def small_disk(home: Path) -> Iterator[Path]:
    """A filesystem of its own with 1,100 MiB; needs root and mount."""
    disk = home / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1100m", "tmpfs", disk],
        capture_output=True,
        check=False,
    )
    if mounted.returncode != 0:
        disk.rmdir()
        pytest.skip("mounting needs root")
    yield disk
    left = [path for path in disk.iterdir() if path.name != "hog"]
    subprocess.run(["umount", disk], check=True)
    disk.rmdir()
    assert left == []


def full_from(events: Iterator[LabEvent], disk: Path, moment: str) -> list[LabEvent]:
    """All events of a lab; its disk is full from the first that names the moment on."""
    seen: list[LabEvent] = []
    hog = disk / "hog"
    for event in events:
        seen.append(event)
        if not hog.exists() and _is(event, moment):
            with hog.open("wb", buffering=0) as file, suppress(OSError):
                free = os.statvfs(disk)
                os.posix_fallocate(file.fileno(), 0, free.f_bavail * free.f_frsize)
            with hog.open("ab", buffering=0) as file, suppress(OSError):
                # A server may have given some of it back, or asked for some, meanwhile.
                while True:
                    file.write(bytes(MIB))
    return seen


def _is(event: LabEvent, moment: str) -> bool:
    if isinstance(event, StageStarted):
        return moment in event.text
    named = {"filling": Preparing, "starting": StartBegun, "working": TurnDone}
    kind = named.get(moment)
    return kind is not None and isinstance(event, kind)


def test_while_the_tables_are_filled(store: Store, home: Path, small_disk: Path) -> None:
    events = events_of(store, request(asked("innodb_doublewrite=ON,OFF"), small_disk))
    with pytest.raises(NothingMeasured) as fault:
        full_from(events, small_disk, "filling")
    assert "ends early" in fault.value.sentence


@pytest.mark.parametrize("moment", ["Copying the data", "starting", "working"])
def test_the_others_go_on(store: Store, home: Path, small_disk: Path, moment: str) -> None:
    question = question_of(
        Variant("a", directory=str(home)),
        Variant("b", directory=str(small_disk)),
        Variant("c", {"innodb_io_capacity": "400"}, directory=str(home)),
    )
    events = events_of(store, request(question, home, small_disk))
    seen = full_from(events, small_disk, moment)
    assert isinstance(seen[-1], LabFinished)
    assert set(left_out(seen)) <= {"b"}
    if moment.startswith("Copying"):
        assert "no room" in left_out(seen)["b"]
    done = {each.turn.variant for each in turns(seen)}
    assert {"a", "c", "a" + AGAIN} <= done
    record = store.lab(next(each.run_id for each in seen if isinstance(each, RunStarted)))
    assert dict(record.dropped) == left_out(seen)


def test_a_disk_that_is_too_small_is_refused_before_anything(
    store: Store, home: Path, small_disk: Path
) -> None:
    with (small_disk / "hog").open("wb") as hog:
        os.posix_fallocate(hog.fileno(), 0, 700 * MIB)
    events = events_of(store, request(asked("innodb_doublewrite=ON,OFF"), small_disk))
    with pytest.raises(NotEnoughSpace, match="stays free"):
        list(events)
    assert store.runs() == []
