"""What a file is, is found out by its content; all else is refused in a sentence."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from probes.errors import UsageError
from probes.imports import ImportRefused, read_import
from probes.imports.content import MOST_BYTES
from tests.conftest import ROOT
from tests.points import doubts_of
from tests.probes.imports.conftest import RECORDINGS, Recordings
from tests.servers.eleven import ALL

MEMORY_BYTES = 256 << 20
PART = 1 if ALL in os.environ else 4
"""The largest files and all of their memory take `make test-all`; `make test` a fourth of both."""


def refused(path: Path) -> ImportRefused:
    with pytest.raises(ImportRefused) as error:
        read_import(path)
    return error.value


def test_windows_shells_write_utf_16(recordings: Recordings) -> None:
    text = recordings.text("sysbench-1.0-rndrd-direct.txt")
    assert recordings.of(text.encode("utf-16")).points == recordings.of(text).points


def test_carriage_returns_do_no_harm(recordings: Recordings) -> None:
    for name in ("sysbench-1.0-rndrd-direct.txt", "fio-read-v3.terse", "iostat-xkz.txt"):
        text = recordings.text(name)
        there = recordings.of(text.replace("\n", "\r\n"))
        assert repr(there.points) == repr(recordings.of(text).points)
        assert repr(there.host_samples) == repr(recordings.of(text).host_samples)


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file:"):
        read_import(tmp_path / "none")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UsageError, match="no plain file"):
        read_import(tmp_path / "pipe")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"\x7fELF\x02\x01\x01\0\0", "no text file"),
        (b"hello\n", "not a file that Leadline can import"),
        (b'{"a": 1}\n', "neither of fio nor of iostat"),
        (b'{"fio version": "fio-3.33", "jobs": [', "truncated"),
        (b'{"fio version": "fio-3.33", "jobs": []}', "no result of fio"),
        (b'{"fio version": "fio-3.33"}', "lists no jobs"),
        (b'{"fio version": "fio-3.33", "jobs": [7]}', "not as its program writes it"),
        (b'{"sysstat": {"hosts": []}}', "not as its program writes it"),
        (b'{"fio version": ' + b"[" * 200_000, "truncated"),
        (b'{"fio version": "fio-3.33", "jobs": ' + b"9" * 5000 + b"}", "truncated"),
    ],
)
def test_foreign_files(tmp_path: Path, content: bytes, words: str) -> None:
    path = tmp_path / "file"
    path.write_bytes(content)
    error = refused(path)
    assert words in error.sentence
    assert str(path) in error.sentence
    assert error.advice


def test_output_for_people_is_refused_with_the_option_that_helps() -> None:
    assert "--output-format=json" in refused(RECORDINGS / "fio-normal.txt").sentence


def test_no_name_from_a_file_commands_a_terminal(recordings: Recordings) -> None:
    escape = "\x1b]0;owned\x07"
    hostile = ('"jobname" : "rd"', r'"jobname" : "\u001b[2J \ud800 ' + escape + '"')
    held = ('"randrepeat" : "0"', '"rate" : "5"')
    (point,) = recordings.changed("fio-read-grouped.json", hostile, held).points
    said = str(point.details["job"]) + "".join(doubts_of(point))
    assert not any(sign in said for sign in "\x1b\x07")
    said.encode()  # SQLite takes no halves of characters
    table = recordings.of(f"# drive: {escape}\nprobe,threads,rate_per_s\noltp,1,5\n")
    assert "\x1b" not in table.conditions["drive"]


def _big(kind: str, size: int) -> bytes:
    """A file of about ``size`` bytes that looks like one of ours for as long as it can."""
    head = b'{"fio version": "fio-3.33", "jobs": ['
    match kind:
        case "too large":
            return b"sysbench 1.0.20\n" + b"x" * (2 * MOST_BYTES)
        case "lists in JSON":
            return head + b"[]," * (size // 3) + b"[]]}"
        case "one long text in JSON":
            return head + b'"' + b"x" * size + b'"]}'
        case "escapes in JSON":
            return head + b'"' + rb"\u0000" * (size // 6) + b'"]}'
        case "wide characters":
            return b"sysbench 1.0.20\n" + "\U0001f41f".encode() + b"x" * size
        case "one long line of iostat":
            return b"Device r/s %util\nsda " + b"1 " * (size // 2)
        case "one long line of fio":
            return b"3;fio-3.33;rd;0;0;" + b"1;" * (size // 2)
        case "many lines of fio":
            line = (RECORDINGS / "fio-read-v3.terse").read_bytes()
            return b"".join(line.replace(b";rd;", b";rd%d;" % n) for n in range(size // 1050))
        case "many runs of sysbench":
            run = (RECORDINGS / "sysbench-1.0-rndrd-direct.txt").read_bytes()
            return run * (size // len(run))
        case "many reports of iostat":
            return (RECORDINGS / "iostat-xkz.txt").read_bytes() * (size // 570)
        case "many rows":
            return b"probe,threads,rate_per_s\n" + b"oltp,1,5\n" * (size // 9)
        case "empty lines":
            return b"sysbench 1.0.20\n" + b"\n" * size
        case "bins":
            bins = b",".join(b'"%d":1' % n for n in range(size // 88))
            text = (RECORDINGS / "fio-read-grouped.json").read_bytes()
            return text.replace(b'"percentile" : {', b'"bins" : {' + bins + b'},"percentile" : {')
        case _:
            raise ValueError(kind)


KINDS = (
    "too large",
    "lists in JSON",
    "one long text in JSON",
    "escapes in JSON",
    "wide characters",
    "one long line of iostat",
    "one long line of fio",
    "many lines of fio",
    "many runs of sysbench",
    "many reports of iostat",
    "many rows",
    "empty lines",
    "bins",
)

_READ = """
import sys
from pathlib import Path
from probes.errors import UsageError
from probes.imports import ImportRefused, read_import
try:
    print(len(read_import(Path(sys.argv[1])).points), "points")
except ImportRefused as error:
    print("refused:", error.sentence)
status = Path("/proc/self/status").read_text()
print(int(status.partition("VmHWM:")[2].split()[0]) * 1024)
"""
"""Tells its own peak: the kernel's ru_maxrss would count the process that it was forked from."""


@pytest.mark.parametrize("kind", KINDS)
def test_no_file_takes_more_than_256_mib(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "big"
    path.write_bytes(_big(kind, (MOST_BYTES - 4096) // PART))

    def limit() -> None:
        # Far above what is promised, so that a fault is measured before it takes the machine.
        resource.setrlimit(resource.RLIMIT_AS, (1 << 31, 1 << 31))

    done = subprocess.run(
        [sys.executable, "-c", _READ, str(path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        preexec_fn=limit,
    )
    assert done.stderr == ""
    assert done.returncode == 0
    said, peak = done.stdout.strip().split("\n")
    assert said.startswith("refused") or said.endswith("points")
    assert int(peak) < MEMORY_BYTES // PART
