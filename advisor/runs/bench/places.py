"""The places of a bench, looked at before anything is measured: drives, room, names."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import combinations

from advisor.compare.comparison import LETTERS
from advisor.run import LONGEST_NAME
from advisor.runs.bench.values import BenchPlace, where
from advisor.runs.events import CheckEvent, Stage, StageStarted
from advisor.runs.link import Link, linked
from advisor.runs.preparing import Prepared, prepare
from advisor.runs.requests import ProbeRequest
from advisor.runs.waiting import drives_of
from advisor.target_names import LOCAL
from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.figures import size
from probes.inventory.facts import Role, Storage
from probes.plans.spend.space import room_bytes
from probes.steps import result_of
from probes.targets.address import Prompts, TargetSpec
from probes.trust.across.device_limits import MEMORY_FILESYSTEMS, made_of_memory
from probes.trust.surroundings import Surroundings


def looked_at(
    request: ProbeRequest, prompts: Prompts, token: CancelToken
) -> Generator[CheckEvent, None, BenchPlace]:
    """Connect to a place and make its plan, without starting it; raises LeadlineError."""
    yield StageStarted(Stage.CONNECT, f"Looking at {_called(request.target)}.")
    with linked(request.target, prompts, token) as link:
        if link.machine is None:
            raise UsageError(
                f"{request.target.name} has no drive that can be measured: only its server can be "
                "reached.",
                "Name its machine as ssh://..., with a directory on the drive.",
            )
        drives = drives_of(link, request)
        made = result_of(prepare(link, request, token))
        must_be_drive(link, request.target, made)
        must_take_files(link, request.target, made.directory)
    storage = made.inventory.role(Role.PROBE)
    return BenchPlace(
        request.target,
        made.directory,
        "" if storage is None else _device(storage),
        "" if storage is None else storage.filesystem,
        drives,
        _room(storage),
        made.plan,
        "" if storage is None else storage.resolved_path,
    )


def named(places: Sequence[BenchPlace]) -> list[str]:
    """What each place is called: its drive, then its directory; raises UsageError for one twice.

    No two are called the same: runs of one name count as repeats of one drive.
    """
    for one, other in combinations(places, 2):
        if one.where == other.where:
            raise UsageError(f"{one.where} is named twice.", "Name each directory once.")
        if one.resolved and (one.target.name, one.resolved) == (other.target.name, other.resolved):
            raise UsageError(
                f"{one.where} and {other.where} are the same directory.",
                "Name each directory once.",
            )
    names = [_short(place.device, place.where) for place in places]
    return [
        name if names.count(name) == 1 else f"{letter}: {name[: LONGEST_NAME - 4]}…"
        for letter, name in zip(LETTERS, names, strict=False)
    ]


def same_disk(places: Sequence[BenchPlace]) -> list[str]:
    """A sentence for each pair of places that are on one disk."""
    return [
        f"{one.where} and {other.where} are on the same disk ({one.device}): a difference "
        "between them is not the drive's."
        for one, other in combinations(places, 2)
        if set(one.drives) & set(other.drives)
    ]


def least_room_bytes(places: Sequence[BenchPlace]) -> int:
    """What the files may take everywhere, so that they are alike; 0 where they are as it is."""
    sizes = [place.plan.file_bytes for place in places]
    known = [place.room_bytes for place in places if place.room_bytes is not None]
    return min(known) if known and len(set(sizes)) > 1 else 0


def smaller_files(places: Sequence[BenchPlace]) -> list[str]:
    """What to say where one place's room decides how large all files are."""
    if not least_room_bytes(places):
        return []
    least = min(places, key=lambda place: place.plan.file_bytes)
    return [
        f"The files are as small everywhere as {least.where} has room for: "
        f"{size(least.plan.file_bytes)}."
    ]


def _called(spec: TargetSpec) -> str:
    where = spec.directory or "its drive"
    return where if spec.name == LOCAL else f"{spec.name}, {where}"


def _device(storage: Storage) -> str:
    labels = dict.fromkeys(disk.label for disk in storage.disks)
    return ", ".join(labels) or storage.filesystem


def must_be_drive(link: Link, spec: TargetSpec, made: Prepared) -> None:
    """Raise UsageError for a place in memory: all that is measured there would be rejected."""
    place = Surroundings.of(made.inventory, made.directory).at(made.directory)
    memory = made_of_memory(place)
    for layer in place.layers:
        if not memory and layer.kind == "loop" and layer.detail:
            # Any mount may be one in memory, and the machine knows which is.
            below = link.target.run(["stat", "-f", "-c", "%T", "--", layer.detail])
            kind = below.stdout.decode("ascii", "replace").strip()
            memory = layer.detail if kind in MEMORY_FILESYSTEMS else ""
    if memory:
        raise UsageError(
            f"{where(spec, made.directory)} is memory ({memory}): every point would be rejected, "
            "and no drive compared.",
            "Name a directory on a drive.",
        )


def must_take_files(link: Link, spec: TargetSpec, directory: str) -> None:
    """Raise UsageError before any turn where the account may make no file."""
    if link.target.run(["test", "-w", directory]).status != 0:
        raise UsageError(
            f"No file can be written in {where(spec, directory)}: it is read-only, or belongs to "
            "another account.",
            "Name a directory that this account may write in.",
        )


def _room(storage: Storage | None) -> int | None:
    if storage is None or storage.free_bytes is None or storage.size_bytes is None:
        return None
    return room_bytes(storage.free_bytes, storage.size_bytes)


def _short(device: str, where: str) -> str:
    """``NVMe INTEL SSDPE2KX020T8, /srv/a``; of what is too long the path's end is kept."""
    name = f"{device}, {where}" if device else where
    if len(name) <= LONGEST_NAME:
        return name
    room = max(LONGEST_NAME // 2, LONGEST_NAME - len(where) - 2)
    head = device[:room]
    return f"{head}, …{where[-(LONGEST_NAME - len(head) - 3) :]}"
