"""iostat -x of sysstat, as text or JSON: what devices and processors did over time.

Columns are found by their names, for they changed over the years (iostat(1)): sectors are 512
bytes, ``await`` is milliseconds, ``avgqu-sz`` became ``aqu-sz``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from probes.errors import ImportRefused
from probes.figures import counted, listed
from probes.imports.documents import documents
from probes.imports.figures import figure
from probes.imports.imported import Imported
from probes.imports.iostat_report import COARSE, IostatReport, Row
from probes.imports.iostat_text import HEADER, PLAIN, text_reports, time_of
from probes.imports.points import NAN
from probes.points import HostSample, Sample

KIND = "iostat"
ENGINE = "iostat"

MOST_SAMPLES = 50_000
MOST_LINES = 4 * MOST_SAMPLES

SINCE_BOOT = (
    "iostat's first report covers the time since the machine started (unless -y is given), so it "
    "was left out."
)
ONLY_ONE = "The only report may cover the time since the machine started."
NO_TIMES = "The reports have no timestamps (iostat -t): one second between them is assumed."
WITHOUT_X = "it is iostat without -x: no latencies and no queue."
TAKE_X = "Take `iostat -dxt 1`."
ROUNDED = (
    "iostat rounded the bytes of this file to 0.01 MB/s or more, so that small rates read as 0."
)

_MOST_NAMED = 6
_EXTENDED = frozenset({"util", "r_await", "w_await", "await", "aqu-sz", "avgqu-sz"})
_SYSTEM = re.compile(r"^.{0,80}?\bLinux (\S{1,100}) .{0,300}\((\d{1,6}) CPU\)", re.MULTILINE)
_PARTITIONS = (re.compile(r"(.*[^\d])\d+"), re.compile(r"(.*\d)p\d+"))

_SCALES = {"rkB/s": 1024, "rMB/s": 1 << 20, "rsec/s": 512}


def read(text: str, source: str) -> Imported:
    """Read all reports. Raises ImportRefused."""
    if HEADER.search(text) or PLAIN.search(text):
        reports = list(text_reports(text, MOST_LINES))
        conditions = _text_conditions(text)
    else:
        reports, conditions = _json_reports(text)
    reports = [report for report in reports if report.devices]
    if not reports:
        raise ImportRefused("The file holds no report of iostat -x.")
    if not any(_EXTENDED & row.keys() for each in reports for row in each.devices.values()):
        raise ImportRefused(WITHOUT_X, TAKE_X)
    if sum(len(report.devices) for report in reports) > MOST_SAMPLES:
        raise ImportRefused(f"The file holds more than {MOST_SAMPLES} samples.", "Split it.")
    warnings = [SINCE_BOOT if len(reports) > 1 else ONLY_ONE]
    times, reported = _times(reports)
    if not reported and len(reports) > 1:
        warnings.append(NO_TIMES)
    warnings += _counted_twice(reports)
    kept = list(zip(times, reports, strict=True))[1 if len(reports) > 1 else 0 :]
    if any(_rounded(row) for _, report in kept for row in report.devices.values()):
        warnings.append(ROUNDED)
    samples = tuple(sample for at_s, report in kept for sample in _samples(at_s, report))
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        conditions=conditions,
        host_samples=samples,
        warnings=tuple(warnings),
    )


def _json_reports(text: str) -> tuple[list[IostatReport], dict[str, str]]:
    found, cut = documents(text)
    if cut or not found:
        raise ImportRefused("The file is not a complete iostat document.")
    host = found[0]["sysstat"]["hosts"][0]  # type: ignore[index] # read_import says what is amiss
    reports = []
    for each in host["statistics"]:
        cpu = {name: figure(value, name) for name, value in each.get("avg-cpu", {}).items()}
        report = IostatReport(time_of(str(each.get("timestamp", ""))), cpu)
        for disk in each.get("disk", ()):
            name = str(disk["disk_device"])
            if name.startswith(" "):
                report.groups.add(name.strip()[:100])
            report.devices[name.strip()[:100]] = dict(_columns(disk))
        reports.append(report)
    return reports, {
        "host": str(host.get("nodename", ""))[:100],
        "processors": str(host.get("number-of-cpus", ""))[:10],
    }


def _columns(disk: Mapping[str, object]) -> Iterator[tuple[str, float]]:
    for head, value in disk.items():
        if "dev" not in head:
            yield head, figure(value, head)
            if head.endswith("MB/s"):
                yield COARSE + head, 1.0


def _text_conditions(text: str) -> dict[str, str]:
    found = _SYSTEM.search(text)
    return {"kernel": found[1], "processors": found[2]} if found else {}


def _counted_twice(reports: Iterable[IostatReport]) -> Iterator[str]:
    """Take out what other rows of the same report count already, and say so."""
    groups: dict[str, None] = {}
    parts: dict[str, None] = {}
    for report in reports:
        within = [name for name in report.devices if _is_partition(name, report)]
        parts |= dict.fromkeys(within)
        together = [name for name in report.devices if name in report.groups]
        if len(together) < len(report.devices):
            groups |= dict.fromkeys(together)
            within += together
        for name in within:
            report.devices.pop(name, None)
    if parts:
        yield f"{_rows(parts, 'partition')} were left out: the rows of their disks count them."
    if groups:
        yield f"{_rows(groups, 'group')} were left out: they add up the rows of devices."


def _is_partition(name: str, report: IostatReport) -> bool:
    """Whether it is a partition whose disk has a row of its own."""
    found = (form.fullmatch(name) for form in _PARTITIONS)
    return any(match is not None and match[1] in report.devices for match in found)


def _rows(names: dict[str, None], what: str) -> str:
    shown = [*names][:_MOST_NAMED]
    more = [f"{len(names) - _MOST_NAMED} more"] if len(names) > _MOST_NAMED else []
    return f"Rows of {counted(len(names), what)} ({listed([*shown, *more])})"


def _samples(at_s: float, report: IostatReport) -> Iterator[Sample]:
    for device, row in report.devices.items():
        yield Sample(at_s, NAN, NAN, NAN, _host(device, row, report.cpu))


def _host(device: str, row: Row, cpu: Row) -> HostSample:
    both_ms = row.get("await", NAN)
    busy = row.get("util", NAN) / 100
    host = HostSample(
        device=device,
        reads_per_s=row.get("r/s", NAN),
        writes_per_s=row.get("w/s", NAN),
        read_bytes_per_s=_bytes(row, "r"),
        written_bytes_per_s=_bytes(row, "w"),
        queue=row.get("aqu-sz", row.get("avgqu-sz", NAN)),
        # min() would make 1 of what is unknown.
        utilisation=busy if math.isnan(busy) else min(1.0, busy),
        read_await_us=row.get("r_await", both_ms) * 1000,
        write_await_us=row.get("w_await", both_ms) * 1000,
        cpu_user=(cpu.get("user", NAN) + cpu.get("nice", 0.0)) / 100,
        cpu_system=cpu.get("system", NAN) / 100,
        cpu_iowait=cpu.get("iowait", NAN) / 100,
        cpu_steal=cpu.get("steal", NAN) / 100,
        context_switches_per_s=NAN,
        own_cpu=NAN,
    )
    # Where there were no requests, 0 is written for a time that none of them took.
    idle = row.get("tps") == 0
    return replace(
        host,
        read_await_us=NAN if idle or host.reads_per_s == 0 else host.read_await_us,
        write_await_us=NAN if idle or host.writes_per_s == 0 else host.write_await_us,
    )


def _bytes(row: Row, letter: str) -> float:
    """Bytes per second; of requests and their size where their own figure is rounded coarsely."""
    for name, scale in _SCALES.items():
        column = letter + name[1:]
        if column not in row:
            continue
        counted_bytes = row.get(f"{letter}/s", NAN) * row.get(f"{letter}areq-sz", NAN) * 1024
        if COARSE + column in row and math.isfinite(counted_bytes):
            return counted_bytes
        return row[column] * scale
    return NAN


def _rounded(row: Row) -> bool:
    """Whether its bytes are known coarsely only."""
    return any(
        f"{COARSE}{letter}{name[1:]}" in row and f"{letter}areq-sz" not in row
        for letter in "rw"
        for name in _SCALES
    )


def _times(reports: Sequence[IostatReport]) -> tuple[list[float], bool]:
    """Seconds since the first report, and whether the reports themselves tell."""
    times = [report.at for report in reports if report.at is not None]
    if len(times) == len(reports) and times == sorted(times):
        return [(at - times[0]).total_seconds() for at in times], True
    return [float(index) for index in range(len(reports))], False
