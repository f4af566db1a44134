"""What is known of the place where points were measured: filesystem, layers, disks, platform."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from probes.inventory.facts import Disk, Inventory, Layer, Role, Storage


@dataclass(frozen=True, slots=True)
class DirectoryPlace:
    """Where one directory lies; empty fields are unknown."""

    path: str = ""
    filesystem: str = ""
    mount_options: tuple[str, ...] = ()
    layers: tuple[Layer, ...] = ()
    disks: tuple[Disk, ...] = ()

    @property
    def buses(self) -> frozenset[str]:
        """How the disks are attached, in the words of ``Disk.bus``."""
        return frozenset(disk.bus for disk in self.disks)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The places of a target that its points may lie in, and the machine's platform.

    ``directory`` is the one that the run worked in: where a point names none, or one that no place
    is known for. ``platform`` is the maker, hypervisor or cloud as ``HostFacts`` has it.
    """

    directory: str = ""
    places: tuple[DirectoryPlace, ...] = ()
    mount_points: tuple[tuple[str, DirectoryPlace], ...] = ()
    platform: str = ""
    processors: int | None = None

    @classmethod
    def of(cls, inventory: Inventory, directory: str) -> Surroundings:
        """What an inventory says of ``directory`` and of the server's own directories."""
        host = inventory.host
        ordered = sorted(inventory.storage, key=lambda storage: storage.role is not Role.PROBE)
        return cls(
            directory=directory,
            places=tuple(_place(storage) for storage in ordered),
            mount_points=_mount_points(ordered),
            platform="" if host is None else host.platform,
            processors=None if host is None else host.cpu.threads,
        )

    def at(self, directory: str) -> DirectoryPlace:
        """The place of a directory: its own, else that of the filesystem it lies in.

        An unknown one is taken for the run's own; where nothing is known, all fields are empty.
        """
        for path in (directory, self.directory):
            found = self._known(path) if path else None
            if found is not None:
                return found
        return DirectoryPlace()

    def _known(self, directory: str) -> DirectoryPlace | None:
        for place in self.places:
            if place.path == directory:
                return place
        wanted = PurePosixPath(directory)
        holding = [pair for pair in self.mount_points if wanted.is_relative_to(pair[0])]
        return max(holding, key=lambda pair: len(pair[0]))[1] if holding else None


def _place(storage: Storage) -> DirectoryPlace:
    return DirectoryPlace(
        path=storage.path,
        filesystem=storage.filesystem,
        mount_options=storage.mount_options,
        layers=storage.layers,
        disks=storage.disks,
    )


def _mount_points(storage: Sequence[Storage]) -> tuple[tuple[str, DirectoryPlace], ...]:
    """Mount points with the place on them, each once: the first that is listed counts."""
    found: dict[str, DirectoryPlace] = {}
    for one in storage:
        if one.mount_point:
            found.setdefault(one.mount_point, _place(one))
    return tuple(found.items())
