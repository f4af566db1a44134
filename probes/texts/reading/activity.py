"""What devices and processors did over time: iostat, vmstat, sar; and SHOW ENGINE INNODB STATUS."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from probes.errors import ImportRefused
from probes.figures import counted, duration_us, percent, rate
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
    if not (HEADER.search(text) or ('"sysstat"' in text and not _is_sadf(text))):
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


def read_sar(lines: Sequence[str], name: str) -> Iterator[Piece]:
    """Processors of ``sar -u`` as samples, devices of ``sar -d`` as a sentence each.

    sar and sadf don't part a device's reads from its writes: what of it rules ask for is unknown.
    Tables of sar, lines of ``sadf -d`` (parted by semicolons) and ``sadf -j`` (JSON) are read.
    """
    rows = list(_sadf_rows(lines)) or list(_sar_rows(lines))
    processors = [
        _processors({_OF_SAR[head]: value for head, value in row.items() if head in _OF_SAR})
        for row in rows
        if "%idle" in row and row.get("CPU", -1.0) < 0
    ]
    samples = [
        Sample(float(at + 1), NAN, NAN, NAN, host)
        for at, host in enumerate(processors[:_MOST_SAMPLES])
    ]
    if len(samples) > 1:
        yield DrivesPiece(tuple(samples), processors_in_head(lines))
    busy: dict[str, list[dict[str, float]]] = {}
    for row in rows:
        device = next((head for head in row if head.startswith(_DEV)), "")
        if device and "%util" in row and "tps" in row:
            busy.setdefault(device.removeprefix(_DEV), []).append(row)
    shown = sorted(busy.items(), key=lambda item: -_mean(item[1], "%util"))[:_MOST_DEVICES]
    yield from (RemarkPiece(_of_device(name, device, its)) for device, its in shown)


_MOST_DEVICES = 4
_DEV = "device "
"""Stands before a device's name where the other heads of its row are."""

_OF_SAR = {"%user": "us", "%nice": "ni", "%system": "sy", "%iowait": "wa", "%steal": "st"}
_SAR_HEAD = re.compile(r"^(?P<time>\d\d:\d\d:\d\d(?: [AP]M)?|Average:)\s+(?P<heads>\S.*%\w.*)$")
_SAR_ROW = re.compile(r"^\d\d:\d\d:\d\d(?: [AP]M)?\s+(?P<cells>\S.*)$")


def _sar_rows(lines: Sequence[str]) -> Iterator[dict[str, float]]:
    """The rows of sar's tables but their averages."""
    heads: list[str] = []
    for line in lines:
        head = _SAR_HEAD.match(line)
        if head is not None and not any(map(_is_figure, head["heads"].split())):
            heads = head["heads"].split()
            continue
        row = _SAR_ROW.match(line)
        if row is not None and heads and (found := _row(heads, row["cells"].split())):
            yield found


def _sadf_rows(lines: Sequence[str]) -> Iterator[dict[str, float]]:
    heads: list[str] = []
    for line in lines:
        if line.startswith("# hostname;interval;timestamp;"):
            heads = line.split(";")[3:]
            continue
        cells = line.split(";")
        if heads and len(cells) == len(heads) + 3 and (found := _row(heads, cells[3:])):
            yield found
    text = "\n".join(lines)
    if not heads and '"sysstat"' in text and _is_sadf(text):
        yield from _of_json(json.loads(text[text.index("{") :]))


def _is_sadf(text: str) -> bool:
    """Whether JSON of sysstat is sadf's and not iostat's, by what both call the same otherwise."""
    return '"cpu-load"' in text or '"disk-device"' in text


def _of_json(document: Any) -> Iterator[dict[str, float]]:
    for moment in document["sysstat"]["hosts"][0]["statistics"]:
        for each in moment.get("cpu-load", []):
            if each.get("cpu") in ("all", "-1"):
                yield {f"%{name}": float(v) for name, v in each.items() if name != "cpu"}
        for each in moment.get("disk", []):
            figures = {name: float(v) for name, v in each.items() if not isinstance(v, str)}
            renamed = {"util-percent": "%util", "util": "%util", "wkB": "wkB/s", "rkB": "rkB/s"}
            row = {renamed.get(name, name): value for name, value in figures.items()}
            yield {f"{_DEV}{each['disk-device']}": 0.0, **row}


def _row(heads: Sequence[str], cells: Sequence[str]) -> dict[str, float] | None:
    """Figures by their heads; a device's name is a head of its own, "all" is no processor."""
    if len(cells) != len(heads):
        return None
    found: dict[str, float] = {}
    for head, cell in zip(heads, cells, strict=True):
        if head == "DEV":
            found[f"{_DEV}{cell[:60]}"] = 0.0
        elif cell in ("all", "-1"):
            found[head] = -1.0
        elif not _is_figure(cell):
            return None
        else:
            found[head] = float(cell.replace(",", "."))
    return found


def _is_figure(cell: str) -> bool:
    return re.fullmatch(r"\d{1,12}(?:[.,]\d{1,6})?", cell) is not None


def _mean(rows: Sequence[dict[str, float]], head: str) -> float:
    return sum(row.get(head, 0.0) for row in rows) / len(rows)


def _of_device(name: str, device: str, rows: Sequence[dict[str, float]]) -> str:
    most = max(row["%util"] for row in rows)
    return (
        f"{name}: {device} was busy {percent(_mean(rows, '%util') / 100)} of the time (at most "
        f"{percent(most / 100)}), {rate(_mean(rows, 'tps'), 'requests')} of "
        f"{duration_us(1e3 * _mean(rows, 'await'))}, in {counted(len(rows), 'sample')}. sar does "
        "not part reads from writes: `iostat -dxt 1 60` does."
    )


def _processors(figures: Mapping[str, float]) -> HostSample:
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
        cpu_user=(figures["us"] + figures.get("ni", 0)) / 100,
        cpu_system=figures["sy"] / 100,
        cpu_iowait=figures.get("wa", 0) / 100,
        cpu_steal=figures.get("st", 0) / 100,
        context_switches_per_s=float(figures.get("cs", 0)),
        own_cpu=NAN,
    )
