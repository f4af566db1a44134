"""iostat -x of sysstat, as text or JSON: what devices and processors did over time.

Columns are found by their names, for they changed over the years (iostat(1)): sectors are 512
bytes, ``await`` is milliseconds, ``avgqu-sz`` became ``aqu-sz``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from probes.errors import ImportRefused
from probes.imports.documents import documents
from probes.imports.figures import figure
from probes.imports.imported import Imported
from probes.imports.points import NAN
from probes.points import HostSample, Sample

KIND = "iostat"
ENGINE = "iostat"

HEADER = re.compile(r"^Device:?[ \t].*%?util[ \t\r]*$", re.MULTILINE)
"""The heads of the columns; %util comes with -x alone."""

MOST_SAMPLES = 50_000
MOST_LINES = 4 * MOST_SAMPLES

SINCE_BOOT = (
    "iostat's first report covers the time since the machine started (unless -y is given), so it "
    "was left out."
)
ONLY_ONE = "The only report may cover the time since the machine started."
NO_TIMES = "The reports have no timestamps (iostat -t): one second between them is assumed."

LONGEST_LINE = 10_000

_LINE = re.compile(r"[^\n]+")
_DATE = re.compile(r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}[T ]\d{1,2}:\d{2}:\d{2}.{0,12}")
_SYSTEM = re.compile(r"^Linux (\S{1,100}) .*\((\d{1,6}) CPU\)", re.MULTILINE)

_SCALES = {"rkB/s": 1024, "rMB/s": 1 << 20, "rsec/s": 512}
_FORMATS = (
    "%m/%d/%y %H:%M:%S",
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%d.%m.%Y %H:%M:%S",
    "%Y-%m-%d %H:%M:%S",
    "%m/%d/%Y %I:%M:%S %p",
    "%m/%d/%y %I:%M:%S %p",
)

Row = Mapping[str, float]


@dataclass(slots=True)
class _Report:
    """One moment: shares of the processors in percent, and the columns of each device."""

    at: datetime | None = None
    cpu: Row = field(default_factory=dict)
    devices: dict[str, Row] = field(default_factory=dict)


def read(text: str, source: str) -> Imported:
    """Read all reports. Raises ImportRefused."""
    if HEADER.search(text):
        reports = list(_text_reports(text))
        conditions = _text_conditions(text)
    else:
        reports, conditions = _json_reports(text)
    reports = [report for report in reports if report.devices]
    if not reports:
        raise ImportRefused("The file holds no report of iostat -x.")
    if sum(len(report.devices) for report in reports) > MOST_SAMPLES:
        raise ImportRefused(f"The file holds more than {MOST_SAMPLES} samples.", "Split it.")
    warnings = [SINCE_BOOT if len(reports) > 1 else ONLY_ONE]
    times, told = _times(reports)
    if not told and len(reports) > 1:
        warnings.append(NO_TIMES)
    kept = list(zip(times, reports, strict=True))[1 if len(reports) > 1 else 0 :]
    samples = tuple(sample for at_s, report in kept for sample in _samples(at_s, report))
    return Imported(
        source=source,
        kind=KIND,
        engine=ENGINE,
        conditions=conditions,
        host_samples=samples,
        warnings=tuple(warnings),
    )


def _text_reports(text: str) -> Iterator[_Report]:
    """A report begins at its time, at its processors, or at the heads of its columns."""
    report = _Report()
    heads: list[str] = []
    total = 0
    for match in _LINE.finditer(text):
        total += 1
        if total > MOST_LINES or len(match[0]) > LONGEST_LINE:
            raise ImportRefused(
                "The file is longer or wider than reports of iostat are.", "Split it."
            )
        words = match[0].split()
        if not words:
            continue
        if _DATE.fullmatch(match[0].strip()):
            yield report
            report, heads = _Report(at=_time(match[0].strip())), []
        elif words[0] == "avg-cpu:":
            if report.cpu or report.devices:
                yield report
                report = _Report()
            heads = words
        elif words[0] in ("Device", "Device:"):
            if report.devices:
                yield report
                report = _Report()
            heads = words
        elif heads and heads[0] == "avg-cpu:":
            report.cpu = _row(heads[1:], words)
            heads = []
        elif heads:
            report.devices[words[0][:100]] = _row(heads[1:], words[1:])
    yield report


def _row(heads: Sequence[str], words: Sequence[str]) -> Row:
    if len(heads) != len(words):
        raise ImportRefused(
            f"A line of iostat has {len(words)} figures for {len(heads)} columns.",
            "The file is cut off or was changed: import it as iostat wrote it.",
        )
    return {
        head.removeprefix("%"): figure(word.replace(",", "."), f"iostat's {head}")
        for head, word in zip(heads, words, strict=True)
    }


def _json_reports(text: str) -> tuple[list[_Report], dict[str, str]]:
    found, cut = documents(text)
    if cut or not found:
        raise ImportRefused("The file is not a complete iostat document.")
    host = found[0]["sysstat"]["hosts"][0]  # type: ignore[index] # read_import tells what is amiss
    reports = []
    for each in host["statistics"]:
        cpu = {name: figure(value, name) for name, value in each.get("avg-cpu", {}).items()}
        devices: dict[str, Row] = {}
        for disk in each.get("disk", ()):
            columns = {
                head: figure(value, head) for head, value in disk.items() if "dev" not in head
            }
            devices[str(disk["disk_device"])[:100]] = columns
        reports.append(_Report(_time(str(each.get("timestamp", ""))), cpu, devices))
    return reports, {
        "host": str(host.get("nodename", ""))[:100],
        "processors": str(host.get("number-of-cpus", ""))[:10],
    }


def _text_conditions(text: str) -> dict[str, str]:
    found = _SYSTEM.search(text)
    return {"kernel": found[1], "processors": found[2]} if found else {}


def _samples(at_s: float, report: _Report) -> Iterator[Sample]:
    for device, row in report.devices.items():
        yield Sample(at_s, NAN, NAN, NAN, _host(device, row, report.cpu))


def _host(device: str, row: Row, cpu: Row) -> HostSample:
    both_ms = row.get("await", NAN)
    return HostSample(
        device=device,
        reads_per_s=row.get("r/s", NAN),
        writes_per_s=row.get("w/s", NAN),
        read_bytes_per_s=_bytes(row, "r"),
        written_bytes_per_s=_bytes(row, "w"),
        queue=row.get("aqu-sz", row.get("avgqu-sz", NAN)),
        utilisation=min(1.0, row.get("util", NAN) / 100),
        read_await_us=row.get("r_await", both_ms) * 1000,
        write_await_us=row.get("w_await", both_ms) * 1000,
        cpu_user=(cpu.get("user", NAN) + cpu.get("nice", 0.0)) / 100,
        cpu_system=cpu.get("system", NAN) / 100,
        cpu_iowait=cpu.get("iowait", NAN) / 100,
        cpu_steal=cpu.get("steal", NAN) / 100,
        context_switches_per_s=NAN,
        own_cpu=NAN,
    )


def _bytes(row: Row, letter: str) -> float:
    for name, scale in _SCALES.items():
        column = letter + name[1:]
        if column in row:
            return row[column] * scale
    return NAN


def _times(reports: Sequence[_Report]) -> tuple[list[float], bool]:
    """Seconds since the first report, and whether the reports themselves tell."""
    times = [report.at for report in reports if report.at is not None]
    if len(times) == len(reports) and times == sorted(times):
        return [(at - times[0]).total_seconds() for at in times], True
    return [float(index) for index in range(len(reports))], False


def _time(text: str) -> datetime | None:
    """Only distances count, so that the zone does not matter."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        pass
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form)
        except ValueError:
            continue
    return None
