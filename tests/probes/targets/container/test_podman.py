"""A real container of podman as a target, here and behind SSH."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import TargetError
from probes.inventory.ask import ask, ask_places
from probes.inventory.container import container_answer
from probes.inventory.facts import Inventory, RawInventory, Role
from probes.inventory.read import read
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress, TargetSpec
from probes.targets.connect import open_target
from probes.targets.container.target import ContainerTarget
from probes.targets.local import LocalTarget
from probes.targets.parse import parse_target
from probes.targets.silent import Silent
from tests.servers.containers.podman import (
    CPUS,
    HOSTNAME,
    MEMORY_BYTES,
    Contained,
    contained_by_podman,
    podman,
)
from tests.waiting import HANG_S, wait_until

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root makes name spaces")


@pytest.fixture(scope="module")
def contained() -> Iterator[Contained]:
    with contained_by_podman("leadline-test-targets") as running:
        yield running


def looked_at(contained: Contained, spec: TargetSpec) -> Inventory:
    token, address = CancelToken(), MySQLAddress(socket=contained.server.socket)
    with open_target(spec, Silent(), token) as target:
        assert isinstance(target, ContainerTarget)
        with connect(address, via=target, prompts=Silent(), token=token) as session:
            assert session.over_socket
            asking = ask(target, session, directory="", window_s=1.0, token=token)
            while True:
                try:
                    next(asking)
                except StopIteration as end:
                    raw: RawInventory = end.value
                    break
        return read(replace(raw, answers={**raw.answers, **container_answer(target.facts)}))


def test_the_server_its_limits_and_its_drive_are_seen(contained: Contained) -> None:
    seen = looked_at(contained, parse_target(contained.address))
    assert seen.container is not None
    assert seen.container.memory_bytes == MEMORY_BYTES
    assert seen.container.cpus == CPUS
    assert "MARIADB_ROOT_PASSWORD" in seen.container.environment
    assert seen.host is not None
    assert (seen.host.hostname, seen.host.memory_limit_bytes) == (HOSTNAME, MEMORY_BYTES)
    assert seen.server_process is not None
    assert seen.server_process.cpu_limit == CPUS
    data = seen.role(Role.DATA)
    assert data is not None
    assert data.path.startswith(str(contained.server.directory))
    outside = read(ask_places(LocalTarget(), {Role.DATA: data.path})).role(Role.DATA)
    assert outside is not None
    assert [disk.name for disk in data.disks] == [disk.name for disk in outside.disks]


def test_nothing_is_left_in_the_container(contained: Contained) -> None:
    with open_target(parse_target(contained.address), Silent(), CancelToken()) as target:
        brought = target.agent()
        assert podman("exec", contained.name, "test", "-x", brought).returncode == 0
        with target.stream(["cat"], token=CancelToken()) as stream:
            stream.send(b"line\n")
            assert stream.read_line(HANG_S) == b"line"
    look = ("exec", contained.name, "test", "-e", str(Path(brought).parent))
    assert wait_until(lambda: podman(*look).returncode == 1)


def test_behind_ssh_it_is_the_same_container(contained: Contained, ssh_spec: TargetSpec) -> None:
    assert ssh_spec.ssh is not None
    spec = parse_target(f"podman+ssh://{ssh_spec.ssh.place}/{contained.name}")
    with open_target(spec, Silent(), CancelToken()) as target:
        assert target.name == f"container {contained.name} on {ssh_spec.ssh.place}"
        assert target.run(["cat", "/proc/sys/kernel/hostname"]).stdout.decode().strip() == HOSTNAME
        address = MySQLAddress(socket=contained.server.socket)
        with connect(address, via=target, prompts=Silent(), token=CancelToken()) as session:
            assert session.value("@@hostname") == HOSTNAME


def test_what_is_not_there_and_what_does_not_run(contained: Contained) -> None:
    with (
        pytest.raises(TargetError) as caught,
        open_target(parse_target("podman://leadline-test-none"), Silent(), CancelToken()),
    ):
        pass
    assert caught.value.sentence == ("There is no container leadline-test-none on this computer.")
    assert contained.name in caught.value.advice
    name = "leadline-test-created"
    podman("create", "--runtime", "runc", "--name", name, "--rootfs", "/:O", "true")
    try:
        with (
            pytest.raises(TargetError) as caught,
            open_target(parse_target(f"podman://{name}"), Silent(), CancelToken()),
        ):
            pass
    finally:
        podman("rm", "--force", name)
    assert caught.value.sentence == (
        f"The container {name} on this computer does not run: it is created."
    )
    assert caught.value.advice == f"Start it: podman start {name}."
