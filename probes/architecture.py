"""What processors are called: by the kernel, and by Go, whose word the agent reports."""

from __future__ import annotations

_IN_GO = {"x86_64": "amd64", "aarch64": "arm64"}


def in_go(architecture: str) -> str:
    """Go's word for what ``uname -m`` says; any other stays as it is."""
    return _IN_GO.get(architecture, architecture)
