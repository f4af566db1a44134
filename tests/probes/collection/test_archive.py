"""Archives that nobody's script has packed: each is refused with a sentence."""

from __future__ import annotations

import gzip
import io
import tarfile
import tracemalloc
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from probes.collection.archive import is_collection, read_archive
from probes.collection.read import read_collected
from probes.errors import ImportRefused

MANIFEST = b"leadline-collect 1\nversion 1.0\nname db7\ntaken_at 2026-11-28T12:00:00+00:00\n"
ANSWERS = (
    b"--------------\nSELECT @@version AS version, @@version_comment AS comment\n--------------\n"
    b"\nversion\tcomment\n8.0.36\tMySQL\n--------------\nSHOW GLOBAL VARIABLES\n--------------\n\n"
    b"Variable_name\tValue\nport\t3306\n"
)

Members = Iterable[tuple[tarfile.TarInfo, bytes]]


def member(
    name: str, content: bytes = b"", kind: bytes = tarfile.REGTYPE
) -> tuple[tarfile.TarInfo, bytes]:
    made = tarfile.TarInfo(name)
    made.size, made.type = len(content), kind
    return made, content


def usual() -> list[tuple[tarfile.TarInfo, bytes]]:
    return [
        member("db7-collect", kind=tarfile.DIRTYPE),
        member("db7-collect/manifest.txt", MANIFEST),
        member("db7-collect/mysql.txt", ANSWERS),
    ]


def packed(path: Path, members: Members) -> Path:
    with tarfile.open(path, "w:gz") as archive:
        for info, content in members:
            archive.addfile(info, io.BytesIO(content))
    return path


def linked(kind: bytes, target: str) -> tuple[tarfile.TarInfo, bytes]:
    made, content = member("db7-collect/machine.txt", kind=kind)
    made.linkname = target
    return made, content


def test_what_the_script_packs_is_read(tmp_path: Path) -> None:
    file = packed(tmp_path / "db7-collect.tar.gz", usual())
    assert is_collection(file)
    collected = read_collected(file)
    assert (collected.name, collected.version) == ("db7", "1.0")
    assert collected.raw.taken_at == "2026-11-28T12:00:00+00:00"
    assert "8.0.36" in collected.raw.answers["mysql.version"]


HOSTILE: dict[str, Callable[[], Members]] = {
    "a path upwards": lambda: [*usual(), member("../../etc/cron.d/x", b"x")],
    "an absolute path": lambda: [*usual(), member("/etc/passwd", b"x")],
    "a path inside": lambda: [*usual(), member("db7-collect/../../x", b"x")],
    "a symbolic link": lambda: [*usual(), linked(tarfile.SYMTYPE, "/etc/shadow")],
    "a hard link": lambda: [*usual(), linked(tarfile.LNKTYPE, "db7-collect/mysql.txt")],
    "a device": lambda: [*usual(), member("db7-collect/machine.txt", kind=tarfile.CHRTYPE)],
    "a pipe": lambda: [*usual(), member("db7-collect/moments.txt", kind=tarfile.FIFOTYPE)],
    "another file": lambda: [*usual(), member("db7-collect/run.sh", b"x")],
    "the same file again and again": lambda: [
        *usual(),
        *(member("db7-collect/moments.txt", b"x") for _ in range(20)),
    ],
    "no answers": lambda: usual()[:2],
    "no manifest": lambda: [usual()[0], usual()[2]],
    "a later form": lambda: [
        member("db7-collect/manifest.txt", b"leadline-collect 7\n"),
        usual()[2],
    ],
    "answers that say nothing": lambda: [*usual()[:2], member("db7-collect/mysql.txt", b"\0" * 99)],
}


@pytest.mark.parametrize("what", HOSTILE)
def test_a_strange_archive_is_refused(what: str, tmp_path: Path) -> None:
    file = packed(tmp_path / "db7-collect.tar.gz", HOSTILE[what]())
    with pytest.raises(ImportRefused) as refused:
        read_collected(file)
    assert refused.value.sentence.endswith((".", ":"))
    assert refused.value.advice
    assert sorted(each.name for each in tmp_path.iterdir()) == [file.name]


def test_a_bomb_is_refused_and_never_unpacked(tmp_path: Path) -> None:
    file = tmp_path / "db7-collect.tar.gz"
    info = tarfile.TarInfo("db7-collect/mysql.txt")
    info.size = 1 << 30
    with gzip.open(file, "wb", compresslevel=9) as out:
        out.write(info.tobuf())
        for _ in range(100):
            out.write(bytes(1 << 20))
    tracemalloc.start()
    with pytest.raises(ImportRefused, match="more than 64 MiB"):
        read_archive(file)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


def test_padding_without_end_is_refused(tmp_path: Path) -> None:
    """Headers that announce little, and nothing but zeros between them."""
    file = tmp_path / "db7-collect.tar.gz"
    with gzip.open(file, "wb", compresslevel=9) as out:
        for info, content in usual():
            out.write(info.tobuf() + content + bytes(-len(content) % 512))
        large = tarfile.TarInfo("pax")
        large.type, large.size = tarfile.XHDTYPE, 200 << 20
        out.write(large.tobuf())
        for _ in range(200):
            out.write(bytes(1 << 20))
    with pytest.raises(ImportRefused):
        read_archive(file)


def test_a_million_files_are_refused_at_the_first_strange_one(tmp_path: Path) -> None:
    file = tmp_path / "db7-collect.tar.gz"
    empty = member("db7-collect/x")[0].tobuf()
    with gzip.open(file, "wb", compresslevel=9) as out:
        for _ in range(500):
            out.write(empty * 2000)
    with pytest.raises(ImportRefused, match="no file of a collection"):
        read_archive(file)


@pytest.mark.parametrize("cut", [20, 200])
def test_one_that_was_cut_off_is_refused(cut: int, tmp_path: Path) -> None:
    file = packed(tmp_path / "db7-collect.tar.gz", usual())
    file.write_bytes(file.read_bytes()[:-cut])
    with pytest.raises(ImportRefused):
        read_collected(file)


def test_other_files_are_none(tmp_path: Path) -> None:
    other = packed(tmp_path / "backup.tar.gz", [member("etc/my.cnf", b"[mysqld]\n")])
    plain = tmp_path / "status.txt"
    plain.write_text("Uptime\t12\n")
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    assert not any(map(is_collection, (other, plain, empty, tmp_path, tmp_path / "gone")))
