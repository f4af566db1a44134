"""What was read from a file that another program wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from probes.points import Point, Sample


@dataclass(frozen=True, slots=True)
class Imported:
    """The content of one file.

    ``source`` is the file's name, ``kind`` its form (``fio-json``, ``fio-terse``, ``sysbench``,
    ``iostat``, ``csv``). ``engine`` and ``engine_version`` are "" where the file does not say.
    ``conditions`` hold what else it says about the run, by name, as text. Points have nan for what
    is unknown. ``host_samples`` are of files that tell about the host over time but belong to no
    point (iostat): only their ``at_s`` and ``host`` are known, the rates are nan. ``warnings`` are
    sentences: what was left out, and traps that the file's program is known for.
    """

    source: str
    kind: str
    engine: str
    engine_version: str = ""
    conditions: Mapping[str, str] = field(default_factory=dict)
    points: tuple[Point, ...] = ()
    host_samples: tuple[Sample, ...] = ()
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ImportNotes:
    """What is to be said of a file, gathered while it is read.

    ``left_out`` says why something of it became no point, ``warnings`` the traps of what did.
    """

    left_out: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def all(self) -> tuple[str, ...]:
        """Each once, what was left out first."""
        return tuple(dict.fromkeys((*self.left_out, *self.warnings)))

    @property
    def reasons(self) -> str:
        """Why there is no point at all: no trap of what was left out stands before."""
        return " ".join(dict.fromkeys(self.left_out))
