"""Foreign words in each language that a plan writes: said as they are, or not at all."""

from __future__ import annotations

import json
import re
import shlex

import pytest

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export import managed, rds
from advisor.plan.planning import make_plan
from advisor.report.forms.plan_formats import FORMATS
from advisor.rulekit.host_change import device_setting, queue_setting
from advisor.steps import HostCommand, Needs, Procedure
from probes.inventory.facts import Disk
from probes.inventory.machine.answer import MachineAnswer
from probes.inventory.machine.layers import read_stack
from tests.plan.builders import MYSQL80, advice, case_of, setting

RULE = re.compile(
    r'ACTION=="add\|change", SUBSYSTEM=="block", (ENV\{DM_NAME\}|KERNEL)=="([A-Za-z0-9_.:@+-]+)", '
    r'ATTR\{(queue|device)/[a-z_]+\}="[a-z0-9 ]+"'
)
NAMED = ["vg0-data", "mpath:a", "luks@home", "data+1", "3600508b1001c4d8e.part_1"]
UNNAMED = [
    "data\", RUN+=\"/bin/sh -c 'touch /tmp/x'",
    'x" GOTO="end',
    "data*",
    "vg0-[a-z]",
    "vg?-data",
    "a|b",
    "my\\x20vol",
    "a b",
    "$kernel",
    "%k",
    "data\nRUN+=x",
    "dätä",
    "",
]


def kept(name: str, mapped: str) -> list[str]:
    change = queue_setting((Disk(name),), "read_ahead_kb", ("0",), "128", mapped=mapped)
    return [step.keep_line for step in change.steps if isinstance(step, HostCommand)]


@pytest.mark.parametrize("name", NAMED)
def test_a_volume_s_name_stands_in_its_rule(name: str) -> None:
    (line,) = kept("dm-0", name)
    rule = RULE.fullmatch(line)
    assert rule is not None
    assert rule.groups() == ("ENV{DM_NAME}", name, "queue")


@pytest.mark.parametrize("name", UNNAMED[:-1])
def test_a_name_that_would_be_more_than_a_name_gets_no_rule(name: str) -> None:
    for change in (
        queue_setting((Disk("dm-0"),), "read_ahead_kb", ("0",), "128", mapped=name),
        queue_setting((Disk(name),), "scheduler", ("bfq",), "none"),
        device_setting((Disk(name),), "Say {disk}", "device/queue_depth", "1", "32"),
    ):
        command, by_hand = change.steps
        assert isinstance(command, HostCommand)
        assert (command.keep_file, command.keep_line) == ("", "")
        assert isinstance(by_hand, Procedure)
        assert "No udev rule is given" in by_hand.steps[0]
        words = shlex.split(command.run)
        assert words[0] == "echo"
        assert words[2] == ">"
        assert len(words) == 4


@pytest.mark.parametrize("name", UNNAMED[:-2])
@pytest.mark.parametrize("word", ["dm/name", "name"])
def test_names_are_held_where_they_are_read(name: str, word: str) -> None:
    files = {"queue/read_ahead_kb": "0", "dm/uuid": "LVM-x" if word == "dm/name" else ""}
    told = {"name": "dm-0", "files": files}
    if word == "name":
        told["name"] = name
    else:
        files["dm/name"] = name
    block = MachineAnswer.parse(json.dumps({"block": {"253:0": told}})).block
    stack = read_stack(("253:0",), block)
    said = stack.layers[0].name if stack.layers else stack.disks[0].name
    assert re.fullmatch(r"[A-Za-z0-9_.!:@+?-]+", said)
    # The sign for a letter that was refused is a wildcard in a rule: no rule is given for it.
    lines = kept("dm-0", said) if word == "dm/name" else kept(said, "")
    assert lines == [""]


def planned(name: str, now: str, value: str, version: str = MYSQL80) -> ChangePlan:
    step = setting(name, now, value, Needs.RESTART)
    return make_plan(case_of(version, {name: now}), [advice("a.b", step)])


@pytest.mark.parametrize(
    ("name", "now", "value"),
    [
        ("innodb_adaptive_flushing", "ON~general_log=on", "OFF"),
        ("innodb_adaptive_flushing", "@/etc/passwd", "OFF"),
        ("innodb_io_capacity", "200~general_log=on", "1000"),
        ("innodb_io_capacity", "1e400", "1000"),
        ("innodb_io_capacity", "zz", "1000"),
        ("innodb_io_capacity", "@/etc/passwd", "1000"),
        ("innodb_buffer_pool_size", "{DBInstanceClassMemory*3/4}", "1073741824"),
        ("innodb_change_buffering", "all~general_log=on", "none"),
        ("innodb_change_buffering", "@x", "none"),
        ("binlog_format", "ROW --help", "MIXED"),
    ],
)
def test_an_old_value_of_another_type_has_no_way_back(name: str, now: str, value: str) -> None:
    made = planned(name, now, value)
    assert made.actions == ()
    assert "no way back" in made.left_out[0].because


@pytest.mark.parametrize(
    ("name", "now", "value"),
    [
        ("innodb_adaptive_flushing", "ON", "OFF"),
        ("innodb_max_dirty_pages_pct", "90.000000", "75"),
        ("innodb_change_buffering", "all", "none"),
        ("thread_handling", "one-thread-per-connection", "no-threads"),
        ("tmpdir", "/tmp dir~1", "/fast"),
    ],
)
def test_what_servers_show_is_taken(name: str, now: str, value: str) -> None:
    assert planned(name, now, value).actions


@pytest.mark.parametrize(
    ("now", "unsaid"),
    [
        ("/tmp~general_log=on", {"gcloud"}),
        ("@/etc/passwd", {"gcloud", "az"}),
        ("--help", {"gcloud", "az"}),
        ("{EndPointPort}", {"aws"}),
        ("/tmp", set()),
    ],
)
def test_a_text_is_left_out_of_the_form_that_cannot_say_it(now: str, unsaid: set[str]) -> None:
    made = planned("tmpdir", now, "/fast")
    for program, text, value in (
        ("gcloud", managed.undo_google(made), f"tmpdir={now}"),
        ("az", managed.undo_azure(made), f"--value {shlex.quote(now)}"),
        ("aws", rds.undo(made), f'"ParameterValue": "{now}"'),
    ):
        assert ("tmpdir: not here, because its value " in text) is (program in unsaid)
        assert (value in text) is (program not in unsaid)


@pytest.mark.parametrize("word", ["a\u202eb", "a\u2028b", "a\x1b[2J", "a\nb"])
def test_no_form_holds_what_cannot_be_shown(word: str) -> None:
    made = make_plan(
        case_of(MYSQL80, {"tmpdir": "/tmp"}),
        [
            advice("a.b", setting("tmpdir", "/tmp", word)),
            advice("a.c", setting("tmpdir", word, "/fast")),
            advice(f"x.{word}", setting("innodb_nothing", "1", "2")),
        ],
    )
    for form in FORMATS.values():
        for text in (form.apply(made), form.undo(made)):
            assert all(letter == "\n" or letter.isprintable() for letter in text)
