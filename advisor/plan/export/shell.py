"""The machine's part of a plan as a shell script for root, and the script that takes it back."""

from __future__ import annotations

import shlex

from advisor.plan.change_plan import ChangePlan
from advisor.plan.export.comments import commented, joined, left_out, subject
from advisor.steps import HostCommand, RemoveLine, SetVariable

_HEAD = ("#!/bin/sh", "set -eu")

_KEEP = """\
keep() { # file line: write the line at the file's end, unless it is there
    mkdir -p "$(dirname "$1")"
    touch "$1"
    if grep -qxF -e "$2" "$1"; then return 0; fi
    if [ -n "$(tail -c 1 "$1")" ]; then echo >>"$1"; fi
    printf '%s\\n' "$2" >>"$1"
}"""

_FORGET = """\
forget() { # file line: take the line out of the file, and the file away when it is empty then
    [ -f "$1" ] || return 0
    rest=$(mktemp)
    grep -vxF -e "$2" "$1" >"$rest" || true
    cat "$rest" >"$1"
    rm -f "$rest"
    [ -s "$1" ] || rm -f "$1"
}"""


def apply(plan: ChangePlan) -> str:
    """The script that changes the machine; each step can be run twice."""
    commands = _commands(plan)
    head = plan.about or (f"Leadline: changes of the machine of {subject(plan)}",)
    lines = [*_HEAD, *commented("#", head)]
    if any(step.keep_file for step in commands):
        lines += ["", _KEEP]
    for step in commands:
        lines += ["", *commented("#", (step.what,)), step.run]
        if step.keep_file:
            lines.append(f"keep {shlex.quote(step.keep_file)} {shlex.quote(step.keep_line)}")
        if step.verify:
            lines += commented("#", (f"Check: {step.verify}",))
    return joined([*lines, *_others(plan, commands)])


def undo(plan: ChangePlan) -> str:
    """The script that takes the changes back, last one first."""
    commands = _commands(plan)
    lines = [*_HEAD, *commented("#", (f"Leadline: the machine of {subject(plan)} as before",))]
    if any(step.keep_file for step in commands):
        lines += ["", _FORGET]
    for step in reversed(commands):
        lines += ["", *commented("#", (f"Take back: {step.what}",))]
        if step.keep_file:
            lines.append(f"forget {shlex.quote(step.keep_file)} {shlex.quote(step.keep_line)}")
        lines.append(step.undo)
    return joined(lines)


def _commands(plan: ChangePlan) -> list[HostCommand]:
    return [action.step for action in plan.actions if isinstance(action.step, HostCommand)]


def _lines_out(plan: ChangePlan) -> list[RemoveLine]:
    """Lines of files on this machine, which the plan's own option file can't take out."""
    steps = [action.step for action in plan.actions]
    return [step for step in steps if isinstance(step, RemoveLine) and "/" in step.origin]


def _others(plan: ChangePlan, commands: list[HostCommand]) -> list[str]:
    settings = sum(isinstance(a.step, SetVariable | RemoveLine) for a in plan.actions)
    sentences = list(left_out(plan))
    if settings:
        sentences.insert(0, f"Steps for the server: {settings} (see the option file).")
        sentences += [f"Take out of {step.place}: {step.line}" for step in _lines_out(plan)]
    by_hand = len(plan.changes) - settings - len(commands)
    if by_hand:
        sentences.append(f"Steps done by hand: {by_hand} (see the plan as text).")
    return ["", *commented("#", sentences)] if sentences else []
