"""Whether a foreign word in a plan's form is more than a word there: what each form may hold."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import yaml

from advisor.plan.change_plan import ChangePlan
from advisor.steps import HostCommand, RemoveLine
from tests.waiting import HANG_S

UDEV = re.compile(
    r'ACTION=="add\|change", SUBSYSTEM=="block", (ENV\{DM_NAME\}|KERNEL)=="[A-Za-z0-9_.:@+-]+", '
    r'ATTR\{(queue|device)/[a-z_]+\}="[a-z0-9 -]+"'
)
_VALUE = r"([+-]?[0-9]+(\.[0-9]+)?|ON|OFF|on|off|'([^'\\]|''|\\\\)*')"
_NAME = r"[a-z][a-z0-9_]*"
_SQL = re.compile(
    rf"(SET (GLOBAL|PERSIST|PERSIST_ONLY) {_NAME} = {_VALUE};|RESET PERSIST IF EXISTS {_NAME};"
    rf"|SELECT @@GLOBAL\.{_NAME}; -- .*|SHOW GLOBAL STATUS LIKE 'Innodb_buffer_pool_resize_status';"
    r"|ALTER INSTANCE (ENABLE|DISABLE) INNODB REDO_LOG;)"
)
_MODULES = {
    *("ansible.builtin.shell", "ansible.builtin.lineinfile", "ansible.builtin.copy"),
    *("ansible.builtin.file", "ansible.builtin.service", "ansible.builtin.command"),
    *("community.mysql.mysql_query", "community.mysql.mysql_variables"),
}
_TASK = {
    *("name", "when", "register", "until", "retries", "delay", "check_mode", "changed_when"),
    "failed_when",
}
_TEMPLATE = re.compile(r"\{[{%#]")
_OURS = ("{{ leadline_option_file }}", "{{ leadline_service }}")
PROGRAMS = (
    *("sysctl", "tune2fs", "mount", "umount", "zfs", "az", "gcloud", "cat", "grep", "findmnt"),
    *("dumpe2fs", "mkdir", "dirname", "tail", "mktemp", "rm", "sh", "bash"),
)


def broken_out(form: str, text: str, plan: ChangePlan) -> Iterator[str]:
    """What of a form's text is none that a plan may hold."""
    if strange := {letter for letter in text if letter != "\n" and not letter.isprintable()}:
        yield f"letters that can't be shown: {strange!r}"
    yield from _KNOWN[form](text, plan)
    commands = [one.step for one in plan.actions if isinstance(one.step, HostCommand)]
    for line in (step.keep_line for step in commands if "udev" in step.keep_file):
        if not UDEV.fullmatch(line):
            yield f"a rule of udev's: {line}"


def _sql(text: str, _: ChangePlan) -> Iterator[str]:
    for line in text.splitlines():
        if line and not line.startswith("-- ") and not _SQL.fullmatch(line):
            yield f"a statement: {line[:200]}"


def _cnf(text: str, plan: ChangePlan) -> Iterator[str]:
    names = {step.name for _, step in plan.settings()}
    grouped = False
    for line in text.split("\n"):
        if len(line.encode()) > (1010 if line.startswith("#") else 4094):
            yield f"a line of {len(line)} letters"
        if line == "[mysqld]" and not grouped:
            grouped = True
        elif line and not line.startswith("# "):
            name, equals, _ = line.partition(" = ")
            if not (grouped and equals and name in names):
                yield f"an option: {line[:200]}"


def _container(text: str, plan: ChangePlan) -> Iterator[str]:
    """Without a container's facts it is an override for Compose with one option file."""
    content = yaml.safe_load(text)
    if set(content) != {"services", "configs"} or set(content["configs"]) != {"leadline"}:
        yield f"a document with {sorted(content)}"
        return
    yield from _cnf(content["configs"]["leadline"]["content"].replace("$$", "$"), plan)


class _Loader(yaml.SafeLoader):
    """Knows Ansible's mark for a text that nothing fills in."""


class _Unsafe(str):
    __slots__ = ()


_Loader.add_constructor("!unsafe", lambda _, node: _Unsafe(node.value))


