"""What may be tried on a live server: settings that act within a minute and can be taken back.

Everything else is refused: what is not known, what needs a restart, what a session keeps for
itself, and whatever touches durability, files, accounts or replication. A sheet of
``resources/variables/`` says of each setting that may be tried how long it takes to settle, or that
it is changed in steps.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from advisor.trial.steps.path import most_bytes, step_path, unit_bytes
from advisor.tried import UNITS, plain_value
from advisor.variables.catalogue import notes, span
from advisor.variables.entry import Habit, Span, State, ValueKind
from advisor.variables.sheets import SHEETS, Sheet
from probes.trial.settings import TriedSetting, same_value
from probes.version import ServerVersion

NEVER = frozenset({"durability", "checksum", "doublewrite", "layout", "undo"})
"""Categories of settings of which none is tried, whatever its sheet says."""


_ORDERED = (
    ("innodb_io_capacity", "innodb_io_capacity_max"),
    ("innodb_max_dirty_pages_pct_lwm", "innodb_max_dirty_pages_pct"),
)
"""Settings of which the first may not be above the second: servers cut or move one of them."""


class NotTried(StrEnum):
    """Why a change is not tried."""

    UNKNOWN = "unknown"
    MISSING = "missing"
    NEVER = "never"
    RESTART = "restart"
    SLOW = "slow"
    """Its sheet does not say that it may be switched, or changed in steps."""
    ALONE = "alone"
    """It is changed in steps, and so not together with another."""
    HIDDEN = "hidden"
    """The server has another value than it shows."""
    IGNORED = "ignored"
    SAME = "same"
    NO_VALUE = "no_value"
    """The setting takes no such value."""
    OUT_OF_RANGE = "out_of_range"
    ROUNDED = "rounded"
    LOSES = "loses"
    ABOVE = "above"
    """Two settings would cross, so that the server changes one of them itself."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """A change that is not tried; ``than`` is what it is held against, "" where nothing."""

    name: str
    value: str
    why: NotTried
    than: str = ""


def tried_settings(
    version: ServerVersion, wished: Mapping[str, str], variables: Mapping[str, str]
) -> tuple[TriedSetting, ...] | Refusal:
    """What is tried of the ``wished`` values, in the order in which they are set.

    Settings that a server may move along come last, and are only ever set back. One that has a path
    is changed in steps, and stands alone.
    """
    found = _each(_one, version, wished, variables)
    if isinstance(found, Refusal):
        return found
    if len(found) > 1 and (stepped := next((each for each in found if each.path), None)):
        return Refusal(stepped.name, stepped.new, NotTried.ALONE)
    crossing = _crossing(found, variables)
    return crossing or (*_in_order(found, variables), *_along(found, variables))


def restarted_settings(
    version: ServerVersion, wished: Mapping[str, str], variables: Mapping[str, str]
) -> tuple[TriedSetting, ...] | Refusal:
    """What a person changes by a restart of the server, all at once; nothing of it is set here."""
    found = _each(_by_restart, version, wished, variables)
    return found if isinstance(found, Refusal) else tuple(found)


_Allowing = Callable[[ServerVersion, str, str, Mapping[str, str]], TriedSetting | Refusal]


def _each(
    allow: _Allowing,
    version: ServerVersion,
    wished: Mapping[str, str],
    variables: Mapping[str, str],
) -> list[TriedSetting] | Refusal:
    """All that is wished, in its order, or the first that is refused."""
    found: list[TriedSetting] = []
    for name, value in wished.items():
        one = allow(version, plain_name(name), value, variables)
        if isinstance(one, Refusal):
            return one
        found.append(one)
    return found


def _by_restart(
    version: ServerVersion, name: str, value: str, variables: Mapping[str, str]
) -> TriedSetting | Refusal:
    sheet, known, old = SHEETS.get(name), span(version, name), variables.get(name)
    if sheet is None or known is None or old is None:
        return Refusal(name, value, NotTried.UNKNOWN if sheet is None else NotTried.MISSING)
    if sheet.category in NEVER or _loses(version, name):
        return Refusal(name, value, NotTried.NEVER)
    new = _written(sheet, value)
    if new is None or same_value(old, new):
        return Refusal(name, value, NotTried.NO_VALUE if new is None else NotTried.SAME)
    return _within(sheet, known, new) or TriedSetting(name, old, new, _is_number(sheet))


def plain_name(name: str) -> str:
    """A setting's name as servers show it."""
    return name.strip().lower().replace("-", "_")


def settle_s(settings: Sequence[TriedSetting]) -> float:
    """How long the server takes to work as the slowest of the new values has it."""
    return max(
        sheet.switch.settle_s
        for each in settings
        if each.new and (sheet := SHEETS[each.name]).switch is not None
    )


