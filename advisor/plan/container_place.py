"""Where the lines of an option file go for a server in a container: what its image takes."""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass

from advisor.case import Case
from probes.inventory.facts import Role
from probes.targets.address import ContainerEngine
from probes.targets.container.facts import ContainerFacts

_USUAL = "/etc/mysql/conf.d"
"""What the official images of MySQL and MariaDB read."""

OWN_NAME = "zz-leadline.cnf"
"""Servers read a folder's files in the order of their names."""

_IMAGES = (
    (r"(.*/)?bitnami/mariadb", "/opt/bitnami/mariadb/conf/my_custom.cnf", "MARIADB_EXTRA_FLAGS"),
    (r"(.*/)?bitnami/mysql", "/opt/bitnami/mysql/conf/my_custom.cnf", "MYSQL_EXTRA_FLAGS"),
    (r"(.*/)?linuxserver/mariadb", "/config/custom.cnf", ""),
    (r"(.*/)?percona(/percona-server)?", f"/etc/my.cnf.d/{OWN_NAME}", ""),
    (r"(docker\.io/|.*/library/)?(mysql|mariadb)", f"{_USUAL}/{OWN_NAME}", ""),
)
"""Images by their names without tag, the file that each reads, and a variable of its environment
that holds options of the server. Source: the images' own descriptions.
"""


@dataclass(frozen=True, slots=True)
class ContainerPlace:
    """A server's container, and where its image takes settings.

    ``file`` is a path in the container that the server reads, ``known`` whether that was seen there
    or is known of the image. ``variable`` of the environment holds options as well, "" where there
    is none, or it is taken. ``volatile`` means that the data lies in the container's own layer,
    which goes with the container.
    """

    facts: ContainerFacts
    file: str
    known: bool
    variable: str = ""
    volatile: bool = False

    @property
    def is_pod(self) -> bool:
        """Whether Kubernetes runs it."""
        return self.facts.address.engine is ContainerEngine.KUBECTL


def container_place(case: Case) -> ContainerPlace | None:
    """The container of the case's server; None where it was not looked at in one."""
    facts = case.inventory.container
    if facts is None:
        return None
    data = case.inventory.role(Role.DATA)
    volatile = data is not None and facts.mount_of(data.resolved_path or data.path) is None
    image = re.sub(r"(:[^/]*)?(@.*)?$", "", facts.image)
    for name, file, variable in _IMAGES:
        if re.fullmatch(name, image):
            free = "" if variable in facts.environment else variable
            return ContainerPlace(facts, file, known=True, variable=free, volatile=volatile)
    folder = _folder_read(case)
    file = posixpath.join(folder or _USUAL, OWN_NAME)
    return ContainerPlace(facts, file, known=bool(folder), volatile=volatile)


def _folder_read(case: Case) -> str:
    """The folder of option files that the server reads last, "" where it reads none."""
    files = case.inventory.option_files
    read = [] if files is None else [one.path for one in files.files if one.folder]
    return posixpath.dirname(read[-1]) if read else ""
