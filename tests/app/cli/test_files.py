"""A result file is whole or absent, and trouble with it is found before the work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.files import check_writable, write_whole
from probes.errors import LeadlineError, UsageError
from tests.app.cli.conftest import Done


def test_the_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text("old")
    check_writable(file)
    assert file.read_text() == "old"
    write_whole(file, "new")
    assert file.read_text() == "new"
    assert list(tmp_path.iterdir()) == [file]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text("old")
    (tmp_path / f".r.json.{os.getpid()}.part").mkdir()
    with pytest.raises(LeadlineError, match="can't be written"):
        write_whole(file, "new")
    assert file.read_text() == "old"


def test_a_device_is_written_to_and_not_replaced() -> None:
    null = Path("/dev/null")
    before = null.stat().st_rdev
    check_writable(null)
    write_whole(null, "gone")
    assert null.stat().st_rdev == before


@pytest.mark.parametrize("name", ["", "missing/r.json", "file/r.json"])
def test_trouble_is_found_before_anything_is_measured(
    tmp_path: Path, home: Path, leadline: Callable[..., Done], name: str
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UsageError):
        check_writable(tmp_path / name)
    done = leadline("check", "-o", str(tmp_path / name))
    assert done.code == 2
    assert "with -o" in done.stderr
    assert not home.exists()
