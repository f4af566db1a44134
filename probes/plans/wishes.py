"""What a user wants otherwise than a plan has it."""

from __future__ import annotations

from dataclasses import dataclass, field

from probes.plans.plan import Budget, Guard
from probes.points import Buffers, Probe


@dataclass(frozen=True, slots=True)
class Wishes:
    """Every field's default leaves the plan as it is.

    ``probes``, ``block_sizes`` (bytes) and ``threads`` narrow the plan to these, or name others
    within the probes' ranges. ``within`` is the wanted half width of a rate's 95 % interval as a
    share of the rate. ``every_level`` measures all levels instead of those that tell something.
    ``update`` adds pk_update, where there is a table of Leadline's own. ``guard`` None watches
    nothing. ``buffers`` None has them like the server's. ``deciding`` measures until all that
    matters is decided, what settles most first. ``room_bytes`` is what the files may take at most,
    where drives shall be measured alike; 0 leaves it to the room that there is.
    """

    probes: tuple[Probe, ...] = ()
    block_sizes: tuple[int, ...] = ()
    threads: tuple[int, ...] = ()
    budget: Budget = field(default_factory=Budget)
    within: float | None = None
    every_level: bool = False
    protocols: tuple[str, ...] = ("prepared",)
    update: bool = False
    engine: str = "agent"
    cross_engine: str = ""
    guard: Guard | None = field(default_factory=Guard)
    io_priority: str = ""
    buffers: Buffers | None = None
    deciding: bool = False
    room_bytes: int = 0
