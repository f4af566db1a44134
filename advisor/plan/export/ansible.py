"""A plan as an Ansible play: the machine, the option file, the running server, the restart."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import yaml

from advisor.plan import relations
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.export import cnf
from advisor.plan.export.comments import (
    commented,
    headline,
    joined,
    left_out,
    offers,
    plain_line,
    subject,
)
from advisor.plan.writing import RESIZED, forget_sql, online_sql, resize_sql
from advisor.steps import HostCommand, RemoveLine, SetVariable
from advisor.variables.catalogue import span
from probes.inventory.option_files import groups_of
from probes.redaction import HIDDEN

Task = dict[str, Any]

_HOW = (
    "Set leadline_hosts to your inventory's group. The server is restarted only with "
    "-e leadline_restart=true. Needs the collection community.mysql.",
)

_RESIZE_S, _ASKED_EVERY_S = 3600, 5
"""A buffer pool that shrinks may have to wait for long transactions."""


class _Foreign(str):
    """Text that Ansible must take as it is, whatever braces it holds."""

    __slots__ = ()


class _Dumper(yaml.SafeDumper):
    """Writes texts of several lines as blocks, and foreign ones so that nothing fills them in."""


def apply(plan: ChangePlan) -> str:
    """The play that makes the changes; it can be run twice."""
    tasks = [
        *_machine(plan),
        *_lines_out(plan),
        *_file(plan),
        *_forgotten(plan),
        *_running(plan),
        *_restart(plan),
    ]
    comments = [*headline(plan), *_HOW, *left_out(plan), *offers(plan)]
    by_hand = len(plan.of(Group.REWRITE, Group.REBUILD))
    if by_hand:
        comments.append(f"Steps done by hand: {by_hand} (see the plan as text).")
    return _play("Make Leadline's changes", plan, tasks, comments)


def undo(plan: ChangePlan) -> str:
    """The play that takes the changes back."""
    tasks = [
        *_running(plan, back=True),
        *_file(plan, back=True),
        *_lines_out(plan, back=True),
        *_machine(plan, back=True),
        *_restart(plan),
    ]
    comments = [f"Leadline: back to the settings before, for {subject(plan)}", *_HOW]
    return _play("Take Leadline's changes back", plan, tasks, comments)


def _play(name: str, plan: ChangePlan, tasks: list[Task], comments: Iterable[str]) -> str:
    mariadb = plan.version is not None and plan.version.is_mariadb
    play = {
        "name": name,
        "hosts": "{{ leadline_hosts | default('mysql') }}",
        "become": True,
        "vars": {
            "leadline_option_file": "/etc/mysql/conf.d/zz-leadline.cnf",
            "leadline_service": "mariadb" if mariadb else "mysql",
            "leadline_restart": False,
        },
        "tasks": tasks,
    }
    text = yaml.dump([play], Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=2**20)
    return joined(["---", *commented("#", comments), text.rstrip("\n")])


def _machine(plan: ChangePlan, *, back: bool = False) -> Iterator[Task]:
    steps = [action.step for action in plan.actions if isinstance(action.step, HostCommand)]
    for step in reversed(steps) if back else steps:
        name = f"Take back: {step.what}" if back else step.what
        shell = step.undo if back else step.run
        yield {"name": _title(name), "ansible.builtin.shell": {"cmd": _text(shell)}}
        if step.keep_file:
            yield {
                "name": _title(f"{'Forget' if back else 'Keep'} it in {step.keep_file}"),
                "ansible.builtin.lineinfile": {
                    "path": _text(step.keep_file),
                    "line": _text(step.keep_line),
                    "state": "absent" if back else "present",
                    **({} if back else {"create": True, "mode": "0644"}),
                },
            }


def _file(plan: ChangePlan, *, back: bool = False) -> Iterator[Task]:
    """The plan's own option file; its absence is the way back."""
    if not plan.written(Group.ONLINE, Group.RESTART):
        return
    path = "{{ leadline_option_file }}"
    if back:
        wanted = {"path": path, "state": "absent"}
        yield {"name": "Take the option file away", "ansible.builtin.file": wanted}
        return
    content = {"dest": path, "content": _text(cnf.apply(plan)), "mode": "0644"}
    yield {"name": "Write the option file", "ansible.builtin.copy": content}


def _lines_out(plan: ChangePlan, *, back: bool = False) -> Iterator[Task]:
    for action in plan.actions:
        step = action.step
        if isinstance(step, RemoveLine) and _in_a_file(step):
            yield from _line_back(plan, step) if back else _line_out(step)


def _in_a_file(step: RemoveLine) -> bool:
    """Whether the play can find the line; one that is hidden stands there in other words."""
    return step.origin.startswith("/") and HIDDEN not in step.text


def _line_out(step: RemoveLine) -> Iterator[Task]:
    yield {
        "name": _title(f"Take {step.name} out of {step.place}"),
        "ansible.builtin.lineinfile": {
            "path": _text(step.origin),
            "regexp": _text(_pattern(step)),
            "state": "absent",
        },
    }


