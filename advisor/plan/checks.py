"""Whether one step is possible on the target: its name, its type, its range, its wording.

Everything here answers with a full sentence that says what is wrong, "" when nothing is.
"""

from __future__ import annotations

import re

from advisor.plan.durability import less_safe
from advisor.plan.foreign_words import NUMBER
from advisor.plan.target import PlanTarget, same
from advisor.plan.writing import NAME, TOO_LONG, persists, read_whole, writable
from advisor.steps import HostCommand, Procedure, RemoveLine, SetVariable, Step
from advisor.variables.catalogue import MARIADB
from advisor.variables.entry import Span, State, ValueKind
from advisor.variables.sheets import SHEETS
from probes.boundary.malformed import shown
from probes.inventory.option_files import understood

OPTION_FILE_ENDINGS = (".cnf", ".ini")

_SWITCH = {"ON", "OFF"}

UNREADABLE = "\ufffd"
"""Stands in a line for what can't be shown, so the line can't be found by it."""

_SHAPES = {
    ValueKind.NUMBER: NUMBER,
    ValueKind.SIZE: NUMBER,
    ValueKind.SWITCH: re.compile(r"(?i)ON|OFF|YES|NO|TRUE|FALSE|0|1"),
    ValueKind.WORD: re.compile(r"[A-Za-z0-9_]+([,.:-][A-Za-z0-9_]+)*"),
}
"""How servers show the values of a kind; of paths and texts nothing is known."""

_BLOCK_BYTES = 4096
"""Servers round sizes to blocks, of this many bytes at most but for the buffer pool's chunks."""


def fault(step: Step, target: PlanTarget | None) -> str:
    """Say why a step can't be planned for this target."""
    match step:
        case SetVariable():
            return _setting_fault(step, target)
        case RemoveLine():
            return _line_fault(step, target)
        case HostCommand():
            return _command_fault(step)
        case Procedure():
            return "" if step.steps else "It says no step that people could do."


def _setting_fault(step: SetVariable, target: PlanTarget | None) -> str:
    if not NAME.fullmatch(step.name):
        return "Its name is not that of a server variable."
    if target is None:
        return f"{step.name} can't be checked, because no server was looked at."
    if not (writable(step.value) and writable(step.standing.value)):
        return f"A value of {step.name} holds characters that can't be written safely."
    if not all(read_whole(f"{step.name} = {text}") for text in (step.value, step.standing.value)):
        return f"A value of {step.name} is {TOO_LONG}."
    return (
        _missing(step, target)
        or _moved_on(step, target)
        or _replaced(step, target)
        or _too_strict(step)
        or _type_fault(step, target.known(step.name))
        or _old_value_fault(step)
        or _range_fault(step, target.known(step.name))
        or less_safe(step)
    )


def _missing(step: SetVariable, target: PlanTarget) -> str:
    known = target.known(step.name) is not None
    shown = step.name in target.standings
    if known if target.sandbox else shown:
        return ""
    return f"{target.version} has no {step.name}."


def _moved_on(step: SetVariable, target: PlanTarget) -> str:
    """The server's own value is not the one that the advice was made for."""
    now = target.value(step.name)
    if now is None or same(now, step.standing.value):
        return ""
    return f"The advice was made for {step.name} = {step.standing.value}; it is {now} now."


def _replaced(step: SetVariable, target: PlanTarget) -> str:
    """An old setting that overrides the ones which took its place."""
    if step.name != "innodb_flush_method" or not target.version.at_least(MARIADB, 11, 0):
        return ""
    return (
        "Four switches take the place of innodb_flush_method on this server, such as "
        "innodb_data_file_buffering; a line with it would override them."
    )


def _too_strict(step: SetVariable) -> str:
    """A checksum that data from before does not carry."""
    if step.name != "innodb_checksum_algorithm" or not step.value.lower().startswith("strict_"):
        return ""
    return f"With {step.value} a server does not start on data that was written with another one."


