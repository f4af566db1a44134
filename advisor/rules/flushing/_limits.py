"""What the plan of flushing and its upper limit have in common."""

from __future__ import annotations

DECIDES_WRITES = (
    "filesystem.zfs-recordsize",
    "durability.doublewrite",
    "doublewrite.on-zfs",
    "redo.capacity",
    "buffer-pool.size",
)
"""Rules whose advice changes how much has to be written: either limit waits for them."""