def _line_back(plan: ChangePlan, step: RemoveLine) -> Iterator[Task]:
    """Only below a group of the server's: any other file would take the line at its end."""
    below = rf"^\s*\[({'|'.join(map(re.escape, _groups(plan, step)))})\]"
    found = "leadline_option_group"
    yield {
        "name": _title(f"Look for the server's groups in {step.origin}"),
        "ansible.builtin.command": {
            "argv": ["grep", "-qE", "-e", _text(_posix(below)), "--", _text(step.origin)]
        },
        "register": found,
        "check_mode": False,
        "changed_when": False,
        "failed_when": False,
    }
    yield {
        "name": _title(f"Put {step.name} back into {step.place}"),
        "ansible.builtin.lineinfile": {
            "path": _text(step.origin),
            "regexp": _text(_pattern(step)),
            "state": "present",
            "line": _text(step.line),
            "insertafter": _text(below),
        },
        "when": f"{found}.rc == 0",
    }


def _pattern(step: RemoveLine) -> str:
    """What finds the line: as it was read, for others of its name may stay, else by its name."""
    if step.text:
        words = r"\s+".join(re.escape(word) for word in step.text.split())
        return rf"^\s*{words}\s*(#.*)?$"
    spelling = step.name.replace("_", "[-_]")
    return rf"^\s*(loose[-_])?{spelling}\s*(=|$)"


def _groups(plan: ChangePlan, step: RemoveLine) -> list[str]:
    """The group that the line stood in; where that is not known, all that the server reads."""
    if step.group or plan.version is None:
        return [step.group or "mysqld"]
    return sorted(groups_of(plan.version))


def _posix(pattern: str) -> str:
    """The same for ``grep -E``."""
    return pattern.replace(r"\s", "[[:space:]]").replace(r"\-", "-")


def _forgotten(plan: ChangePlan) -> Iterator[Task]:
    """What the server keeps itself would win over the option file."""
    names = [
        step.name
        for _, step in plan.written(Group.ONLINE, Group.RESTART)
        if step.standing.persisted
    ]
    names += [
        action.step.name
        for action in plan.actions
        if isinstance(action.step, RemoveLine) and action.step.persisted
    ]
    for name in names:
        yield {
            "name": f"Let the server forget its own {name}",
            "community.mysql.mysql_query": {"query": forget_sql(name)},
        }


def _running(plan: ChangePlan, *, back: bool = False) -> Iterator[Task]:
    chosen = plan.settings(Group.ONLINE)
    for _, step in reversed(chosen) if back else chosen:
        value = step.standing.value if back else step.value
        kept = back and step.standing.persisted
        if back:
            yield from _settled(plan, step)
        yield {"name": f"{'Return' if back else 'Set'} {step.name}"} | _set(
            plan, step.name, value, kept=kept
        )
        yield from _settled(plan, step)


def _set(plan: ChangePlan, name: str, value: str, *, kept: bool) -> Task:
    """What sets it: a module, or the statements of a function that a server has for it."""
    known = None if plan.version is None else span(plan.version, name)
    if plan.version is not None and known is not None and known.call:
        statements = online_sql(plan.version, name, value, keep=kept).splitlines()
        return {"community.mysql.mysql_query": {"query": [_text(each) for each in statements]}}
    mode = "persist" if kept else "global"
    return {
        "community.mysql.mysql_variables": {"variable": name, "value": _text(value), "mode": mode}
    }


def _settled(plan: ChangePlan, step: SetVariable) -> Iterator[Task]:
    """Where a change goes on behind the statement, the server takes no other one meanwhile."""
    if plan.version is not None and relations.settles_later(plan.version, step.name):
        yield {
            "name": f"Wait until {step.name} has changed",
            "community.mysql.mysql_query": {"query": resize_sql()},
            "register": "leadline_resize",
            "until": f"leadline_resize.query_result[0][0]['Value'] is match('{RESIZED}')",
            "retries": _RESIZE_S // _ASKED_EVERY_S,
            "delay": _ASKED_EVERY_S,
        }


def _restart(plan: ChangePlan) -> Iterator[Task]:
    if plan.of(Group.RESTART):
        yield {
            "name": "Restart the server",
            "ansible.builtin.service": {"name": "{{ leadline_service }}", "state": "restarted"},
            "when": "leadline_restart | bool",
        }


def _title(text: str) -> str:
    return _text(plain_line(text))


def _text(text: str) -> str:
    clean = "\n".join(plain_line(line) for line in text.split("\n"))
    return _Foreign(clean) if any(sign in clean for sign in ("{{", "{%", "{#")) else clean


def _represent_text(dumper: yaml.SafeDumper, text: str) -> yaml.ScalarNode:
    style = "|" if "\n" in text else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=style)


def _represent_foreign(dumper: yaml.SafeDumper, text: _Foreign) -> yaml.ScalarNode:
    return dumper.represent_scalar("!unsafe", str(text), style="|" if "\n" in text else '"')


_Dumper.add_representer(str, _represent_text)
_Dumper.add_representer(_Foreign, _represent_foreign)
