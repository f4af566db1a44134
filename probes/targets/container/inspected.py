"""What an engine says of a container, read into what Leadline keeps of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from probes.boundary.json_text import decode
from probes.boundary.malformed import Malformed
from probes.targets.address import ContainerAddress, ContainerEngine
from probes.targets.container.facts import ContainerFacts, ContainerMount

LONGEST_BYTES = 4 << 20
"""Of what an engine says of one container."""

_SERVERS = re.compile(r"mysql|mariadb|percona|pxc|database|^db$")
_DEFAULT_CONTAINER = "kubectl.kubernetes.io/default-container"
_QUANTITY = re.compile(r"(\d+(?:\.\d+)?)([a-zA-Z]{0,2})")
_UNITS = {"": 1.0, "m": 1e-3} | {
    f"{'k' if letter == 'K' and not ending else letter}{ending}": float(base**power)
    for base, ending in ((1000, ""), (1024, "i"))
    for power, letter in enumerate("KMGTPE", 1)
}
_MOST = 1 << 60
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")
_LABEL = "app.kubernetes.io/"
_OPERATORS = {
    "percona-xtradb-cluster-operator": "pxc",
    "percona-server-mysql-operator": "ps",
    "percona-server-operator": "ps",
    "mysql-operator": "mysql",
}
"""What manages a pod, by its label, and what Leadline calls the operator."""
_MARIADB, _INNODB_CLUSTER = "k8s.mariadb.com/mariadb", "mysql.oracle.com/cluster"


def read_inspected(address: ContainerAddress, stdout: bytes) -> tuple[str, ContainerFacts]:
    """Read what ``EngineCommands.inspect`` prints; raises Malformed.

    The first is "running", or the engine's word for what the container is instead.
    """
    content = decode(stdout, LONGEST_BYTES)
    if address.engine is ContainerEngine.KUBECTL:
        return _pod(_object(content), address)
    one = content[0] if isinstance(content, list) and content else content
    return _container(_object(one), address)


def _container(content: Mapping[str, Any], address: ContainerAddress) -> tuple[str, ContainerFacts]:
    state, config = _at(content, "State"), _at(content, "Config")
    limits, labels = _at(content, "HostConfig"), _at(config, "Labels")
    cpus = _number(limits, "NanoCpus") / 1e9
    if not cpus and _number(limits, "CpuQuota") > 0:
        cpus = _number(limits, "CpuQuota") / (_number(limits, "CpuPeriod") or 100_000)
    facts = ContainerFacts(
        address,
        image=_text(config, "Image") or _text(content, "ImageName"),
        memory_bytes=int(_number(limits, "Memory")),
        cpus=cpus,
        environment=_names(each for each in _list(config, "Env") if isinstance(each, str)),
        mounts=tuple(
            ContainerMount(_text(each, "Destination"), _text(each, "Type"), _text(each, "Source"))
            for each in map(_object, _list(content, "Mounts"))
        ),
        upper=_text(_at(content, "GraphDriver", "Data"), "UpperDir"),
        project=_word(labels, "com.docker.compose.project"),
        service=_word(labels, "com.docker.compose.service"),
    )
    stands = _text(state, "Status") or ("running" if state.get("Running") else "stopped")
    return stands, facts


def _pod(content: Mapping[str, Any], address: ContainerAddress) -> tuple[str, ContainerFacts]:
    spec, meta, status = (_at(content, name) for name in ("spec", "metadata", "status"))
    chosen = _chosen(spec, _at(meta, "annotations"), address)
    name, limits = _text(chosen, "name"), _at(chosen, "resources", "limits")
    volumes = {_text(each, "name"): each for each in map(_object, _list(spec, "volumes"))}
    operator, cluster = _operator(_at(meta, "labels"), _at(meta, "annotations"))
    owners = [_object(each) for each in _list(meta, "ownerReferences")]
    owner = next((f"{_word(one, 'kind').lower()}/{_word(one, 'name')}" for one in owners), "")
    facts = ContainerFacts(
        replace(address, container=name),
        image=_text(chosen, "image"),
        memory_bytes=int(_quantity(limits.get("memory"))),
        cpus=_quantity(limits.get("cpu")),
        environment=_names(_text(each, "name") for each in map(_object, _list(chosen, "env"))),
        mounts=tuple(
            _mounted(each, volumes.get(_text(each, "name"), {}))
            for each in map(_object, _list(chosen, "volumeMounts"))
        ),
        node=_word(spec, "nodeName"),
        operator=operator,
        cluster=cluster if operator else owner,
    )
    return _pods_state(status, name), facts


def _chosen(
    spec: Mapping[str, Any], annotations: Mapping[str, Any], address: ContainerAddress
) -> Mapping[str, Any]:
    """The pod's container that was named, that the pod names, or that is called like a server."""
    found = {_text(each, "name"): each for each in map(_object, _list(spec, "containers"))}
    wanted = address.container
    if wanted and wanted not in found:
        raise Malformed(f"it has no container {wanted}; it has {', '.join(found)}")
    like = next((name for name in found if _SERVERS.search(name)), "")
    wanted = wanted or _text(annotations, _DEFAULT_CONTAINER) or like
    if not found:
        raise Malformed("it has no containers")
    return found.get(wanted) or next(iter(found.values()))


