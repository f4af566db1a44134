"""Ansible itself runs a plan's plays, there and back, and AWS's model takes its parameters."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export import ansible, rds
from advisor.plan.planning import make_plan
from advisor.steps import RemoveLine
from tests.plan.builders import MARIADB, MYSQL80, advice, case_of, command, setting
from tests.plan.export.test_exports import NOW, hostile_plan, resized, whole_plan
from tests.servers.eleven import ALL
from tests.waiting import HANG_S

pytestmark = pytest.mark.skipif(
    not os.environ.get(ALL), reason="make test-all installs these tools, and takes the time"
)

MODULES = {
    "mysql_query": """
        "query": {"type": "raw", "required": True},
        "positional_args": {"type": "list", "elements": "raw"},
        "named_args": {"type": "dict"},
        "login_db": {"type": "str"},
        "single_transaction": {"type": "bool", "default": False},
""",
    "mysql_variables": """
        "variable": {"type": "str"},
        "value": {"type": "str"},
        "mode": {"type": "str", "choices": ["global", "persist", "persist_only"]},
""",
}
"""What community.mysql's modules take, as documented; the collection is on no package index."""

MODULE = """#!/usr/bin/python
import json, os
from ansible.module_utils.basic import AnsibleModule

module = AnsibleModule(argument_spec={{
        "login_unix_socket": {{"type": "str"}},
{arguments}
}})
asked = os.environ["LEADLINE_ASKED"]
before = open(asked).read() if os.path.exists(asked) else ""
with open(asked, "a") as file:
    file.write(json.dumps(module.params) + "\\n")
first = "resize_status" not in before
said = "Resizing buffer pool from 1 to 2." if first else "Completed resizing buffer pool."
module.exit_json(changed=True, query_result=[[{{"Value": said}}]])
"""


@pytest.fixture
def collections(tmp_path: Path) -> Path:
    """Ansible's way to community.mysql's modules, which write down what they are told."""
    folder = tmp_path / "collections/ansible_collections/community/mysql/plugins/modules"
    folder.mkdir(parents=True)
    for name, arguments in MODULES.items():
        (folder / f"{name}.py").write_text(MODULE.format(arguments=arguments))
    return tmp_path / "collections"


def played(play: str, collections: Path, *options: str) -> str:
    """Give a play to ansible-playbook for this machine alone; returns what it says."""
    folder = collections.parent
    (folder / "play.yml").write_text(play, encoding="utf-8")
    done = subprocess.run(
        [
            str(Path(sys.executable).with_name("ansible-playbook")),
            *("-i", "localhost,", "-c", "local", "-e", "leadline_hosts=all"),
            *("-e", "ansible_become=false", "-e", f"ansible_python_interpreter={sys.executable}"),
            *("-e", f"leadline_option_file={folder}/zz-leadline.cnf"),
            *options,
            str(folder / "play.yml"),
        ],
        env={
            **os.environ,
            "HOME": str(folder),
            "ANSIBLE_HOME": str(folder / "ansible"),
            "ANSIBLE_COLLECTIONS_PATH": str(collections),
            "ANSIBLE_NOCOLOR": "1",
            "LC_ALL": "C.UTF-8",
            "LEADLINE_ASKED": str(folder / "asked"),
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=HANG_S,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "plan",
    [whole_plan(), whole_plan(MARIADB), resized(MYSQL80), hostile_plan()],
    ids=["mysql", "mariadb", "resize", "hostile"],
)
def test_ansible_knows_every_task(plan: ChangePlan, collections: Path) -> None:
    for play in (ansible.apply(plan), ansible.undo(plan)):
        assert "playbook: " in played(play, collections, "--syntax-check")


def test_a_play_changes_the_machine_and_takes_it_back(collections: Path) -> None:
    folder = collections.parent
    cnf, kept = folder / "my.cnf", folder / "keep.conf"
    cnf.write_text("[mysqld]\ninnodb-checksums=ON\nport = 3306\n")
    kept.write_text("other = 1\n")
    state = folder / "state"
    state.write_text("before\n")
    chosen = [
        advice(
            "a.host",
            replace(
                command(keep=(str(kept), "state = {{ after }}")),
                run=f"echo after >{state}",
                undo=f"echo before >{state}",
            ),
        ),
        advice("b.line", RemoveLine("innodb_checksums", "ON", str(cnf))),
        advice("c.pool", setting("innodb_buffer_pool_size", "134217728", "268435456")),
    ]
    now = NOW | {"innodb_buffer_pool_size": "134217728"}
    plan = make_plan(case_of(MYSQL80, now), chosen)
    assert not plan.left_out

    played(ansible.apply(plan), collections)
    assert state.read_text() == "after\n"
    assert kept.read_text() == "other = 1\nstate = {{ after }}\n"
    assert "checksums" not in cnf.read_text()
    assert "innodb_buffer_pool_size = 268435456" in (folder / "zz-leadline.cnf").read_text()
    again = played(ansible.apply(plan), collections)
    assert "failed=0" in again

    played(ansible.undo(plan), collections)
    assert state.read_text() == "before\n"
    assert kept.read_text() == "other = 1\n"
    assert "innodb_checksums = ON" in cnf.read_text()
    assert not (folder / "zz-leadline.cnf").exists()
    asked = [json.loads(line) for line in (folder / "asked").read_text().splitlines()]
    values = [one["value"] for one in asked if "variable" in one]
    assert values == ["268435456", "268435456", "134217728"]
    waits = [one for one in asked if "resize_status" in one.get("query", "")]
    assert len(waits) == 5, "it asked again while the pool was being resized, and before going back"


@pytest.mark.parametrize("vendor", ["", "Aurora"])
def test_aws_takes_every_input(vendor: str) -> None:
    """The names of the document's parts, their types and words, as AWS's own client has them."""
    validator = import_module("botocore.validate").ParamValidator()
    model = import_module("botocore.session").get_session().get_service_model("rds")
    calls = {
        "modify-db-parameter-group": "ModifyDBParameterGroup",
        "modify-db-cluster-parameter-group": "ModifyDBClusterParameterGroup",
    }
    for write in (rds.apply, rds.undo):
        document = json.loads(write(of_vendor(vendor)))
        (call,) = (name for name in calls if f" {name} " in document["how"])
        assert ("cluster" in call) == (vendor == "Aurora")
        shape = model.operation_model(calls[call]).input_shape
        assert document["inputs"]
        for given in document["inputs"]:
            report = validator.validate(given, shape)
            assert not report.has_errors(), report.generate_report()
            assert words_of(shape, given)


def of_vendor(vendor: str) -> ChangePlan:
    """A plan with more parameters than one call takes, of both ways to apply them."""
    now = NOW | {f"sort_{number}": "1" for number in range(30)}
    chosen = [advice(f"a.{name}", setting(name, "1", "2")) for name in now if name not in NOW]
    chosen += [advice("b.tmpdir", setting("tmpdir", "/tmp", "/fast"))]
    plan = make_plan(case_of(MYSQL80, now), chosen)
    assert plan.version is not None
    return replace(plan, version=replace(plan.version, vendor=vendor))


def words_of(shape: Any, given: dict[str, Any]) -> bool:
    """Whether each word is one of AWS's: the validator looks at types alone."""
    parameter = shape.members["Parameters"].member
    allowed = set(parameter.members["ApplyMethod"].enum)
    return {one["ApplyMethod"] for one in given["Parameters"]} <= allowed
