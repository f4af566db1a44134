"""What will be measured, and what it will cost."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from probes import figures
from probes.points import Setting

UNTIL_DECIDED = "until-decided"
"""A budget without an end of its own, as it is typed: what is open is measured, and no more."""


class PlanName(StrEnum):
    """The plans that ship."""

    QUICK = "quick"
    STANDARD = "standard"
    THOROUGH = "thorough"


@dataclass(frozen=True, slots=True)
class FileSet:
    """Files that the probes work on: ``files`` of ``bytes_per_file`` each, written before use.

    ``name`` distinguishes sets of one directory and shape: it is the ``set`` option of the settings
    that use it, "" for the usual one. ``content`` is ``random``, ``zeros`` (compressible), or
    ``sparse`` (never written). ``settle``: read once in full after it was filled, so that all
    points find caches below O_DIRECT in one state; without, the first read of a block is its first.
    """

    directory: str
    files: int
    bytes_per_file: int
    name: str = ""
    content: str = "random"
    settle: bool = True

    @property
    def total_bytes(self) -> int:
        """Disk space that the set takes while the run lasts."""
        return self.files * self.bytes_per_file


@dataclass(frozen=True, slots=True)
class Step:
    """One setting and how long to measure it, after a warm-up that is not counted.

    With ``within`` (the wanted half width of the rate's 95 % interval as a share of the rate) the
    point ends once it is as sure as that, at the earliest after ``least_s`` and at the latest after
    ``seconds``; what is cut off as warm-up is found from the data, ``warmup_s`` at least. With
    ``within`` 0 both times are exact. ``byte_limit`` ends steady_write (0: no limit).
    """

    setting: Setting
    seconds: float
    warmup_s: float
    within: float = 0.0
    least_s: float = 0.0
    byte_limit: int = 0


@dataclass(frozen=True, slots=True)
class Budget:
    """What a run may cost at most; 0 is no limit.

    ``endurance_share`` is the share of the drive's rated endurance (0..1) and can be held to only
    where that is known: then it is ``written_bytes`` too. ``added_us`` is how much slower a
    primary-key read of the server may become while a probe runs.
    """

    seconds: float = 0.0
    read_bytes: int = 0
    written_bytes: int = 0
    endurance_share: float = 0.0
    added_us: float = 0.0


@dataclass(frozen=True, slots=True)
class Guard:
    """What is watched on a live server while its drive is measured; a limit of 0 is none.

    The canary is one primary-key read every ``every_s``. ``threads_running`` and ``row_lock_waits``
    are what the server may show more than before the run. Beyond a limit the agent ends the point,
    and goes on with gentler ones once the server has recovered. It does so ``step_backs`` times in
    a run. The next time ends the run, and so does a point whose threads have not ended within
    ``end_s`` or a server that takes longer than ``recover_s``. Other engines end it at once.
    """

    working_set: str = "existing"
    every_s: float = 0.1
    added_us: float = 50_000.0
    threads_running: int = 64
    row_lock_waits: int = 16
    step_backs: int = 3
    end_s: float = 0.5
    recover_s: float = 30.0


@dataclass(frozen=True, slots=True)
class Plan:
    """The whole of what a run will do: made before it starts, shown, then kept with the run.

    ``steps`` are all that may be measured, in their order; with ``adaptive`` those are left out
    that tell nothing once their neighbours are known; with ``deciding`` those that settle most of
    what is open come first, and again, until all that matters is decided. ``seconds`` is the
    planned length including the filling of files and tables. ``warnings`` tell what was cut (a
    smaller file because the disk is nearly full). ``engine`` measures; ``cross_engine`` measures
    ``cross_steps`` (indexes of steps) again, interleaved. ``io_priority`` is "", ``low`` or
    ``idle``. ``watch_pids`` are the server's processes, whose CPU time is sampled beside the
    probe's; ``watch_directories`` hold its data, and their device is sampled while the server is
    asked. ``buffers`` is a Buffers, "" in plans that were made before there was a choice;
    ``buffers_because`` says why. ``server_flush_per_s`` is that rate of mixtures which stands for
    what the server flushes itself, 0 where that is not known or too little to make a mixture of.
    """

    name: PlanName
    file_sets: tuple[FileSet, ...]
    steps: tuple[Step, ...]
    seconds: float
    sandbox: bool
    table_bytes: int = 0
    warnings: tuple[str, ...] = ()
    adaptive: bool = False
    deciding: bool = False
    budget: Budget = field(default_factory=Budget)
    guard: Guard | None = None
    engine: str = "agent"
    cross_engine: str = ""
    cross_steps: tuple[int, ...] = ()
    io_priority: str = ""
    watch_pids: tuple[int, ...] = ()
    watch_directories: tuple[str, ...] = ()
    buffers: str = ""
    buffers_because: str = ""
    server_flush_per_s: float = 0.0

    @property
    def title(self) -> str:
        """What a run by it is called; see ``plan_title``."""
        return plan_title(self.name, self.budget, deciding=self.deciding)

    @property
    def file_bytes(self) -> int:
        """Disk space for all file sets and the sandbox's table together: never more at one time."""
        return sum(files.total_bytes for files in self.file_sets) + self.table_bytes


def plan_title(name: PlanName, budget: Budget, *, deciding: bool) -> str:
    """``quick``, or what limits a run that measures what is open."""
    if not deciding:
        return name.value
    if not budget.seconds:
        return UNTIL_DECIDED.replace("-", " ")
    return f"budget {figures.seconds(budget.seconds)}"


def plan_text(title: str) -> str:
    """A run's plan in a sentence: ``plan quick``, ``budget 5 min``, ``until decided``."""
    return f"plan {title}" if title in set(PlanName) else title
