"""The machine: what free, lscpu, uname and files of /proc print, as the agent reports it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from probes.architecture import in_go
from probes.texts.reading import amounts
from probes.texts.reading.pieces import MachinePiece, Piece

_MEMINFO = re.compile(r"^\s*(MemTotal|MemFree|MemAvailable|SwapTotal|SwapFree|CommitLimit"
                      r"|Committed_AS|HugePages_Free):\s+(\d{1,18})( kB)?\s*$")  # fmt: skip
_FREE_HEAD = re.compile(r"^\s*total\s+used\s+free\s+shared\b")
_FREE_ROW = re.compile(r"^\s*(Mem|Swap):\s+(.*)$")
_CPUINFO = re.compile(
    r"^\s*(processor|model name|physical id|core id|CPU implementer|CPU part)\s*:\s*(.*?)\s*$"
)
_LSCPU = re.compile(
    r"^\s*(Architecture|CPU\(s\)|On-line CPU\(s\) list|Thread\(s\) per core|Core\(s\) per socket"
    r"|Socket\(s\)|NUMA node\(s\)|Model name|Hypervisor vendor):\s+(\S.*?)\s*$"
)
_UNAME = re.compile(
    r"^.{0,80}?\bLinux (?P<host>[\w.-]{1,64}) (?P<kernel>\d+\.\d+[\w.+-]*) (?P<build>#\d+.{0,200}?)"
    r"(?:\s+(?P<arch>x86_64|aarch64|ppc64le|s390x))?(?:\s+\S+){0,3}\s*$"
)
_IOSTAT_HEAD = re.compile(
    r"^.{0,80}?\bLinux (?P<kernel>\d+\.\d+\S*) \((?P<host>[\w.-]{1,64})\)\s.*"
    r"\((?P<cpus>\d{1,4}) CPU\)"
)
_OS_RELEASE = re.compile(r'^\s*PRETTY_NAME="?([^"\n]{1,200})"?\s*$')
_SYSCTL = re.compile(r"^\s*(vm\.swappiness|vm\.overcommit_memory|vm\.overcommit_ratio"
                     r"|vm\.dirty_background_ratio|vm\.dirty_background_bytes"
                     r"|vm\.zone_reclaim_mode|kernel\.numa_balancing|fs\.aio-max-nr|fs\.aio-nr)"
                     r"\s*=\s*(\d{1,19})\s*$")  # fmt: skip
_HUGE_PAGES = re.compile(
    r"^.{0,80}?((?:always|\[always\]) (?:madvise|\[madvise\]) (?:never|\[never\]))\s*$"
)
_ALONE = (
    (_OS_RELEASE, "/etc/os-release"),
    (_HUGE_PAGES, "/sys/kernel/mm/transparent_hugepage/enabled"),
)
_UNITS = {"": 1024, "-b": 1, "-m": 1 << 20, "-g": 1 << 30}
_COMMAND = re.compile(r"(?:^|[$#>;] *)free( -[bkmgh]{1,3})?\s*$")
_LEAST_KIB, _MOST_KIB = 128 << 10, 3 << 29


def read_machine(lines: Sequence[str]) -> Iterator[Piece]:
    """All that a text says of its machine; nothing where it is silent."""
    files: dict[str, str] = {}
    hostname = architecture = ""
    for line in lines:
        name = _named(line)
        if name is not None:
            hostname, architecture = name["host"], name.groupdict().get("arch") or architecture
            files["/proc/sys/kernel/osrelease"] = name["kernel"]
            if "build" in name.groupdict():
                files["/proc/version"] = f"Linux version {name['kernel']} {name['build']}"
        for pattern, path in _ALONE:
            if (found := pattern.match(line)) is not None:
                files[path] = found[0].strip() if path.startswith("/etc") else found[1]
        if (setting := _SYSCTL.match(line)) is not None:
            files["/proc/sys/" + setting[1].replace(".", "/", 1)] = setting[2]
    files |= _memory(lines) | _cpuinfo(lines)
    listed = _lscpu(lines)
    files = {**listed, **files}
    architecture = architecture or listed.pop("arch", "")
    files.pop("arch", None)
    if files or hostname:
        yield MachinePiece(files, hostname, in_go(architecture))


def _named(line: str) -> re.Match[str] | None:
    """What names the machine: uname -a, or the head of iostat and its like."""
    return _UNAME.match(line) or _IOSTAT_HEAD.match(line)


def processors_in_head(lines: Sequence[str]) -> int | None:
    """How many processors iostat's head names; None where there is none."""
    found = (match for line in lines if (match := _IOSTAT_HEAD.match(line)))
    head = next(found, None)
    return None if head is None else int(head["cpus"])


