"""A plan as a container takes it: a Compose file, a ConfigMap, or an operator's resource."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Iterator

from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.container_place import OWN_NAME, ContainerPlace
from advisor.plan.export import cnf
from advisor.plan.export.comments import commented, headline, joined, plain_line, subject
from advisor.plan.writing import cnf_line, cnf_line_back
from advisor.steps import HostCommand

_OPERATORS = {
    "pxc": ("perconaxtradbcluster", "pxc.configuration"),
    "ps": ("perconaservermysql", "mysql.configuration"),
    "mysql": ("innodbcluster", "mycnf"),
    "mariadb": ("mariadb", "myCnf"),
}
"""The resource of each operator, and its field below ``spec`` that holds an option file.

Sources: Percona Operator for MySQL (PXC and PS), "Changing MySQL Options"; MySQL Operator,
"Manifest Changes for InnoDBCluster"; MariaDB Operator, "Configuration".
"""

_WITHOUT_GROUP = "ps"
"""The operator whose field holds options alone, without a group's name."""

_REPLACED = (
    "The field is replaced as a whole: copy what stands there now below [mysqld] first (`kubectl "
    "get {resource} {name}{space} -o yaml`). The operator then restarts the pods one by one."
)


def operator_field(place: ContainerPlace) -> str:
    """The field of an operator's resource that takes the settings, "" where none manages it."""
    resource, field = _OPERATORS.get(place.facts.operator, ("", ""))
    return f"spec.{field} of {resource} {place.facts.cluster}" if resource else ""


def apply(plan: ChangePlan) -> str:
    """The document; what a file can't do stands in its comments."""
    lines = [
        cnf_line(step.name, step.value, plan.version)
        for _, step in plan.written(Group.ONLINE, Group.RESTART)
    ]
    machine = any(isinstance(action.step, HostCommand) for action in plan.actions)
    host = ("Changes of the machine are made on its host: --shell gives them.",) if machine else ()
    return _document(plan, headline(plan), lines, (*host, *cnf.beside(plan)))


def undo(plan: ChangePlan) -> str:
    """The document with the settings before."""
    lines = [
        cnf_line_back(step.standing, plan.version)
        for _, step in plan.written(Group.ONLINE, Group.RESTART)
    ]
    head = (f"Leadline: back to the settings before, for {subject(plan)}",)
    return _document(plan, head, lines, cnf.put_back(plan))


def _document(
    plan: ChangePlan, head: Iterable[str], options: list[str], beside: Iterable[str]
) -> str:
    place = plan.container
    if place is None or not place.is_pod:
        how, lines = _compose(plan, place, options)
    elif place.facts.operator in _OPERATORS:
        how, lines = _resource(place, options)
    else:
        how, lines = _config_map(place, options)
    return joined([*commented("#", head), *commented("#", how), *lines, *commented("#", beside)])


def _compose(
    plan: ChangePlan, place: ContainerPlace | None, options: list[str]
) -> tuple[list[str], list[str]]:
    """How it is used, and an override for Compose with the file, or with the image's variable."""
    facts = None if place is None else place.facts
    engine = "docker" if facts is None else facts.address.engine.value
    name = "db" if facts is None else facts.service or facts.address.name
    file = f"/etc/mysql/conf.d/{OWN_NAME}" if place is None else place.file
    mount = shlex.quote(f"./{OWN_NAME}:{file}:ro")
    how = [
        f"With Compose: save it as leadline.yml beside the file of the project, then `{engine} "
        f"compose -f compose.yml -f leadline.yml up -d {plain_line(name)}`, which makes the "
        "container again.",
        f"Without it: save what stands below `content` as {OWN_NAME}, and start the container "
        f"again from its image with `-v {mount}`. To undo, leave that out.",
        *_doubts(place),
    ]
    service = f"  {json.dumps(plain_line(name), ensure_ascii=False)}:"
    if place is not None and place.variable and all(map(_is_flag, options)):
        how[1] = (
            f"Without it: start the container again with that variable (`-e {place.variable}`)."
        )
        flags = " ".join(f"--{line.replace(' = ', '=')}" for line in options)
        variable = f"      {place.variable}: {json.dumps(_once(flags))}"
        return how, ["services:", service, "    environment:", variable]
    mounted = ["    configs:", "      - source: leadline", f"        target: {json.dumps(file)}"]
    content = _literal(6, ["[mysqld]", *map(_once, options)])
    config = ["configs:", "  leadline:", "    content: |", *content]
    return how, ["services:", service, *mounted, *config]


