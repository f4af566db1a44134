"""One run at a time on a drive, among threads and programs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from advisor.store.drive_turns import DriveTurn, Holder
from probes.errors import StoreError

HOLD = """
import sys
from pathlib import Path
from advisor.store.drive_turns import DriveTurn
with DriveTurn(Path(sys.argv[1]), sys.argv[2:]) as turn:
    assert turn.take("shop") is None
    print("mine", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "leadline.drives"


def test_a_drive_is_held_until_the_turn_is_over(folder: Path) -> None:
    first, second = DriveTurn(folder, ["m vda"]), DriveTurn(folder, ["m vda"])
    with first:
        assert first.take("shop") is None
        with second:
            holder = second.take("here")
        assert isinstance(holder, Holder)
        assert (holder.target, holder.pid) == ("shop", os.getpid())
        assert holder.since
    with second:
        assert second.take("here") is None


def test_drives_do_not_stand_in_each_others_way(folder: Path) -> None:
    with DriveTurn(folder, ["m vda"]) as first, DriveTurn(folder, ["m vdb"]) as second:
        assert first.take("a") is None
        assert second.take("b") is None


def test_all_drives_or_none(folder: Path) -> None:
    both, one = DriveTurn(folder, ["m vda", "m vdb"]), DriveTurn(folder, ["m vdb"])
    with DriveTurn(folder, ["m vda"]) as first, one, both:
        assert first.take("a") is None
        assert both.take("both") is not None
        assert one.take("b") is None


def test_nothing_to_hold_is_free(folder: Path) -> None:
    with DriveTurn(folder, []) as first:
        assert first.take("a") is None


def test_a_program_that_is_killed_lets_go(folder: Path) -> None:
    holding = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder), "m vda"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holding:
        assert holding.stdout is not None
        assert holding.stdout.readline() == b"mine\n"
        with DriveTurn(folder, ["m vda"]) as turn:
            holder = turn.take("here")
            assert holder is not None
            assert (holder.target, holder.pid) == ("shop", holding.pid)
            holding.kill()
            holding.wait()
            assert turn.take("here") is None


def test_a_note_that_is_damaged_tells_nothing(folder: Path) -> None:
    with DriveTurn(folder, ["m vda"]) as first, DriveTurn(folder, ["m vda"]) as second:
        assert first.take("shop") is None
        (note,) = folder.glob("*.json")
        for text in ("", "[]", "{", '{"target": "x"}', '{"pid": "no number", "target": 1}'):
            note.write_text(text)
            assert second.take("here") == Holder()


def test_a_folder_that_can_not_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with (
        DriveTurn(tmp_path / "file" / "drives", ["m vda"]) as turn,
        pytest.raises(StoreError, match="can't be written"),
    ):
        turn.take("shop")
