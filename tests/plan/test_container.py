"""A plan as a container takes it: read back as YAML, line by line."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import Any

import pytest
import yaml

from advisor.case import Case
from advisor.plan.change_plan import Action, ChangePlan, Group
from advisor.plan.container_place import container_place
from advisor.plan.export.formats import FOR_PROGRAMS
from advisor.plan.planning import make_plan
from advisor.report.forms.plan_formats import FORMATS
from advisor.steps import Needs
from advisor.wording.advice.plan import contained
from probes.inventory.option_files import OptionFile, OptionFiles
from probes.targets.address import ContainerAddress, ContainerEngine
from probes.targets.container.facts import ContainerFacts, ContainerMount
from tests.plan.builders import MARIADB, advice, case_of, command, setting

FORM = FOR_PROGRAMS["container"]
DOCKER = ContainerAddress(ContainerEngine.DOCKER, "db")
POD = ContainerAddress(ContainerEngine.KUBECTL, "shop-0", "prod", "server")
SETTINGS = {"innodb_buffer_pool_size": "134217728", "innodb_io_capacity": "200"}


def case_in(facts: ContainerFacts, *folders: str) -> Case:
    """A server in that container, which reads a file of each of these folders."""
    case = case_of(MARIADB, SETTINGS)
    files = tuple(OptionFile(f"{folder}/50-server.cnf", folder=True) for folder in folders)
    inventory = replace(case.inventory, container=facts, option_files=OptionFiles(files))
    return replace(case, inventory=inventory)


def plan_in(facts: ContainerFacts, *folders: str) -> ChangePlan:
    pool = setting("innodb_buffer_pool_size", "134217728", "1073741824", Needs.RESTART)
    pages = setting("innodb_io_capacity", "200", "1000")
    chosen = [advice("a.pool", pool), advice("b.pages", pages)]
    return make_plan(case_in(facts, *folders), chosen)


def options(text: str) -> list[str]:
    """What an option file says, sorted."""
    return sorted(text.strip().splitlines())


LINES = ["[mysqld]", "innodb_buffer_pool_size = 1073741824", "innodb_io_capacity = 1000"]


def test_compose_mounts_a_file_where_the_server_reads_last() -> None:
    facts = ContainerFacts(DOCKER, "registry.example/our-mariadb:3", project="shop", service="sql")
    plan = plan_in(facts, "/etc/mysql/conf.d", "/etc/mysql/mariadb.conf.d")
    text = FORM.apply(plan)
    content = yaml.safe_load(text)
    (mounted,) = content["services"]["sql"]["configs"]
    assert mounted["target"] == "/etc/mysql/mariadb.conf.d/zz-leadline.cnf"
    assert options(content["configs"][mounted["source"]]["content"]) == LINES
    assert "not known" not in text
    assert "docker compose -f compose.yml -f leadline.yml up -d sql" in text


def test_an_image_that_shows_no_folder_is_doubted() -> None:
    text = FORM.apply(plan_in(ContainerFacts(DOCKER, "our-own:3")))
    assert "Whether this image reads /etc/mysql/conf.d/zz-leadline.cnf is not known" in text


@pytest.mark.parametrize(
    ("image", "file"),
    [
        ("mariadb:11.4", "/etc/mysql/conf.d/zz-leadline.cnf"),
        ("docker.io/library/mysql@sha256:ab", "/etc/mysql/conf.d/zz-leadline.cnf"),
        ("localhost:5000/percona/percona-server:8.0", "/etc/my.cnf.d/zz-leadline.cnf"),
        ("lscr.io/linuxserver/mariadb", "/config/custom.cnf"),
    ],
)
def test_known_images(image: str, file: str) -> None:
    place = container_place(case_in(ContainerFacts(DOCKER, image)))
    assert place is not None
    assert (place.file, place.known) == (file, True)


def test_bitnami_takes_its_environment_unless_that_is_in_use() -> None:
    facts = ContainerFacts(DOCKER, "bitnami/mariadb:11")
    content = yaml.safe_load(FORM.apply(plan_in(facts)))
    flags = content["services"]["db"]["environment"]["MARIADB_EXTRA_FLAGS"]
    assert sorted(flags.split()) == [
        "--innodb_buffer_pool_size=1073741824",
        "--innodb_io_capacity=1000",
    ]
    taken = replace(facts, environment=("MARIADB_EXTRA_FLAGS",))
    (mounted,) = yaml.safe_load(FORM.apply(plan_in(taken)))["services"]["db"]["configs"]
    assert mounted["target"] == "/opt/bitnami/mariadb/conf/my_custom.cnf"


def test_what_compose_would_fill_in_stays_as_it_is() -> None:
    step = setting("innodb_tmpdir", "", "/srv/$HOME", Needs.RESTART)
    plan = ChangePlan("db", actions=(Action(Group.RESTART, step, ("a.b",)),))
    content = yaml.safe_load(FORM.apply(plan))["configs"]["leadline"]["content"]
    assert "$$HOME" in content
    assert "$HOME" not in content.replace("$$", "")


@pytest.mark.parametrize(
    ("operator", "resource", "path", "group"),
    [
        ("pxc", "perconaxtradbcluster", ("pxc", "configuration"), True),
        ("ps", "perconaservermysql", ("mysql", "configuration"), False),
        ("mariadb", "mariadb", ("myCnf",), True),
        ("mysql", "innodbcluster", ("mycnf",), True),
    ],
)
def test_an_operator_takes_a_patch(
    operator: str, resource: str, path: tuple[str, ...], group: bool
) -> None:
    plan = plan_in(ContainerFacts(POD, "x", operator=operator, cluster="shop"))
    text = FORM.apply(plan)
    content: Any = yaml.safe_load(text)["spec"]
    for name in path:
        content = content[name]
    assert options(content) == LINES[not group :]
    assert f"kubectl patch {resource} shop --namespace prod --type merge" in text
    assert "replaced as a whole" in text
    assert f"spec.{'.'.join(path)} of {resource} shop" in contained(plan)


def test_a_pod_has_a_key_more_in_its_config_map() -> None:
    mounts = (ContainerMount("/etc/mysql/conf.d", "configMap", "shop-settings"),)
    plan = plan_in(ContainerFacts(POD, "mariadb:11", mounts=mounts, cluster="statefulset/shop"))
    text = FORM.apply(plan)
    (key,) = yaml.safe_load(text)["data"]
    assert key == "zz-leadline.cnf"
    assert options(yaml.safe_load(text)["data"][key]) == LINES
    assert "kubectl patch configmap shop-settings --namespace prod" in text
    assert "kubectl rollout restart statefulset/shop --namespace prod" in text


def test_a_pod_without_one_gets_a_config_map_and_the_patch_that_mounts_it() -> None:
    text = FORM.apply(plan_in(ContainerFacts(POD, "mariadb:11", cluster="statefulset/shop")))
    content = yaml.safe_load(text)
    assert (content["kind"], content["metadata"]["name"]) == ("ConfigMap", "shop-leadline")
    found = re.search(r"kubectl patch statefulset/shop .* -p '(.*)'", text)
    assert found is not None
    spec = json.loads(found[1])["spec"]["template"]["spec"]
    assert spec["volumes"][0]["configMap"]["name"] == "shop-leadline"
    (mount,) = spec["containers"][0]["volumeMounts"]
    assert spec["containers"][0]["name"] == "server"
    assert mount["mountPath"] == "/etc/mysql/conf.d/zz-leadline.cnf"
    assert mount["subPath"] in content["data"]


@pytest.mark.parametrize("address", [DOCKER, POD])
def test_the_way_back_states_the_values_before(address: ContainerAddress) -> None:
    text = FORM.undo(plan_in(ContainerFacts(address, "mariadb:11", cluster="statefulset/shop")))
    assert "innodb_io_capacity = 200" in text
    assert "1073741824" not in text
    assert yaml.safe_load(text)


def test_the_plan_says_where_its_lines_go_and_what_is_lost() -> None:
    plan = plan_in(ContainerFacts(DOCKER, "mariadb:11.4"))
    steps = FORMATS["md"].apply(plan)
    assert "The server runs in a container of docker (image mariadb:11.4)" in steps
    assert "mounted at /etc/mysql/conf.d/zz-leadline.cnf" in steps
    assert contained(make_plan(case_of(MARIADB, SETTINGS), [])) == ""


def test_changes_of_the_machine_are_not_made_in_the_container() -> None:
    case = case_in(ContainerFacts(DOCKER, "mariadb:11"))
    text = FORM.apply(make_plan(case, [advice("a.b", command())]))
    assert "Changes of the machine are made on its host" in text
