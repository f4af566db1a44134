"""What docker, podman and kubectl say of a container, as Leadline keeps it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probes.boundary.malformed import Malformed
from probes.targets.address import ContainerAddress, ContainerEngine
from probes.targets.container.facts import ContainerFacts, ContainerMount
from probes.targets.container.inspected import read_inspected
from tests.servers.containers.kubectl import pod

DB = ContainerAddress(ContainerEngine.DOCKER, "db")
POD = ContainerAddress(ContainerEngine.KUBECTL, "db-0", "prod")
DOCKER: dict[str, Any] = {
    "State": {"Status": "running", "Running": True},
    "Config": {
        "Image": "mysql:8.4",
        "Env": ["MYSQL_ROOT_PASSWORD=s3cret", "PATH=/bin"],
        "Labels": {"com.docker.compose.project": "shop", "com.docker.compose.service": "sql"},
    },
    "HostConfig": {"Memory": 2 << 30, "NanoCpus": 0, "CpuQuota": 150_000, "CpuPeriod": 100_000},
    "Mounts": [
        {"Type": "volume", "Source": "/var/lib/docker/volumes/a/_data", "Destination": "/v"},
        {"Type": "bind", "Source": "/srv/mysql", "Destination": "/var/lib/mysql"},
    ],
    "GraphDriver": {"Data": {"UpperDir": "/var/lib/docker/overlay2/x/diff"}},
}


def read(address: ContainerAddress, content: object) -> tuple[str, ContainerFacts]:
    return read_inspected(address, json.dumps(content).encode())


def test_a_container_of_docker() -> None:
    state, facts = read(DB, [DOCKER])
    assert state == "running"
    assert (facts.image, facts.memory_bytes, facts.cpus) == ("mysql:8.4", 2 << 30, 1.5)
    assert (facts.project, facts.service) == ("shop", "sql")
    assert facts.upper == "/var/lib/docker/overlay2/x/diff"
    assert facts.mount_of("/var/lib/mysql/undo") == ContainerMount(
        "/var/lib/mysql", "bind", "/srv/mysql"
    )
    assert facts.mount_of("/var/lib/mysql-files") is None


def test_no_value_of_the_environment_is_kept() -> None:
    _, facts = read(DB, [DOCKER])
    assert facts.environment == ("MYSQL_ROOT_PASSWORD", "PATH")
    assert "s3cret" not in repr(facts)


def test_a_pod_by_the_container_that_is_called_like_a_server() -> None:
    state, facts = read(POD, pod())
    assert state == "running"
    assert facts.address == ContainerAddress(ContainerEngine.KUBECTL, "db-0", "prod", "mariadb")
    assert (facts.memory_bytes, facts.cpus, facts.node) == (4 << 30, 1.5, "node-7")
    assert (facts.operator, facts.cluster) == ("", "statefulset/db")
    assert facts.mount_of("/var/lib/mysql") == ContainerMount(
        "/var/lib/mysql", "persistentVolumeClaim", "data-db-0"
    )


def test_a_pod_may_name_its_container() -> None:
    annotated = pod(
        metadata={"annotations": {"kubectl.kubernetes.io/default-container": "metrics"}}
    )
    assert read(POD, annotated)[1].image == "exporter:1"
    with pytest.raises(Malformed, match="no container nope; it has metrics, mariadb"):
        read(ContainerAddress(ContainerEngine.KUBECTL, "db-0", "prod", "nope"), pod())


@pytest.mark.parametrize(
    ("metadata", "operator"),
    [
        (
            {
                "labels": {
                    "app.kubernetes.io/managed-by": "percona-xtradb-cluster-operator",
                    "app.kubernetes.io/instance": "shop",
                }
            },
            "pxc",
        ),
        (
            {
                "labels": {
                    "app.kubernetes.io/managed-by": "percona-server-mysql-operator",
                    "app.kubernetes.io/instance": "shop",
                }
            },
            "ps",
        ),
        ({"labels": {"mysql.oracle.com/cluster": "shop"}}, "mysql"),
        ({"annotations": {"k8s.mariadb.com/mariadb": "shop"}}, "mariadb"),
    ],
)
def test_who_manages_a_pod(metadata: dict[str, Any], operator: str) -> None:
    _, facts = read(POD, pod(metadata=metadata))
    assert (facts.operator, facts.cluster) == (operator, "shop")


@pytest.mark.parametrize(
    ("quantity", "size"),
    [("4Gi", 4 << 30), ("4G", 4 * 10**9), ("512000k", 512 * 10**6), ("1073741824", 1 << 30)],
)
def test_quantities(quantity: str, size: int) -> None:
    made = pod()
    made["spec"]["containers"][1]["resources"]["limits"]["memory"] = quantity
    assert read(POD, made)[1].memory_bytes == size


@pytest.mark.parametrize(
    ("status", "state"),
    [
        ({"phase": "Pending"}, "pending"),
        (
            {
                "phase": "Running",
                "containerStatuses": [
                    {"name": "mariadb", "state": {"waiting": {"reason": "CrashLoopBackOff"}}}
                ],
            },
            "CrashLoopBackOff",
        ),
    ],
)
def test_a_pod_that_does_not_run(status: dict[str, Any], state: str) -> None:
    assert read(POD, pod(status=status))[0] == state


def test_a_name_that_a_shell_could_obey_is_none() -> None:
    labels = {
        "app.kubernetes.io/managed-by": "percona-xtradb-cluster-operator",
        "app.kubernetes.io/instance": "shop; rm -rf $HOME",
    }
    assert read(POD, pod(metadata={"labels": labels}))[1].cluster == ""


@pytest.mark.parametrize("content", ["x", [], {}, [[1]], {"State": 3, "Mounts": {"a": 1}}])
def test_nonsense_is_no_running_container(content: object) -> None:
    assert read(DB, content)[0] != "running"
