"""What these tests trace with, before any of them asks whether it is there."""

from __future__ import annotations

from tests.tracing import mount_for_us

mount_for_us()
