"""File systems that are memory."""

from __future__ import annotations

from probes.inventory.facts import Storage


def in_memory(where: Storage) -> bool:
    """Whether what is written there takes memory."""
    return where.filesystem in {"tmpfs", "ramfs"}
