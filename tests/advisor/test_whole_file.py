"""What root writes into folders of other accounts stays there, whatever they do meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from advisor.whole_file import check_replaceable, replace_whole
from tests.waiting import HANG_S

ROOT = Path(__file__).resolve().parents[2]
THEIRS, NAMELESS = 65534, 54399
OURS, NEW = b"what root alone may change\n", b"a report\n"

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="becomes another account")


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A folder of root's with a file that nobody may touch."""
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o700)
    (folder / "file").write_bytes(OURS)
    return folder


@pytest.fixture
def open_place() -> Iterator[Path]:
    """A folder that others reach."""
    with tempfile.TemporaryDirectory(prefix="leadline-test-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.fixture(params=[THEIRS, NAMELESS])
def theirs(request: pytest.FixtureRequest, open_place: Path) -> Path:
    """A folder of another account's."""
    folder = open_place / "theirs"
    folder.mkdir()
    os.chown(folder, request.param, request.param)
    return folder


def give(path: Path, to: Path) -> None:
    """Let a link, a pipe or a file belong to the account of that folder."""
    os.lchown(path, to.stat().st_uid, to.stat().st_gid)


def link(at: Path, to: Path | str) -> Path:
    at.symlink_to(to)
    give(at, at.parent)
    return at


def pipe(at: Path) -> Path:
    os.mkfifo(at, 0o666)
    give(at, at.parent)
    return at


PLANTED: dict[str, Callable[[Path, Path], Path]] = {
    "a link to a file": lambda at, kept: link(at / "r.html", kept / "file"),
    "a link to what is not there": lambda at, kept: link(at / "r.html", kept / "new"),
    "a link to a folder": lambda at, kept: link(at / "out", kept) / "file",
    "a link to a new file's folder": lambda at, kept: link(at / "out", kept) / "new",
    "a link two folders above": lambda at, kept: link(at / "out", kept.parent) / "kept/file",
    "a chain": lambda at, kept: link(at / "r.html", link(at / "next", kept / "file")),
    "a loop": lambda at, _: link(at / "r.html", "r.html"),
    "a pipe": lambda at, _: pipe(at / "r.html"),
    "a link to a pipe": lambda at, _: link(at / "r.html", pipe(at / "p")),
    "a link to a device": lambda at, _: link(at / "r.html", "/dev/null"),
    "a way back up": lambda at, kept: link(at / "out", kept) / "../kept/new",
}


@as_root
@pytest.mark.parametrize("way", PLANTED)
def test_nothing_is_written_through_what_another_account_planted(
    theirs: Path, kept: Path, way: str
) -> None:
    path = PLANTED[way](theirs, kept)
    before = sorted(theirs.rglob("*"))
    with pytest.raises(OSError, match="another account"):
        check_replaceable(path)
    with pytest.raises(OSError, match="another account"):
        replace_whole(path, NEW)
    assert [each.name for each in kept.iterdir()] == ["file"]
    assert (kept / "file").read_bytes() == OURS
    assert sorted(theirs.rglob("*")) == before


@as_root
def test_their_own_file_and_folder_are_written_to(theirs: Path) -> None:
    file = theirs / "r.html"
    file.write_bytes(b"old")
    file.chmod(0o666)
    give(file, theirs)
    replace_whole(file, NEW)
    replace_whole(theirs / "new.html", NEW)
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (NEW, 0o644)
    assert (theirs / "new.html").read_bytes() == NEW


@as_root
@pytest.mark.parametrize("at", ["made", "written"])
@pytest.mark.parametrize("swaps", ["the file", "its folder"])
def test_what_is_swapped_while_it_is_written_leads_nowhere(
    theirs: Path, kept: Path, monkeypatch: pytest.MonkeyPatch, at: str, swaps: str
) -> None:
    """A fault that takes luck: here it comes at each moment for sure."""
    folder = theirs / "out"
    folder.mkdir()
    write, opens = os.write, os.open

    def swap() -> None:
        if swaps == "its folder" and not folder.is_symlink():
            folder.rename(theirs / "away")
            link(folder, kept)
        for each in folder.glob(".leadline-*") if swaps == "the file" else ():
            each.unlink()
            link(each, kept / "file")

    def swapping_write(number: int, content: bytes) -> int:
        if at == "written":
            swap()
        return write(number, content)

    def swapping_open(path: str, flags: int, *rest: int, dir_fd: int | None = None) -> int:
        made = flags & os.O_CREAT
        if made and swaps == "its folder" and at == "made":
            swap()
        number = opens(path, flags, *rest, dir_fd=dir_fd)
        if made and swaps == "the file" and at == "made":
            swap()
        return number

    monkeypatch.setattr(os, "write", swapping_write)
    monkeypatch.setattr(os, "open", swapping_open)
    replace_whole(folder / "file", NEW)
    monkeypatch.undo()
    assert [each.name for each in kept.iterdir()] == ["file"]
    assert (kept / "file").read_bytes() == OURS


def test_ones_own_links_are_followed(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "out").symlink_to("there")
    (tmp_path / "r.html").symlink_to(tmp_path / "out/../out/whole.html")
    replace_whole(tmp_path / "r.html", NEW)
    assert (tmp_path / "there/whole.html").read_bytes() == NEW
    assert (tmp_path / "r.html").is_symlink()


def test_a_relative_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    for name in ("r.html", "../r.html", "./../a/s.html"):
        check_replaceable(Path(name))
        replace_whole(Path(name), NEW)
    assert sorted(each.name for each in tmp_path.rglob("*.html")) == ["r.html", "r.html", "s.html"]


def test_ones_own_pipe_is_written_to(tmp_path: Path) -> None:
    way = tmp_path / "pipe"
    os.mkfifo(way)
    read: list[bytes] = []
    reading = threading.Thread(target=lambda: read.append(way.read_bytes()))
    reading.start()
    check_replaceable(way)
    replace_whole(way, NEW)
    reading.join(HANG_S)
    assert read == [NEW]


@pytest.mark.parametrize("name", ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"])
def test_standard_output_by_its_name(name: str, tmp_path: Path) -> None:
    program = (
        "import sys, pathlib; from advisor.whole_file import *; path = pathlib.Path(sys.argv[1])\n"
        "check_replaceable(path), replace_whole(path, b'a report')"
    )
    argv = [sys.executable, "-c", program, name]
    done = subprocess.run(argv, cwd=ROOT, check=True, capture_output=True, timeout=HANG_S)
    assert done.stdout == b"a report"
    with (tmp_path / "out").open("wb") as file:
        subprocess.run(argv, cwd=ROOT, check=True, stdout=file, timeout=HANG_S)
    assert (tmp_path / "out").read_bytes() == b"a report"


@pytest.mark.parametrize("name", [".", "..", "/", "folder", "folder/", "none/r.html", "file/x"])
def test_what_is_no_place_for_a_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    for act in (check_replaceable, lambda path: replace_whole(path, NEW)):
        with pytest.raises(OSError):
            act(Path(name))
    assert sorted(each.name for each in tmp_path.rglob("*")) == ["file", "folder"]


def test_what_is_renamed_is_closed_as_windows_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rename = os.replace

    def of_closed(beside: str, *given: object, **more: object) -> None:
        opened = [
            str(each.readlink()) for each in Path("/proc/self/fd").iterdir() if each.is_symlink()
        ]
        assert not [each for each in opened if each.endswith(Path(beside).name)]
        rename(beside, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr("advisor.whole_file.os.replace", of_closed)
    replace_whole(tmp_path / "report.html", NEW)
    assert (tmp_path / "report.html").read_bytes() == NEW
    assert [each.name for each in tmp_path.iterdir()] == ["report.html"]
