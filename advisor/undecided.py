"""Why questions about a target are open, as values."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.run import RunState
from advisor.why import Why
from probes.doubts import Doubt


@dataclass(frozen=True, slots=True)
class CutShort:
    """The run ended early, after that many points."""

    state: RunState
    points: int


@dataclass(frozen=True, slots=True)
class Doubted:
    """Half of the points or more are not trusted: ``doubted`` of ``points``, ``rejected`` of these.

    ``worst`` is the doubt that most of them share, of the point that it is worst for; None where
    none is known.
    """

    points: int
    doubted: int
    rejected: int
    worst: Doubt | None


@dataclass(frozen=True, slots=True)
class Mostly:
    """The reason for which most of the open rules are open: ``rules`` of ``others``.

    ``alone`` is whether it is the reason of all.
    """

    why: Why
    rules: int
    others: int
    alone: bool


WhyOpen = CutShort | Doubted | Mostly