def _memory(lines: Sequence[str]) -> dict[str, str]:
    """What the text has of /proc/meminfo; free's table says the same with other words."""
    kept: dict[str, str] = {}
    for line in lines:
        found = _MEMINFO.match(line)
        # pt-stalk takes it again and again: the first is of the beginning.
        if found is not None and found[1] not in kept:
            kept[found[1]] = f"{found[2]}{found[3] or ''}"
    if "MemTotal" not in kept:
        kept |= _free(lines)
    if not kept:
        return {}
    return {"/proc/meminfo": "\n".join(f"{name}: {value}" for name, value in kept.items())}


def _free(lines: Sequence[str]) -> dict[str, str]:
    """The table of free, in kB as meminfo has it."""
    kept: dict[str, str] = {}
    unit, known = 1024, False
    heads: list[str] = []
    for line in lines:
        if (command := _COMMAND.search(line)) is not None:
            unit, known = _UNITS.get((command[1] or "").strip(), 1024), True
        if _FREE_HEAD.match(line):
            heads = line.split()
        row = _FREE_ROW.match(line)
        if not heads or row is None:
            continue
        kib = {head: _kib(word, unit) for head, word in zip(heads, row[2].split(), strict=False)}
        words = {"Mem": {"total": "MemTotal", "free": "MemFree", "available": "MemAvailable"},
                 "Swap": {"total": "SwapTotal", "free": "SwapFree"}}[row[1]]  # fmt: skip
        for head, name in words.items():
            if (value := kib.get(head)) is not None:
                kept.setdefault(name, f"{value} kB")
        # Where words have units there is nothing to find out.
        known = known or (row[1] == "Mem" and not row[2].split()[0].isdecimal())
    return _in_likely_unit(kept, known=known)


def _kib(word: str, unit: int) -> int | None:
    if word.isdecimal() and len(word) < 19:
        return int(word) * unit // 1024
    size = amounts.size_bytes(word.removesuffix("i"))
    return None if size is None else size // 1024


def _in_likely_unit(kept: Mapping[str, str], *, known: bool) -> dict[str, str]:
    """The same in kB where a table without its command was printed in MiB or GiB (free -m, -g).

    A server's machine has 128 MiB to 1.5 TiB: what fits no unit, or more than one, is left out.
    """
    total = int(kept.get("MemTotal", "0 kB").split()[0])
    if not total:
        return {}
    unit = 1
    if not known:
        fits = [each for each in (1, 1 << 10, 1 << 20) if _LEAST_KIB <= total * each < _MOST_KIB]
        if len(fits) != 1:
            return {}
        unit = fits[0]
    return {name: f"{int(value.split()[0]) * unit} kB" for name, value in kept.items()}


def _cpuinfo(lines: Sequence[str]) -> dict[str, str]:
    """What the text has of /proc/cpuinfo, a block a processor."""
    blocks: list[list[str]] = []
    for line in lines:
        found = _CPUINFO.match(line)
        if found is None:
            continue
        if found[1] == "processor" or not blocks:
            blocks.append([])
        blocks[-1].append(f"{found[1]}\t: {found[2]}")
    if not any(line.startswith("processor") for block in blocks for line in block):
        return {}
    return {"/proc/cpuinfo": "\n\n".join("\n".join(block) for block in blocks)}


def _lscpu(lines: Sequence[str]) -> dict[str, str]:
    """What lscpu says, as the files that it reads."""
    known: dict[str, str] = {}
    for line in lines:
        if (found := _LSCPU.match(line)) is not None:
            known.setdefault(found[1], found[2])
    cpus, sockets, cores, nodes = (
        int(word) if (word := known.get(name, "")).isdecimal() and len(word) < 6 else 0
        for name in ("CPU(s)", "Socket(s)", "Core(s) per socket", "NUMA node(s)")
    )
    if not cpus:
        return {}
    made = {"/sys/devices/system/cpu/online": known.get("On-line CPU(s) list") or f"0-{cpus - 1}"}
    if nodes:
        made["/sys/devices/system/node/online"] = f"0-{nodes - 1}" if nodes > 1 else "0"
    if known.get("Architecture"):
        made["arch"] = known["Architecture"]
    if known.get("Model name"):
        made["/proc/cpuinfo"] = f"model name\t: {known['Model name']}"
    if known.get("Hypervisor vendor"):
        made["/proc/cpuinfo"] = f"{made.get('/proc/cpuinfo', '')}\nflags\t: hypervisor".lstrip()
    for at in range(min(sockets * cores, 4096)):
        place = f"/sys/devices/system/cpu/cpu{at}/topology/"
        made[f"{place}physical_package_id"] = str(at // cores)
        made[f"{place}core_id"] = str(at % cores)
    return made
