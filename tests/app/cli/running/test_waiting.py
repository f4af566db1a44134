"""The command line waits for a drive that another program measures, and says so."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from advisor.runs.link import linked
from advisor.runs.requests import CheckRequest
from advisor.runs.waiting import drives_of
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.app.cli.forked import Program
from tests.waiting import HANG_S

Starts = Callable[..., Program]

SMALL = ("--probe", "random_read", "--block-sizes", "4k", "--threads", "1", "--within", "50%")


@contextmanager
def measured_by_another(directory: Path) -> Iterator[None]:
    request = CheckRequest(TargetSpec(directory=str(directory)))
    with linked(request.target, Silent(), CancelToken()) as link:
        drives = drives_of(link, request)
    assert drives
    with Store.open() as store, store.drive_turn(drives) as turn:
        assert turn.take("shop") is None
        yield


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder


def line_with(process: Program, text: str) -> str:
    found = next((line for line in process.stdout if text in line), "")
    assert found, process.stderr.read()
    return found


def test_it_waits_with_a_sentence_and_begins_by_itself(
    program: Starts, home: Path, disk: Path
) -> None:
    with measured_by_another(disk):
        process = program("probe", "storage", "--dir", str(disk), *SMALL)
        said = line_with(process, "being measured by a run of shop")
        assert f"in another program (process {os.getpid()})" in said
        assert "--start-anyway does not wait" in said
        with Store.open() as store:
            assert store.runs() == []
    line_with(process, "The drive is free: this run begins.")
    line_with(process, "Run 1:")
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=HANG_S)


def test_ctrl_c_gives_up_waiting(program: Starts, home: Path, disk: Path) -> None:
    with measured_by_another(disk):
        process = program("probe", "storage", "--dir", str(disk), *SMALL)
        line_with(process, "being measured by")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=HANG_S)
        assert process.returncode == 4
        with Store.open() as store:
            assert store.runs() == []


def test_start_anyway_begins_at_once(program: Starts, home: Path, disk: Path) -> None:
    with measured_by_another(disk):
        process = program("probe", "storage", "--dir", str(disk), *SMALL, "--start-anyway")
        line_with(process, "Run 1:")
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=HANG_S)
        assert "being measured by" not in output
