"""Which measuring programs a target has beside the agent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from probes.targets.target import Target
from probes.version import dotted

FIO, SYSBENCH = "fio", "sysbench"
LEAST = {FIO: (3, 0), SYSBENCH: (1, 0)}
"""Older ones lack JSON with nanoseconds, and Lua scripts, intermediate reports and histograms."""

# What a login adds to the path is missing in a command over SSH.
_LOOK = r"""
PATH="$PATH:/usr/local/bin:/usr/bin:/usr/local/sbin:/usr/sbin:/opt/bin"
for name in "$@"; do
  path=$(command -v "$name") || continue
  printf '%s\t%s\t%s\n' "$name" "$path" "$("$path" --version 2>&1 | head -n 1)"
done
"""

_VERSIONS = {
    FIO: re.compile(r"fio-(\d{1,4}\.\d{1,6}\S{0,40})"),
    SYSBENCH: re.compile(r"sysbench v?(\d{1,4}\.\d{1,6}\S{0,40})"),
}


@dataclass(frozen=True, slots=True)
class FoundEngine:
    """A program as it was found.

    ``path`` and ``version`` are "" where it is not there. Where it is not ``usable``, ``because``
    says why, as a sentence.
    """

    name: str
    path: str
    version: str
    usable: bool
    because: str = ""

    @property
    def numbers(self) -> tuple[int, int]:
        """The first two numbers of the version; (0, 0) without one."""
        found = re.match(r"(\d+)\.(\d+)", self.version)
        return (int(found[1]), int(found[2])) if found else (0, 0)


def find_engines(target: Target) -> list[FoundEngine]:
    """Look for fio and sysbench on the target; reports both, there or not. Raises TargetError."""
    result = target.run(["sh", "-c", _LOOK, "sh", FIO, SYSBENCH])
    reported: dict[str, tuple[str, str]] = {}
    for line in result.stdout.decode("utf-8", "replace").splitlines():
        name, path, version = (*line.split("\t", 2), "", "")[:3]
        reported[name] = (path, version)
    return [
        _checked(name, *reported[name], target.name)
        if name in reported
        else FoundEngine(name, "", "", False, f"There is no {name} on {target.name}.")
        for name in (FIO, SYSBENCH)
    ]


def find_engine(target: Target, name: str) -> FoundEngine:
    """One of them, by its name. Raises TargetError and KeyError."""
    return {found.name: found for found in find_engines(target)}[name]


def _checked(name: str, path: str, text: str, where: str) -> FoundEngine:
    found = _VERSIONS[name].match(text)
    if found is None:
        because = f"{path} on {where} does not report a version of {name}."
        return FoundEngine(name, path, "", False, because)
    version = found[1]
    this = FoundEngine(name, path, version, True)
    if this.numbers >= LEAST[name]:
        return this
    needed = dotted(LEAST[name])
    because = f"{name} {version} on {where} is too old: {needed} or newer is needed."
    return FoundEngine(name, path, version, False, because)
