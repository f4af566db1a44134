"""What one text gave: settings, counters, lines of option files, facts of the machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from probes.points import Sample


@dataclass(frozen=True, slots=True)
class ServerText:
    """One text and its name; ``written_at`` is when it was last written to, None where unknown.

    Times are seconds since 1970.
    """

    name: str
    content: str
    written_at: float | None = None


@dataclass(frozen=True, slots=True)
class SettingsPiece:
    """Global variables, by name; ``origins`` are [source, path] of those that report one.

    ``twice`` are names that stand there with more than one value: the last one counts. ``whole``: a
    server printed them; else somebody typed some of them.
    """

    values: Mapping[str, str]
    origins: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    twice: tuple[str, ...] = ()
    whole: bool = True


@dataclass(frozen=True, slots=True)
class StatusPiece:
    """One sample of the counters; ``at_s`` is when it was taken, None where the text is silent.

    ``rounded``: figures were shortened ("614.7 M"), so that differences of two say nothing.
    ``follows``: it stands behind another sample in one text.
    """

    values: Mapping[str, str]
    at_s: float | None = None
    rounded: bool = False
    follows: bool = False

    @property
    def uptime_s(self) -> float | None:
        """How long the server had been up; None where it is not among them."""
        text = self.values.get("Uptime", "")
        return float(text) if text.isdecimal() and len(text) < 16 else None


@dataclass(frozen=True, slots=True)
class OptionsPiece:
    """Option files, as the agent reports them: ``files`` and ``lines``; see ``option_files``.

    ``ungrouped``: no line of the text named a group, so that it was taken for an excerpt.
    """

    files: tuple[Mapping[str, object], ...]
    lines: tuple[Mapping[str, object], ...]
    ungrouped: bool = False


@dataclass(frozen=True, slots=True)
class InnodbPiece:
    """The text of SHOW ENGINE INNODB STATUS."""

    text: str
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class MachinePiece:
    """Parts of the agent's answer about a machine, in its form.

    ``files`` are files of /proc and /sys by their paths, ``mounts`` lines of mountinfo, ``block``
    devices by "major:minor", ``rooms`` (size, free) in bytes by mount point.
    """

    files: Mapping[str, str] = field(default_factory=dict)
    hostname: str = ""
    architecture: str = ""
    mounts: tuple[str, ...] = ()
    block: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    rooms: Mapping[str, tuple[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class DrivesPiece:
    """What devices and processors did over time, as iostat has it; ``processors`` counts them."""

    samples: tuple[Sample, ...]
    processors: int | None = None


@dataclass(frozen=True, slots=True)
class CountersPiece:
    """What the kernel counted of each device since the start, as the agent names it.

    ``at_s`` is when, None where nothing says it.
    """

    devices: Mapping[str, Mapping[str, float]]
    at_s: float | None = None


@dataclass(frozen=True, slots=True)
class StatedPiece:
    """Single facts that a report, a banner or a service states; 0, "" and None say nothing.

    ``service`` is who runs the server, in the words of ``ServerVersion.vendor``.
    """

    version: str = ""
    comment: str = ""
    uptime_s: float | None = None
    data_bytes: int | None = None
    performance_schema_bytes: int | None = None
    memory_bytes: int = 0
    cpus: int = 0
    machine_class: str = ""
    volume_requests_per_s: int = 0
    volume_bytes_per_s: int = 0
    service: str = ""


@dataclass(frozen=True, slots=True)
class RemarkPiece:
    """A sentence of what a log or a report says that no rule looks at."""

    sentence: str


Piece = (
    SettingsPiece
    | StatusPiece
    | OptionsPiece
    | InnodbPiece
    | MachinePiece
    | DrivesPiece
    | CountersPiece
    | StatedPiece
    | RemarkPiece
)
