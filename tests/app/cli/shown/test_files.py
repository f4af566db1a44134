"""A result file is whole or absent, and trouble with it is found before the work."""

from __future__ import annotations

import os
import resource
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.cli.shown.files import check_writable, write_whole
from probes.errors import LeadlineError, UsageError
from tests.app.cli.forked import Done


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
    with no_room(1), pytest.raises(LeadlineError, match="can't be written"):
        write_whole(file, "new")
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.skipif(os.geteuid() != 0, reason="makes a link of another account's")
def test_a_link_that_another_account_planted_is_not_followed(tmp_path: Path) -> None:
    theirs, secret = tmp_path / "theirs", tmp_path / "secret"
    theirs.mkdir()
    secret.write_text("root's own")
    for name in ("r.html", *(f".r.html.{pid}.part" for pid in range(1, 400))):
        (theirs / name).symlink_to(secret)
        os.lchown(theirs / name, 65534, 65534)
    with pytest.raises(UsageError, match="a link of another account"):
        check_writable(theirs / "r.html")
    with pytest.raises(LeadlineError, match="a link of another account"):
        write_whole(theirs / "r.html", "<p>")
    write_whole(theirs / "r.pdf", "new")
    assert secret.read_text() == "root's own"
    assert (theirs / "r.pdf").read_text() == "new"


def test_what_is_written_first_takes_no_file_that_lies_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("old")
    monkeypatch.setattr("secrets.token_hex", lambda _size: "known")
    (tmp_path / ".leadline-known.part").symlink_to(secret)
    with pytest.raises(LeadlineError, match="can't be written"):
        write_whole(tmp_path / "r.html", "new")
    assert secret.read_text() == "old"


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


@contextmanager
def no_room(most_bytes: int) -> Iterator[None]:
    """Let no file grow beyond so much, as on a disk that is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_nothing_half_written_stays_on_a_full_disk(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    file.write_text("old")
    with no_room(4096), pytest.raises(LeadlineError, match="can't be written") as refused:
        write_whole(file, "new" * 4096)
    assert "Make room there" in refused.value.advice
    assert file.read_text() == "old"
    assert list(tmp_path.iterdir()) == [file]


def test_a_link_leads_to_the_file_and_stays(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    link, file = tmp_path / "link.json", tmp_path / "there" / "r.json"
    file.write_text("old")
    file.chmod(0o600)
    link.symlink_to(file)
    check_writable(link)
    write_whole(link, "new \udcff")
    assert link.is_symlink()
    assert file.read_text() == "new ?"
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(file.parent.iterdir()) == [file]


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="name too long"):
        check_writable(tmp_path / ("x" * 300))
