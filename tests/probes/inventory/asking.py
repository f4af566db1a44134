"""Asking to the end."""

from __future__ import annotations

from collections.abc import Generator

from probes.inventory.facts import RawInventory


def asked(asking: Generator[float, None, RawInventory]) -> tuple[list[float], RawInventory]:
    """Each share of the progress that was reported, and the answers."""
    shares: list[float] = []
    while True:
        try:
            shares.append(next(asking))
        except StopIteration as end:
            raw: RawInventory = end.value
            return shares, raw
