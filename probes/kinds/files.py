"""Reads and writes of blocks of files: random reads, random writes, the steady write."""

from __future__ import annotations

from dataclasses import dataclass

from probes.kinds.kind import Kind, ProbeKind, ProbeOptions, choice


@dataclass(frozen=True, slots=True)
class FileOptions(ProbeOptions):
    """``set`` names the file set where there are several of this shape.

    ``touch`` is there where every block is visited once, in one order. ``buffers`` is there where
    both kinds are measured beside each other, whatever all others have.
    """

    # What a first touch is of, its touch says.
    set: str = choice(
        "{} set", small="small set", first_touch="", zeros="zeros", sparse="sparse file"
    )
    touch: str = choice(wire=str, first="first touch", again="second touch")
    buffers: str = choice("buffers in {} pages")


def _kind(title: str, unit: str, part: Kind) -> ProbeKind:
    return ProbeKind(title, f"{title}s", unit, part=part, options=FileOptions)


RANDOM_READ = _kind("random read", "reads", Kind.STORAGE)
RANDOM_WRITE = _kind("random write", "writes", Kind.STORAGE)
STEADY_WRITE = _kind("steady write", "writes", Kind.STEADY)