def _one(
    version: ServerVersion, name: str, value: str, variables: Mapping[str, str]
) -> TriedSetting | Refusal:
    sheet = SHEETS.get(name)
    if sheet is None:
        return Refusal(name, value, NotTried.UNKNOWN)
    known = span(version, name)
    if known is None or name not in variables:
        return Refusal(name, value, NotTried.MISSING)
    old, new = variables[name], _written(sheet, value)
    why = _never(sheet, known)
    if why is None and _loses(version, name):
        why = NotTried.LOSES
    if why is None and new is not None and same_value(old, new):
        why = NotTried.SAME
    if why is not None or new is None:
        return Refusal(name, value, why or NotTried.NO_VALUE)
    if refused := _within(sheet, known, new):
        return refused
    if sheet.in_steps is not None:
        return _in_steps(sheet, known, TriedSetting(name, old, new, number=True), variables)
    return TriedSetting(name, old, new, _is_number(sheet))


def _in_steps(
    sheet: Sheet, known: Span, one: TriedSetting, variables: Mapping[str, str]
) -> TriedSetting | Refusal:
    """The same with the sizes that it goes through."""
    unit, new = unit_bytes(one.name, variables, known.step), int(one.new)
    most = most_bytes(one.name, variables)
    if most is not None and new > most:
        return Refusal(one.name, one.new, NotTried.OUT_OF_RANGE, f"{most} at most")
    if new % unit:
        return Refusal(one.name, one.new, NotTried.ROUNDED, f"{unit}")
    tenths = sheet.in_steps is not None and sheet.in_steps.tenths
    return replace(one, path=step_path(int(one.old), new, unit, tenths=tenths))


def _loses(version: ServerVersion, name: str) -> bool:
    return any(each.habit is Habit.LOSES for each in notes(version, name))


def _never(sheet: Sheet, known: Span) -> NotTried | None:
    if sheet.category in NEVER:
        return NotTried.NEVER
    if not known.dynamic:
        return NotTried.RESTART
    if known.state is State.IGNORED:
        return NotTried.IGNORED
    if sheet.in_steps is not None:
        return None
    # What a session has for itself, open sessions keep.
    return NotTried.SLOW if sheet.switch is None or sheet.session else None


def _is_number(sheet: Sheet) -> bool:
    return sheet.kind in (ValueKind.NUMBER, ValueKind.SIZE)


def _written(sheet: Sheet, value: str) -> str | None:
    """The value as the server shows it; None where it is none that such a setting takes."""
    text = value.strip()
    if sheet.kind is ValueKind.SWITCH:
        plain = plain_value(text)
        return plain if plain in {"ON", "OFF"} else None
    if _is_number(sheet):
        digits, unit = (
            (text[:-1], UNITS[text[-1].upper()])
            if text[-1:].upper() in UNITS
            else (
                text,
                1,
            )
        )
        try:
            number = float(digits) * unit
        except ValueError:
            return None
        if not abs(number) < 2**64:
            return None
        return f"{number:.0f}" if number == int(number) else f"{number:.6g}"
    return text if text.isidentifier() else None


def _within(sheet: Sheet, known: Span, new: str) -> Refusal | None:
    if sheet.kind is ValueKind.WORD and known.words:
        allowed = {word.casefold() for word in known.words}
        return None if new.casefold() in allowed else Refusal(sheet.name, new, NotTried.NO_VALUE)
    if not _is_number(sheet):
        return None
    number = float(new)
    if known.low is not None and number < known.low:
        return Refusal(sheet.name, new, NotTried.OUT_OF_RANGE, f"{known.low:.0f} at least")
    if known.high is not None and number > known.high:
        return Refusal(sheet.name, new, NotTried.OUT_OF_RANGE, f"{known.high:.0f} at most")
    if known.step and number % known.step:
        return Refusal(sheet.name, new, NotTried.ROUNDED, f"{known.step}")
    return None


def _crossing(found: Sequence[TriedSetting], variables: Mapping[str, str]) -> Refusal | None:
    """A setting that would come to stand above the one that bounds it."""
    wished = {each.name: each.new for each in found}
    for lower, upper in _ORDERED:
        if not {lower, upper} & wished.keys() or not {lower, upper} <= variables.keys():
            continue
        low, high = (wished.get(name, variables[name]) for name in (lower, upper))
        if float(low) > float(high):
            name, other = (lower, upper) if lower in wished else (upper, lower)
            return Refusal(name, wished[name], NotTried.ABOVE, other)
    return None


def _in_order(
    found: Sequence[TriedSetting], variables: Mapping[str, str]
) -> tuple[TriedSetting, ...]:
    """Such that no setting crosses the one that bounds it, on the way there and on the way back."""
    placed = list(found)
    for lower, upper in _ORDERED:
        by_name = {each.name: each for each in placed}
        if {lower, upper} <= by_name.keys():
            raised = float(by_name[upper].new) > float(variables[upper])
            first, second = (upper, lower) if raised else (lower, upper)
            rest = [each for each in placed if each.name not in (lower, upper)]
            placed = [by_name[first], by_name[second], *rest]
    return tuple(placed)


def _along(found: Sequence[TriedSetting], variables: Mapping[str, str]) -> tuple[TriedSetting, ...]:
    """Settings that some servers move along, as they are now."""
    tried = {each.name for each in found}
    names = {
        name
        for each in found
        if (switch := SHEETS[each.name].switch) is not None
        for name in switch.moves
        if name in variables and name not in tried
    }
    return tuple(
        TriedSetting(name, variables[name], "", _is_number(SHEETS[name])) for name in sorted(names)
    )