def _resource(place: ContainerPlace, options: list[str]) -> tuple[list[str], list[str]]:
    """How it is used, and a patch of the operator's resource."""
    facts = place.facts
    resource, field = _OPERATORS[facts.operator]
    group = [] if facts.operator == _WITHOUT_GROUP else ["[mysqld]"]
    name, space = facts.cluster or "NAME", f" --namespace {facts.address.namespace}"
    how = [
        f"Save it as leadline.yml, then `kubectl patch {resource} {name}{space} --type merge "
        "--patch-file leadline.yml`.",
        _REPLACED.format(resource=resource, name=name, space=space),
        *_doubts(place),
    ]
    lines, depth = ["spec:"], 2
    *above, last = field.split(".")
    for part in above:
        lines.append(f"{' ' * depth}{part}:")
        depth += 2
    return how, [*lines, f"{' ' * depth}{last}: |", *_literal(depth + 2, [*group, *options])]


def _config_map(place: ContainerPlace, options: list[str]) -> tuple[list[str], list[str]]:
    """How it is used, and the ConfigMap that the pod has in that folder, or one of its own."""
    facts = place.facts
    address, space = facts.address, f" --namespace {facts.address.namespace}"
    folder, _, key = place.file.rpartition("/")
    there = next(
        (one for one in facts.mounts if one.kind == "configMap" and one.at.rstrip("/") == folder),
        None,
    )
    content = [f"  {key}: |", *_literal(4, ["[mysqld]", *options])]
    owner = facts.cluster or "statefulset/NAME"
    restart = f"kubectl rollout restart {owner}{space}"
    if there is not None:
        name = plain_line(there.source)
        how = [
            f"Save it as leadline.yml, then `kubectl patch configmap {name}{space} --type merge "
            f"--patch-file leadline.yml` and `{restart}`. To undo, delete the key {key}.",
            *_doubts(place),
        ]
        return how, ["data:", *content]
    name = f"{owner.rpartition('/')[2]}-leadline"
    mount = {"name": "leadline", "mountPath": place.file, "subPath": key}
    spec = {
        "volumes": [{"name": "leadline", "configMap": {"name": name}}],
        "containers": [{"name": address.container, "volumeMounts": [mount]}],
    }
    patch = json.dumps({"spec": {"template": {"spec": spec}}}, separators=(",", ":"))
    how = [
        f"Save it as leadline.yml, then `kubectl apply{space} -f leadline.yml`, and mount it once:",
        *_doubts(place),
    ]
    head = ["apiVersion: v1", "kind: ConfigMap", "metadata:", f"  name: {json.dumps(name)}"]
    mounting = [f"# kubectl patch {owner}{space} --type strategic -p {shlex.quote(patch)}"]
    return how, [*head, "data:", *content, *mounting]


def _doubts(place: ContainerPlace | None) -> Iterator[str]:
    """What has to be looked at first."""
    if place is None or place.facts.operator in _OPERATORS:
        return
    if not place.known:
        yield f"Whether this image reads {place.file} is not known: look at its option files first."
    if place.volatile and not place.is_pod:
        yield (
            "The data lies in the container's own layer, which goes with the container: move it "
            "to a volume before the container is made again."
        )
    if not place.is_pod and not place.facts.project:
        yield "This container was not made by Compose."


def _literal(depth: int, lines: Iterable[str]) -> list[str]:
    """Lines of a block of YAML that is taken as it stands."""
    return [f"{' ' * depth}{line}" for line in lines]


def _once(text: str) -> str:
    """Text that Compose, which fills in variables, leaves as it is."""
    return text.replace("$", "$$")


def _is_flag(line: str) -> bool:
    """Whether a line can be an option among others in one variable."""
    name, equals, value = line.partition(" = ")
    return bool(equals) and name.isidentifier() and not set(value) & set(" \t\"'\\#")
