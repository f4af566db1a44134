"""Every probe with all that is declared of it."""

from __future__ import annotations

from collections.abc import Mapping

from probes.kinds import files, flush, redo, server
from probes.kinds.kind import Kind, OptionChoice, ProbeKind, choices
from probes.points import Probe

PROBES: Mapping[Probe, ProbeKind] = {
    Probe.RANDOM_READ: files.RANDOM_READ,
    Probe.RANDOM_WRITE: files.RANDOM_WRITE,
    Probe.REDO_SYNC: redo.REDO_SYNC,
    Probe.PAGE_FLUSH: flush.PAGE_FLUSH,
    Probe.MIXED: flush.MIXED,
    Probe.STEADY_WRITE: files.STEADY_WRITE,
    Probe.POINT_SELECT: server.POINT_SELECT,
    Probe.PK_UPDATE: server.PK_UPDATE,
    Probe.OLTP: server.OLTP,
}

PROBES_OF: Mapping[Kind, tuple[Probe, ...]] = {
    part: tuple(probe for probe, kind in PROBES.items() if kind.part is part) for part in Kind
}
"""What each part of a plan measures."""

CHOICES: Mapping[str, OptionChoice] = {
    name: each
    for options in (
        server.ServerOptions,
        files.FileOptions,
        redo.RedoOptions,
        flush.FlushOptions,
        server.ImportOptions,
        flush.MixedOptions,
    )
    for name, each in choices(options).items()
}
"""What is declared of each option, in the order in which a setting's are said."""
