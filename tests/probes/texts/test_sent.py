"""Folders and archives that somebody sent: read where they are plain, else refused."""

from __future__ import annotations

import gzip
import io
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from probes.errors import ImportRefused, UsageError
from probes.texts import sent
from probes.texts.sent import sent_texts

TEXT = b"innodb_io_capacity\t200\n"


def _names(*paths: Path) -> list[str]:
    return [text.name for text in sent_texts(paths).texts]


def _tar(path: Path, entries: list[tuple[tarfile.TarInfo, bytes]], mode: str = "w:gz") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for entry, content in entries:
            entry.size = len(content) if entry.isreg() else 0
            archive.addfile(entry, io.BytesIO(content))
    return path


def _entry(name: str, kind: bytes = tarfile.REGTYPE, link: str = "") -> tarfile.TarInfo:
    entry = tarfile.TarInfo(name)
    entry.type, entry.linkname, entry.mtime = kind, link, 1_700_000_000
    return entry


def test_folder_is_read_with_those_in_it_and_no_link_is_followed(tmp_path: Path) -> None:
    outside = tmp_path / "secret"
    outside.write_bytes(TEXT)
    folder = tmp_path / "db7"
    (folder / "conf.d").mkdir(parents=True)
    (folder / "conf.d" / "a.cnf").write_text("[mysqld]\n")
    (folder / "variables.txt").write_bytes(TEXT)
    (folder / "empty").touch()
    (folder / "picture.png").write_bytes(b"\x89PNG\0\0\0" * 9)
    (folder / "link").symlink_to(outside)
    (folder / "linked").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    found = sent_texts([folder])
    assert [text.name for text in found.texts] == ["variables.txt", "conf.d/a.cnf"]
    passed = dict(found.passed)
    assert passed["link"] == passed["pipe"] == "it is no plain file"
    assert "no text file" in passed["picture.png"]


@pytest.mark.parametrize("mode", ["w", "w:gz"])
def test_tar_is_read_and_what_leads_out_of_it_is_passed_over(tmp_path: Path, mode: str) -> None:
    archive = _tar(
        tmp_path / "db7.tar",
        [
            (_entry("db7/variables.txt"), TEXT),
            (_entry("/etc/passwd"), TEXT),
            (_entry("db7/../../etc/shadow"), TEXT),
            (_entry("db7/link", tarfile.SYMTYPE, "/etc/shadow"), b""),
            (_entry("db7/hard", tarfile.LNKTYPE, "/etc/shadow"), b""),
            (_entry("db7/device", tarfile.CHRTYPE), b""),
        ],
        mode,
    )
    found = sent_texts([archive])
    assert [(text.name, text.written_at) for text in found.texts] == [
        ("db7/variables.txt", 1_700_000_000.0)
    ]
    assert len(found.passed) == 5


def test_zip_is_read_and_what_leads_out_of_it_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "db7.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in ("db7/variables.txt", "../up", "C:\\windows", "/etc/passwd", "__MACOSX/x"):
            archive.writestr(name, TEXT)
        link = zipfile.ZipInfo("db7/link")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/shadow")
    assert _names(path) == ["db7/variables.txt"]


def test_packed_text_is_read(tmp_path: Path) -> None:
    path = tmp_path / "variables.txt.gz"
    path.write_bytes(gzip.compress(TEXT))
    assert _names(path) == ["variables.txt"]


def test_bombs_are_refused_before_they_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent, "MOST_UNPACKED_BYTES", 1 << 20)
    many = tmp_path / "many.zip"
    with zipfile.ZipFile(many, "w", zipfile.ZIP_DEFLATED) as archive:
        for at in range(4):
            archive.writestr(f"{at}.txt", b"0" * (1 << 20))
    one = tmp_path / "bomb.txt.gz"
    one.write_bytes(gzip.compress(b"0" * (4 << 20)))
    packed = _tar(tmp_path / "bomb.tar.gz", [(_entry("bomb"), b"0" * (4 << 20))])
    # Nothing of it is wanted, and it would be unpacked to be passed over.
    other = _tar(tmp_path / "other.tar.gz", [(_entry("../bomb"), b"0" * (9 << 20))])
    for path in (many, one, packed, other):
        with pytest.raises(ImportRefused, match="larger than all texts"):
            sent_texts([path])


def test_archive_that_lies_of_its_size_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sent, "MOST_UNPACKED_BYTES", 1 << 16)
    path = tmp_path / "lies.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", b"0" * (1 << 18))
    content = path.read_bytes().replace((1 << 18).to_bytes(4, "little"), (99).to_bytes(4, "little"))
    path.write_bytes(content)
    with pytest.raises(ImportRefused):
        sent_texts([path])


def test_too_many_files_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sent, "MOST_LISTED", 50)
    monkeypatch.setattr(sent, "MOST_FILES", 40)
    entries = [(_entry(f"dir/{at}", tarfile.DIRTYPE), b"") for at in range(60)]
    packed = _tar(tmp_path / "many.tar.gz", entries)
    zipped = tmp_path / "many.zip"
    with zipfile.ZipFile(zipped, "w") as archive:
        for at in range(60):
            archive.writestr(f"{at}/", b"")
    folder = tmp_path / "many"
    folder.mkdir()
    for at in range(45):
        (folder / str(at)).touch()
    for path in (packed, zipped, folder):
        with pytest.raises(ImportRefused, match="more than"):
            sent_texts([path])


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04" + b"\0" * 200,
        b"\x1f\x8b" + b"\0" * 200,
        gzip.compress(b"0" * 257 + b"ustar" + b"\xff" * 250),
        gzip.compress(TEXT)[:-6],
        b"BZh91AY" + b"\0" * 50,
    ],
    ids=["zip", "gzip", "tar within", "cut", "another form"],
)
def test_damaged_archive_is_refused_in_a_sentence(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "sent"
    path.write_bytes(content)
    with pytest.raises(ImportRefused) as refused:
        sent_texts([path])
    assert refused.value.advice


def test_locked_archive_says_so(tmp_path: Path) -> None:
    path = tmp_path / "locked.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.txt", TEXT)
    content = bytearray(path.read_bytes())
    content[6] |= 1
    content[content.rindex(b"PK\x01\x02") + 8] |= 1
    path.write_bytes(bytes(content))
    with pytest.raises(ImportRefused, match="password"):
        sent_texts([path])


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        sent_texts([tmp_path / "nothing"])
    with pytest.raises(UsageError, match="No file is named"):
        sent_texts([])
