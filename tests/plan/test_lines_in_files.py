"""Lines that are taken out of option files: the right ones, by file and number, and put back."""

from __future__ import annotations

import re

import pytest
import yaml

from advisor.plan.change_plan import ChangePlan
from advisor.plan.checks import UNREADABLE
from advisor.plan.export import ansible
from advisor.plan.planning import make_plan
from advisor.plan.step_texts import step_texts
from advisor.report.forms.plan_formats import FORMATS
from advisor.steps import RemoveLine
from advisor.wording.advice.plan import what
from probes.redaction import HIDDEN
from tests.plan.builders import MYSQL80, advice, case_of
from tests.rules.casework import build

FILE = "/etc/mysql/my.cnf"
LINE = RemoveLine(
    "innodb_io_capacity", "200", FILE, 12, "loose-innodb-io_capacity  = '200'", "mysqld-8.0"
)
CONTENT = """\
[mysqld]
innodb_io_capacity = 300
[mysqld-8.0]
	loose-innodb-io_capacity	=	'200' # as it was
# loose-innodb-io_capacity  = '200'
innodb_io_capacity = 400
"""


def plan(step: RemoveLine = LINE) -> ChangePlan:
    return make_plan(case_of(MYSQL80, {}), [advice("lines.twice", step)])


@pytest.mark.parametrize("name", ["sql", "cnf", "shell", "md"])
def test_each_form_names_file_number_and_line(name: str) -> None:
    text = FORMATS[name].apply(plan()).replace("`", "")
    assert f"{FILE}, line 12" in text
    assert LINE.text in text


@pytest.mark.parametrize("name", ["sql", "cnf", "md"])
def test_the_way_back_names_them_too(name: str) -> None:
    text = FORMATS[name].undo(plan()).replace("`", "")
    assert f"{FILE}, line 12" in text
    assert LINE.text in text


def changed(play: str, content: str) -> str:
    """What ``lineinfile`` makes of a file: it goes by Python's expressions, line by line."""
    (task,) = [each for each in yaml.safe_load(play)[0]["tasks"] if LINE.name in each["name"]]
    wanted = task["ansible.builtin.lineinfile"]
    found, below = re.compile(wanted["regexp"]), re.compile(wanted.get("insertafter", "$^"))
    lines = content.splitlines()
    if wanted["state"] == "absent":
        return "\n".join(line for line in lines if not found.search(line)) + "\n"
    place = max(number for number, line in enumerate(lines) if below.search(line))
    return "\n".join([*lines[: place + 1], wanted["line"], *lines[place + 1 :]]) + "\n"


def test_the_play_takes_out_this_line_alone_and_puts_it_back_below_its_group() -> None:
    out = changed(ansible.apply(plan()), CONTENT)
    assert "'200' # as it was" not in out
    assert out.count("innodb_io_capacity") == 2
    assert out.count("# loose-innodb-io_capacity") == 1
    back = changed(ansible.undo(plan()), out)
    assert f"[mysqld-8.0]\n{LINE.text}\n" in back


def test_a_file_that_was_not_read_is_searched_for_the_name() -> None:
    plain = plan(RemoveLine("innodb_io_capacity", "200", FILE))
    assert changed(ansible.apply(plain), CONTENT).count("capacity") == 1


def test_people_are_told_the_place() -> None:
    (action,) = plan().actions
    assert what(action) == f"Delete {LINE.text} from {FILE}, line 12"
    told = step_texts([LINE], None).apply.cnf
    assert told == f"# take out of {FILE}, line 12: {LINE.line}"


@pytest.mark.parametrize("text", [f"tmpdir = {UNREADABLE}[2J", "tmpdir = \x1b[2J"])
def test_a_line_that_cannot_be_shown_is_not_planned(text: str) -> None:
    made = plan(RemoveLine("tmpdir", "x", FILE, 3, text))
    assert made.actions == ()
    assert "can't be written safely" in made.left_out[0].because


