"""What is settled before a lab starts: programs, folders, memory, and what all of it will take."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from advisor.lab.asked import CLONED, Asked
from advisor.lab.design import FREE_SHARE, LabDesign, designed
from advisor.lab.lines import full_lines
from advisor.runs.lab.request import LabRequest
from advisor.runs.link import Link
from advisor.runs.preparing import directory_for
from advisor.wording.measured.lab import forecast_rows
from advisor.wording.measured.lab_plan import PlanRows, planned
from probes.errors import SandboxFailed, UsageError
from probes.figures import count, seconds, size
from probes.lab.cloning import BYTES_PER_S, Donor, donor_of
from probes.lab.data import require_space
from probes.lab.given import GivenData, given_lines, look_at
from probes.lab.variant import Layout, LoadKind, Variant
from probes.mysql.standby import at_work, standing_by
from probes.sandbox.binaries import ServerBinary, find_binary
from probes.statistics.ranges import Range
from probes.targets.target import Target

_AVAILABLE = re.compile(r"^MemAvailable:\s+(\d{1,15}) kB", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class PreparedLab:
    """A lab that can start: its question, and its layouts by the variant's name."""

    target: Target
    design: LabDesign
    layouts: Mapping[str, Layout]
    directories: tuple[str, ...]
    lines: PlanRows
    given: GivenData | None = None
    donor: Donor | None = None
    forecasts: Mapping[str, Range] = field(default_factory=dict)

    @property
    def asked(self) -> Asked:
        """The whole question."""
        return self.design.asked

    def lines_of(self, variant: Variant) -> dict[str, str]:
        """All option lines of a variant's server."""
        binary = self.layouts[variant.name].binary
        own = {} if self.given is None else given_lines(binary, self.given)
        return own | full_lines(self.asked, variant, binary)


def prepare(link: Link, request: LabRequest) -> PreparedLab:
    """Find the programs and see what the machine has room for. Raises LeadlineError."""
    target = link.machine
    if target is None:
        raise UsageError(
            "A lab starts servers of its own, and of this target only MySQL can be reached.",
            "Run it on this computer, or name the machine by SSH.",
        )
    directories = request.directories or (directory_for(link, request.target),)
    known = {command: _binary(target, command) for command in request.servers or ((),)}
    asked = request.asking([binary.version for binary in known.values()])
    asked = replace(
        asked,
        variants=tuple(_placed(each, directories[0], next(iter(known))) for each in asked.variants),
    )
    if asked.load.kind is LoadKind.SYSBENCH and target.run(["sysbench", "--version"]).status != 0:
        raise UsageError(
            f"sysbench is not installed on {target.name}.",
            "Install it there, or take one of Leadline's own loads.",
        )
    donor = _donor(link) if asked.data_from == CLONED else None
    given = donor.data if donor else _given(link, target, asked.data_from)
    if given is not None:
        asked = replace(asked, load=replace(asked.load, data_bytes=given.size_bytes))
    layouts = {each.name: _layout(each, known[each.server]) for each in asked.entrants}
    design = designed(asked, layouts, available_bytes(target))
    for directory in directories:
        share = sum(each.directory == directory for each in asked.entrants) / len(asked.entrants)
        require_space(target, directory, int(share * design.written_bytes), FREE_SHARE)
    forecasts = {} if request.forecasting is None else dict(request.forecasting(asked))
    lines = (*planned(design, directories, _live_load(link)), *forecast_rows(forecasts))
    if donor is not None:
        lines = (*lines, ("Clone", _reading(donor)))
    return PreparedLab(target, design, layouts, directories, lines, given, donor, forecasts)


def _donor(link: Link) -> Donor:
    if link.mysql is None:
        raise UsageError("There is no running server to clone: name how it is reached, by --mysql.")
    return donor_of(link.mysql, CLONED)


def _reading(donor: Donor) -> str:
    data = size(donor.data.size_bytes)
    return (
        f"the running server sends {data} from its drive, {size(BYTES_PER_S)}/s at most: "
        f"{seconds(round(donor.seconds) or 1)} or more. Changes of tables wait meanwhile."
    )


def _given(link: Link, target: Target, directory: str) -> GivenData | None:
    """The data that somebody names; never those of the server that is connected to."""
    if not directory:
        return None
    given = look_at(target, directory)
    if link.mysql is not None:
        own = link.mysql.value("@@GLOBAL.datadir").rstrip("/")
        if own == given.directory:
            raise UsageError(
                f"{directory} on {target.name} is the running server's own data directory.",
                "Name a restored backup or a cold copy.",
            )
    return given


def available_bytes(target: Target) -> int | None:
    """The memory of a machine that can still be used; None where it does not say."""
    found = _AVAILABLE.search(target.read_file("/proc/meminfo", 1 << 14).decode("ascii", "replace"))
    return int(found[1]) * 1024 if found else None


def _binary(target: Target, command: tuple[str, ...]) -> ServerBinary:
    found = find_binary(target, command)
    if found is None:
        if command:
            raise SandboxFailed(
                f"{' '.join(command)} is no server program that starts on {target.name}.",
                "Name mysqld or mariadbd by its path.",
            )
        raise SandboxFailed(
            f"No mariadbd or mysqld was found on {target.name}.",
            "Install mariadb-server or mysql-server there, or name a server with --server.",
        )
    return found


def _placed(variant: Variant, directory: str, server: tuple[str, ...]) -> Variant:
    return replace(
        variant,
        directory=variant.directory or directory,
        server=variant.server or server,
    )


def _layout(variant: Variant, binary: ServerBinary) -> Layout:
    return Layout(binary, variant.page_bytes, variant.engine, variant.directory)


def _live_load(link: Link) -> str:
    """What a live server does now, so that its owner can judge whether the lab may disturb it."""
    if link.mysql is None:
        return ""
    rows = link.mysql.rows("SHOW GLOBAL STATUS LIKE 'Threads_running'")
    running = "an unknown number of"
    if rows:
        standby = standing_by(link.mysql, mariadb=link.mysql.version.is_mariadb)
        running = count(at_work(float(str(rows[0]["Value"])), standby))
    return (
        f"{link.mysql.version} runs with {running} threads at work: the lab loads the same "
        "machine. Take a quiet hour."
    )
