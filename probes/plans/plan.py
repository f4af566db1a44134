"""What will be measured, and what it will cost."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from probes.points import Setting


class PlanName(StrEnum):
    """The plans that ship."""

    QUICK = "quick"
    STANDARD = "standard"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that the probes work on: ``files`` of ``bytes_per_file`` each, written before use."""

    directory: str
    files: int
    bytes_per_file: int

    @property
    def total_bytes(self) -> int:
        """Disk space that the set takes while the run lasts."""
        return self.files * self.bytes_per_file


@dataclass(frozen=True, slots=True)
class Step:
    """One setting and how long to measure it, after a warm-up that is not counted."""

    setting: Setting
    seconds: float
    warmup_s: float


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole of what a run will do: made before it starts, shown, then kept with the run.

    ``seconds`` is the planned length including the filling of files and tables. ``warnings`` tell
    what was cut (a smaller file because the disk is nearly full).
    """

    name: PlanName
    file_sets: tuple[FileSet, ...]
    steps: tuple[Step, ...]
    seconds: float
    sandbox: bool
    table_bytes: int = 0
    warnings: tuple[str, ...] = ()

    @property
    def file_bytes(self) -> int:
        """Disk space for all file sets and the sandbox's table together: never more at one time."""
        return sum(files.total_bytes for files in self.file_sets) + self.table_bytes