def _pods_state(status: Mapping[str, Any], container: str) -> str:
    """Say "running" where that container runs; else what it waits for, or the pod's phase."""
    for each in map(_object, _list(status, "containerStatuses")):
        if _text(each, "name") == container:
            state = _at(each, "state")
            if "running" in state:
                return "running"
            reasons = [_text(_at(state, key), "reason") for key in ("waiting", "terminated")]
            return next(filter(None, reasons), "") or "not ready"
    return _text(status, "phase").lower() or "not ready"


def _operator(labels: Mapping[str, Any], annotations: Mapping[str, Any]) -> tuple[str, str]:
    """What manages the pod, and the name of that operator's resource."""
    if mariadb := _word(annotations, _MARIADB):
        return "mariadb", mariadb
    if cluster := _word(labels, _INNODB_CLUSTER):
        return "mysql", cluster
    operator = _OPERATORS.get(_text(labels, f"{_LABEL}managed-by"), "")
    return operator, _word(labels, f"{_LABEL}instance") if operator else ""


def _mounted(mount: Mapping[str, Any], volume: Mapping[str, Any]) -> ContainerMount:
    kind = next((name for name in volume if name != "name"), "")
    about = _at(volume, kind)
    names = (_word(about, key) for key in ("claimName", "name", "secretName"))
    source = next(filter(None, (*names, _text(about, "path"))), "")
    return ContainerMount(_text(mount, "mountPath"), kind, source)


def _quantity(value: object) -> float:
    """A quantity as Kubernetes writes it: ``500m``, ``4Gi``; 0 where it is none."""
    found = _QUANTITY.fullmatch(str(value)) if isinstance(value, str | int) else None
    return float(found[1]) * _UNITS.get(found[2], 0.0) if found else 0.0


def _names(assigned: Iterator[str]) -> tuple[str, ...]:
    """Names of an environment without their values, any of which may be a secret."""
    return tuple(sorted({each.partition("=")[0] for each in assigned}))


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _at(content: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    for name in names:
        content = _object(content.get(name))
    return content


def _list(content: Mapping[str, Any], name: str) -> list[Any]:
    value = content.get(name)
    return value if isinstance(value, list) else []


def _text(content: Mapping[str, Any], name: str) -> str:
    value = content.get(name)
    return value if isinstance(value, str) else ""


def _word(content: Mapping[str, Any], name: str) -> str:
    """A name that may stand in a command; "" for any other: whoever made it wrote the label."""
    value = _text(content, name)
    return value if _WORD.fullmatch(value) else ""


def _number(content: Mapping[str, Any], name: str) -> float:
    """A limit; 0 for none, and for what can't be one."""
    value = content.get(name)
    if not isinstance(value, int | float) or isinstance(value, bool):
        return 0.0
    return float(value) if 0 <= value < _MOST else 0.0