def test_a_hostile_line_breaks_out_of_no_form() -> None:
    text = "innodb_io_capacity = `</code>{{ lookup('pipe','id') }}<script>\"'$(id) */ ```"
    made = plan(RemoveLine("innodb_io_capacity", "1", FILE, 3, text, "mysqld"))
    assert made.actions
    for name, form in FORMATS.items():
        for said in (form.apply(made), form.undo(made)):
            for line in said.splitlines():
                if text in line and name in {"sql", "cnf", "shell"}:
                    assert line.startswith(("#", "--"))
    task = yaml.load(ansible.undo(made), _Unsafe)[0]["tasks"][1]
    assert task["ansible.builtin.lineinfile"]["line"] == ("unsafe", text)


@pytest.mark.parametrize(
    ("file", "text"),
    [
        ("/etc/crontab", "* * * * * root touch /tmp/x"),
        ("/etc/passwd", "root:x:0:0:root:/root:/bin/bash"),
        ("/etc/sudoers.d/a.cnf", "nobody ALL=(ALL) NOPASSWD: ALL"),
        (FILE, "innodb_io_capacity_max = 4000"),
        (FILE, "# innodb_io_capacity = 200"),
        (FILE, "[innodb_io_capacity]"),
        (FILE, "maximum-innodb_io_capacity = 200"),
    ],
)
def test_a_line_that_does_not_say_its_option_stays(file: str, text: str) -> None:
    made = plan(RemoveLine("innodb_io_capacity", "200", file, 7, text, "mysqld"))
    assert made.actions == ()
    assert "does not set innodb_io_capacity" in made.left_out[0].because
    for form in FORMATS.values():
        assert f"\n{text}" not in form.undo(made)


@pytest.mark.parametrize(
    "text",
    [
        "innodb_io_capacity = 200",
        "innodb-io-capacity=200",
        "loose_innodb_io_capacity = 200",
        "skip-innodb_io_capacity",
        "  innodb_io_capacity",
    ],
)
def test_each_spelling_says_it(text: str) -> None:
    assert plan(RemoveLine("innodb_io_capacity", "200", FILE, 7, text, "mysqld")).actions


@pytest.mark.parametrize("file", ["/etc/crontab", "/etc/passwd", "/root/.bashrc", "/etc/my.cnf.d"])
def test_a_file_that_nobody_called_an_option_file_stays_as_it_is(file: str) -> None:
    text = "innodb_io_capacity = 200"
    made = plan(RemoveLine("innodb_io_capacity", "200", file, 7, text, "mysqld"))
    assert made.actions == ()
    assert file in made.left_out[0].because
    told = {"version": MYSQL80, "variables": {}, "options": [f"{file}:7 {text}"]}
    step = RemoveLine("innodb_io_capacity", "200", file, 7, text, "mysqld")
    assert make_plan(build(told), [advice("lines.twice", step)]).actions, "the server reads it"


def test_the_play_names_the_file_in_the_title() -> None:
    for play in (ansible.apply(plan()), ansible.undo(plan())):
        names = [task["name"] for task in yaml.safe_load(play)[0]["tasks"][:-1]]
        assert all(FILE in name for name in names)
        assert f"{FILE}, line 12" in names[-1]


def test_a_hidden_line_is_not_looked_for_by_what_stands_in_its_place() -> None:
    text = f"innodb_io_capacity = {HIDDEN}"
    made = plan(RemoveLine("innodb_io_capacity", "200", FILE, 7, text, "mysqld"))
    assert made.actions
    for play in (ansible.apply(made), ansible.undo(made)):
        assert FILE not in str(yaml.safe_load(play)[0]["tasks"])


class _Unsafe(yaml.SafeLoader):
    """Knows Ansible's mark for text that nothing fills in."""


_Unsafe.add_constructor("!unsafe", lambda _, node: ("unsafe", node.value))
