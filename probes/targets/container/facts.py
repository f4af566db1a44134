"""What is known of a container without looking into it: what its engine shows, as plain values."""

from __future__ import annotations

from dataclasses import dataclass

from probes.targets.address import ContainerAddress

ANSWER = "container"
"""The name of an inventory's raw answer that holds these facts, and of the fact where it lacks."""


@dataclass(frozen=True, slots=True)
class ContainerMount:
    """What lies at ``at`` in a container.

    ``kind`` is the engine's word: bind, volume, tmpfs; persistentVolumeClaim, configMap, secret,
    emptyDir, hostPath. ``source`` is the path on the container's machine, or the name of the claim,
    ConfigMap or Secret.
    """

    at: str
    kind: str
    source: str


@dataclass(frozen=True, slots=True)
class ContainerFacts:
    """A container as its engine shows it, without values of its environment.

    ``memory_bytes`` and ``cpus`` are what it is limited to, 0 for no limit. ``environment`` are
    names alone. ``operator`` is what manages its pod (pxc, ps, mysql, mariadb), "" where none of
    them does; ``cluster`` is the name of that operator's resource, else of what made the pod
    ("statefulset/db"). ``upper`` is the directory of its machine that
    takes what is written to no volume. ``project`` and ``service`` are Compose's.
    """

    address: ContainerAddress
    image: str = ""
    memory_bytes: int = 0
    cpus: float = 0.0
    environment: tuple[str, ...] = ()
    mounts: tuple[ContainerMount, ...] = ()
    node: str = ""
    operator: str = ""
    cluster: str = ""
    upper: str = ""
    project: str = ""
    service: str = ""

    def mount_of(self, path: str) -> ContainerMount | None:
        """The volume on which ``path`` lies; None where that is the container's own layer."""
        above = [one for one in self.mounts if f"{path}/".startswith(f"{one.at.rstrip('/')}/")]
        return max(above, key=lambda one: len(one.at), default=None)
