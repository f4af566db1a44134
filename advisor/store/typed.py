"""Kept values as the dataclasses that they were written from: every field checked by its type."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from probes.boundary.malformed import Malformed, shown
from probes.boundary.numbers import LARGEST, finite, finite_or_unknown, whole, whole_from_text
from probes.boundary.text import text

MOST_LETTERS = 16 << 20
"""Of one text; the longest that Leadline keeps is a machine's answer, of some hundred kilobytes."""

Kind = TypeVar("Kind")
_Check = Callable[[object, str], Any]


def build(kind: type[Kind], content: object, name: str, *, unknown: bool = False) -> Kind:
    """A ``kind`` of what was read of it; ``name`` is what faults call it.

    Fields that are left out get their defaults. With ``unknown`` a figure may be None, which is nan
    then. Raises Malformed where a field is missing, none of its own, or of another type.
    """
    key: Any = kind
    made: Kind = _check_of(key, unknown)(content, name)
    return made


@cache
def _check_of(kind: Any, unknown: bool) -> _Check:
    """What turns a read value into one of type ``kind``, or raises Malformed."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        found = [_check_of(each, unknown) for each in arguments if each is not types.NoneType]
        return _optional(found[0]) if len(found) < len(arguments) else _figure_or_text(*found)
    if origin is tuple:
        return _tuple(arguments, unknown)
    if origin is not None:
        return _mapping(_key_of(arguments[0]), _check_of(arguments[1], unknown))
    if is_dataclass(kind):
        return _dataclass(kind, unknown)
    if issubclass(kind, Enum):
        return _enum(kind)
    plain: dict[Any, _Check] = {
        bool: _truth,
        int: lambda value, name: whole(value, name, low=-LARGEST),
        float: finite_or_unknown if unknown else finite,
        str: lambda value, name: text(value, name, MOST_LETTERS),
        object: lambda value, _name: value,
    }
    return plain[kind]


def _dataclass(kind: Any, unknown: bool) -> _Check:
    hints = get_type_hints(kind)
    checks = {each.name: _check_of(hints[each.name], unknown) for each in fields(kind)}
    needed = {
        each.name
        for each in fields(kind)
        if each.default is MISSING and each.default_factory is MISSING
    }

    def check(value: object, name: str) -> object:
        if not isinstance(value, dict):
            raise Malformed(f"{name} is {shown(value)}, where an object is due")
        if not value.keys() <= checks.keys():
            raise Malformed(
                f"{name} has a field {shown(min(value.keys() - checks.keys(), key=str))}"
            )
        if not needed <= value.keys():
            raise Malformed(f"{name} lacks its field {min(needed - value.keys())}")
        return kind(**{field: checks[field](each, field) for field, each in value.items()})

    return check


def _optional(check: _Check) -> _Check:
    return lambda value, name: None if value is None else check(value, name)


def _figure_or_text(figure: _Check, words: _Check) -> _Check:
    return lambda value, name: (words if isinstance(value, str) else figure)(value, name)


def _tuple(arguments: tuple[Any, ...], unknown: bool) -> _Check:
    checks = [_check_of(each, unknown) for each in arguments if each is not Ellipsis]
    of_any_length = arguments[-1] is Ellipsis

    def check(value: object, name: str) -> object:
        if not isinstance(value, list | tuple):
            raise Malformed(f"{name} is {shown(value)}, where a list is due")
        if of_any_length:
            return tuple(checks[0](each, name) for each in value)
        if len(value) != len(checks):
            raise Malformed(f"{name} has {len(value)} parts, not {len(checks)}")
        return tuple(part(each, name) for part, each in zip(checks, value, strict=True))

    return check


def _mapping(key: _Check, check: _Check) -> _Check:
    def checked(value: object, name: str) -> object:
        if not isinstance(value, Mapping):
            raise Malformed(f"{name} is {shown(value)}, where an object is due")
        return {key(each, name): check(part, name) for each, part in value.items()}

    return checked


def _key_of(kind: Any) -> _Check:
    """JSON's names are text, also where the mapping's are counts."""
    if kind is int:
        return lambda value, name: whole_from_text(str(value), name)
    return _check_of(kind, False)


def _enum(kind: type[Enum]) -> _Check:
    def check(value: object, name: str) -> object:
        try:
            return kind(value)
        except ValueError as error:
            raise Malformed(f"{name} is {shown(value)}, which is none of its words") from error

    return check


def _truth(value: object, name: str) -> bool:
    if not isinstance(value, bool):
        raise Malformed(f"{name} is {shown(value)}, which is neither true nor false")
    return value