def _type_fault(step: SetVariable, known: Span | None) -> str:
    """The value is of another kind than what the variable takes, or than what the server shows."""
    name, value, now = step.name, step.value, step.standing.value
    kind = SHEETS[name].kind if name in SHEETS else None
    if kind in {ValueKind.NUMBER, ValueKind.SIZE} or (kind is None and NUMBER.fullmatch(now)):
        if not NUMBER.fullmatch(value):
            return f"{name} takes a number; {value!r} is none."
        if "." in value and now and "." not in now:
            return f"{name} takes a whole number; {value} is none."
        return _uneven(name, int(float(value))) if kind is ValueKind.SIZE else ""
    if kind is ValueKind.SWITCH or (kind is None and now.upper() in _SWITCH):
        is_switch = value.upper() in _SWITCH | {"0", "1"}
        return "" if is_switch else f"{name} is a switch; {value!r} is neither ON nor OFF."
    words = known.words if known is not None else ()
    if words and value.upper() not in {word.upper() for word in words}:
        return f"{name} takes one of {', '.join(words)} here; {value!r} is none of them."
    return ""


def _old_value_fault(step: SetVariable) -> str:
    """The value that the way back would write is of another kind than what the variable takes."""
    sheet, now = SHEETS.get(step.name), step.standing.value
    shape = None if sheet is None else _SHAPES.get(sheet.kind)
    if not now or shape is None or shape.fullmatch(now):
        return ""
    return (
        f"The value before, {shown(now)}, is none that {step.name} takes: there would be no way "
        "back."
    )


def _uneven(name: str, size_bytes: int) -> str:
    """A size that servers round to blocks of their own."""
    if name == "innodb_log_write_ahead_size" and size_bytes & (size_bytes - 1):
        return f"{name} = {size_bytes} is no power of two: the server would take another."
    if size_bytes % _BLOCK_BYTES and size_bytes >= _BLOCK_BYTES:
        return f"{name} = {size_bytes} is no multiple of {_BLOCK_BYTES}: the server would round it."
    return ""


def _range_fault(step: SetVariable, known: Span | None) -> str:
    if known is None:
        return ""
    if known.state is State.IGNORED:
        return f"This version takes no notice of {step.name}."
    if not NUMBER.fullmatch(step.value):
        return ""
    number = float(step.value)
    if known.low is not None and number < known.low:
        return f"{step.name} = {step.value} is below {known.low}, the least that the server takes."
    if known.high is not None and number > known.high:
        return f"{step.name} = {step.value} is above {known.high}, the most that the server takes."
    return ""


def _line_fault(step: RemoveLine, target: PlanTarget | None) -> str:
    if not NAME.fullmatch(step.name.replace("-", "_")):
        return "Its name is not that of an option."
    readable = UNREADABLE not in step.text if step.text else writable(step.value)
    if not (readable and step.line.isprintable() and writable(step.origin)):
        return f"The line of {step.name} holds characters that can't be written safely."
    if step.persisted:
        if target is not None and not persists(target.version):
            return f"{target.version} keeps no values itself."
        return ""
    return _untrue_line(step) or _file_fault(step, target)


def _untrue_line(step: RemoveLine) -> str:
    """The line, as it stands there, is no line of its option, or none that a server reads whole."""
    if not _says(step):
        return f"The line {shown(step.line)} does not set {step.name}: it stays where it is."
    if not read_whole(step.line):
        return f"The line of {step.name} is {TOO_LONG}: take it out by hand."
    return ""


def _says(step: RemoveLine) -> bool:
    """Whether the line, as it stands there, sets the option that it is to be taken out for."""
    written = step.line.partition("=")[0].strip()
    meant = understood(written, {step.name.replace("-", "_")})
    return meant.name == step.name.replace("-", "_") and not meant.maximum


def _file_fault(step: RemoveLine, target: PlanTarget | None) -> str:
    """It stands in a file that is no option file as far as the server and its files tell."""
    if "/" not in step.origin or step.origin.lower().endswith(OPTION_FILE_ENDINGS):
        return ""
    if target is not None and step.origin in target.option_files:
        return ""
    return (
        f"{shown(step.origin)} is not among the option files that the server reads: its line of "
        f"{step.name} stays where it is."
    )


def _command_fault(step: HostCommand) -> str:
    lines = (step.keep_file, step.keep_line, *step.run.split("\n"), *step.undo.split("\n"))
    if not all(line.isprintable() for line in lines):
        return "Its command holds characters that can't be written safely."
    if not (step.run.strip() and step.undo.strip()):
        return "It lacks the command, or the one that takes it back."
    if bool(step.keep_file) != bool(step.keep_line):
        return "It names a file to keep the change in, or a line, but not both."
    if step.keep_file and not step.keep_file.startswith("/"):
        return f"{step.keep_file} is not the full path of a file."
    return ""