def _ansible(text: str, plan: ChangePlan) -> Iterator[str]:
    files = {step.step.origin for step in plan.actions if isinstance(step.step, RemoveLine)}
    kept = {step.step.keep_file for step in plan.actions if isinstance(step.step, HostCommand)}
    (play,) = yaml.load(text, Loader=_Loader)
    if set(play) != {"name", "hosts", "become", "vars", "tasks"}:
        yield f"a play with {sorted(play)}"
    for task in play["tasks"]:
        if odd := set(task) - _TASK - _MODULES:
            yield f"a task with {sorted(odd)}"
        yield from (f"a template: {each[:200]}" for each in _templates(task))
        if line := task.get("ansible.builtin.lineinfile"):
            if line["path"] not in files | kept:
                yield f"a line of {line['path']}"
            if line["path"] in files and line.get("line") is not None:
                yield from _written(line["line"], plan)
        if (asked := task.get("ansible.builtin.command")) and asked["argv"][:3] != [
            *("grep", "-qE", "-e")
        ]:
            yield f"a command {asked}"


def _written(line: str, plan: ChangePlan) -> Iterator[str]:
    """A line that is put into a file sets one of the options that were taken out."""
    names = {step.step.name for step in plan.actions if isinstance(step.step, RemoveLine)}
    said = re.match(r"\s*(?:loose[-_]|skip[-_]|enable[-_]|disable[-_])*([\w-]+)\s*(=|$)", line)
    if said is None or said[1].replace("-", "_") not in names:
        yield f"a line that sets nothing: {line[:200]}"


def _templates(held: Any) -> Iterator[str]:
    if isinstance(held, dict):
        for key, value in held.items():
            yield from _templates(key)
            yield from _templates(value)
    elif isinstance(held, list):
        for value in held:
            yield from _templates(value)
    elif isinstance(held, str) and not isinstance(held, _Unsafe) and _TEMPLATE.search(held):
        yield from () if held in _OURS else (held,)


def _rds(text: str, plan: ChangePlan) -> Iterator[str]:
    names = {step.name for _, step in plan.settings()}
    for one in json.loads(text)["inputs"]:
        for parameter in one["Parameters"]:
            if parameter["ParameterName"] not in names or "{" in parameter["ParameterValue"]:
                yield f"a parameter: {parameter}"


def _markdown(text: str, _: ChangePlan) -> Iterator[str]:
    outside = re.sub(r"^(`{3,})[^\n]*\n.*?\n\1$", "", text, flags=re.DOTALL | re.MULTILINE)
    outside = re.sub(r"(?<!`)(?<!\\)(`+)(?!`).+?(?<!`)\1(?!`)", "", outside)
    for mark in (r"(?<!\\)<", r"(?<!\\)\]\(", r"(?<!\\)!\["):
        if found := re.search(mark, outside):
            yield f"mark-up: {outside[max(0, found.start() - 40) : found.start() + 60]!r}"


def _script(text: str, plan: ChangePlan) -> Iterator[str]:
    """Run by a shell that may write nowhere and start only what is given to it, here stand-ins."""
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        programs = folder / "programs"
        programs.mkdir()
        for name in PROGRAMS:
            (programs / name).write_text(
                f'#!/bin/bash\nprintf "%s|" {name} "$@" >>{folder}/asked\n'
            )
            (programs / name).chmod(0o755)
        (programs / "touch").symlink_to(shutil.which("touch") or "/usr/bin/touch")
        script = text.replace("set -eu\n", "").replace("MARKER", f"{folder}/marker")
        done = subprocess.run(
            ["/bin/bash", "-r", "-c", script],
            cwd=folder,
            env={"PATH": str(programs), "SERVER": "s", "RESOURCE_GROUP": "r", "INSTANCE": "i",
                 "OTHER_FLAGS": ""},
            capture_output=True,
            check=False,
            timeout=HANG_S,
        )  # fmt: skip
        if (folder / "marker").exists():
            yield f"a command that ran: {done.stderr[-200:]!r}"
        if b"syntax error" in done.stderr:
            yield f"no shell reads it: {done.stderr[-300:]!r}"
        asked = (
            (folder / "asked").read_text(errors="replace") if (folder / "asked").exists() else ""
        )
        if "general_log" in asked or "|@" in asked:
            yield f"a flag that nobody set: {asked[-300:]}"


_KNOWN: dict[str, Callable[[str, ChangePlan], Iterator[str]]] = {
    "sql": _sql,
    "cnf": _cnf,
    "container": _container,
    "ansible": _ansible,
    "rds": _rds,
    "azure": _script,
    "gcloud": _script,
    "shell": _script,
    "md": _markdown,
}
