"""What devices and processors did over time: iostat, vmstat; and SHOW ENGINE INNODB STATUS."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from probes.errors import ImportRefused
from probes.imports import iostat
from probes.imports.iostat_text import HEADER
from probes.imports.points import NAN
from probes.points import HostSample, Sample
from probes.texts.reading.machine import processors_in_head
from probes.texts.reading.pieces import DrivesPiece, InnodbPiece, Piece, RemarkPiece
from probes.texts.reading.server import moment_s

_MONITOR = re.compile(
    r"(?:={2,100} {0,9}\n)?(?P<clock>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d|\d{6} {1,2}\d{1,2}:\d\d:\d\d)?"
    r"[^\n]{0,60}INNODB MONITOR OUTPUT.*?(?:END OF INNODB MONITOR OUTPUT[^\n]*(?:\n=+)?|\Z)",
    re.DOTALL,
)
_VMSTAT = re.compile(r"^\s*r\s+b\s+swpd\s+free\s+(?:buff|inact)\s+\w+\s+.*\bus\s+sy\s+id\s+wa")
_MOST_SAMPLES = 5000


def read_innodb(lines: Sequence[str]) -> Iterator[Piece]:
    """Every INNODB STATUS of a text; without its end where that was cut off."""
    text = "\n".join(lines)
    if "INNODB MONITOR OUTPUT" not in text:
        return
    if "\\n" in text:
        # The client's batch mode writes ends of lines as two letters.
        text = text.replace("\\n", "\n")
    for found in _MONITOR.finditer(text):
        if found[0].startswith("END OF"):
            continue
        clock = found["clock"] or ""
        yield InnodbPiece(found[0], moment_s(clock) if "-" in clock else None)


def read_drives(lines: Sequence[str], name: str) -> Iterator[Piece]:
    """The reports of iostat -x but the first, which covers the time since the machine's start."""
    text = "\n".join(lines)
    if not (HEADER.search(text) or '"sysstat"' in text):
        return
    try:
        found = iostat.read(text, name)
    except ImportRefused as error:
        yield RemarkPiece(f"{name}: {error.sentence}")
        return
    if iostat.ONLY_ONE in found.warnings:
        yield RemarkPiece(
            f"{name} has one report, of the time since the machine's start: left out."
        )
        return
    yield DrivesPiece(found.host_samples, processors_in_head(lines))


def read_vmstat(lines: Sequence[str]) -> Iterator[Piece]:
    """The processors' shares of vmstat, a sample a second, but the first, since the start."""
    samples: list[Sample] = []
    heads: list[str] = []
    passed = 0
    for line in lines:
        if _VMSTAT.match(line):
            heads = line.split()
            continue
        words = line.split()
        if (
            not heads
            or len(words) < len(heads)
            or not all(w.isdecimal() for w in words[: len(heads)])
        ):
            continue
        passed += 1
        if passed > 1 and len(samples) < _MOST_SAMPLES:
            figures = dict(zip(heads, map(int, words), strict=False))
            samples.append(Sample(float(passed - 1), NAN, NAN, NAN, _processors(figures)))
    if len(samples) > 1:
        yield DrivesPiece(tuple(samples))


def _processors(figures: dict[str, int]) -> HostSample:
    return HostSample(
        device="",
        reads_per_s=NAN,
        writes_per_s=NAN,
        read_bytes_per_s=NAN,
        written_bytes_per_s=NAN,
        queue=NAN,
        utilisation=NAN,
        read_await_us=NAN,
        write_await_us=NAN,
        cpu_user=figures["us"] / 100,
        cpu_system=figures["sy"] / 100,
        cpu_iowait=figures["wa"] / 100,
        cpu_steal=figures.get("st", 0) / 100,
        context_switches_per_s=float(figures.get("cs", 0)),
        own_cpu=NAN,
    )
