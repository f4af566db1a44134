"""What servers take as the value of an option, and which values end their start.

``resources/options/*-kinds.tsv`` says what kind of value each option takes, as seen on the servers
that were run (benchmarks/servers/options.py). What a kind takes was tried on MySQL 5.6, 8.0 and 9.7
and MariaDB 10.2, 10.5, 10.11, 11.4 and 11.8: a number may have a suffix and any text behind that,
and nothing else; a switch takes every text, and makes OFF or its default of what it does not know.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType

from advisor.variables.options import WORDS, OptionLists, option_lists
from probes.version import Flavour, ServerVersion

POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5, "e": 6}
"""Which power of 1024 a suffix is."""

_NUMBER = re.compile(r"(?P<sign>[+-]?)(?P<digits>\d+)(?:(?P<suffix>[kmgtpe]).*)?", re.I | re.S)
_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?", re.I)
_MOST = 2**64 - 1

_LARGE = frozenset("tpe")
_LARGE_SINCE: dict[Flavour, tuple[int, ...]] = {
    Flavour.MYSQL: (8, 0, 14),
    Flavour.MARIADB: (10, 3),
}
"""Since when the suffixes T, P and E are known; MySQL's manual, and MariaDB 10.2 and 10.5."""


class OptionKind(StrEnum):
    """What kind of value an option takes, by its letter in the lists.

    SIGNED is a whole number that MariaDB lets be negative; MySQL does with every one.
    """

    NUMBER = "n"
    SIGNED = "i"
    DECIMAL = "d"
    WORDS = "e"
    SWITCH = "s"
    TEXT = "t"


class Fault(StrEnum):
    """Why a value ends the start."""

    NO_NUMBER = "no number"
    LEFTOVER = "something behind the number"
    FRACTION = "a fraction"
    TOO_LARGE = "too large"
    NEGATIVE = "negative"
    SUFFIX = "a suffix that is not known yet"
    EMPTY = "nothing after the ="
    NO_VALUE = "no value"
    NO_WORD = "no word"
    CAPITALS = "a name in capitals"
    GONE_WORDS = "words that are gone"


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a value ends the start, and ``instead``, what to write in its place; "" where unclear.

    ``words`` are those of a list that this version refuses. ``everywhere``: no server that was run,
    of either family, takes the value.
    """

    fault: Fault
    instead: str = ""
    words: tuple[str, ...] = ()
    everywhere: bool = False


KINDS: Mapping[Flavour, OptionLists] = MappingProxyType(
    {flavour: option_lists(f"{flavour.value}-kinds.tsv") for flavour in WORDS}
)


_RUN = tuple(
    ServerVersion(flavour, (run[0], run[1], run[2]), "")
    for flavour, lists in KINDS.items()
    for run in lists.servers
)
"""The servers that were asked for the kinds."""


def kind_of(version: ServerVersion, name: str) -> OptionKind | None:
    """Tell what kind of value an option takes; None where no server shows it or they differ."""
    kinds = {OptionKind(letter.lower()) for letter in _letters(version, name)}
    return kinds.pop() if len(kinds) == 1 else None


def refused_value(
    version: ServerVersion, name: str, value: str | None, *, loose: bool = False
) -> Refused | None:
    """Say why a version does not start with a value; None where it does, or nobody knows.

    ``value`` is what stands after the "=", without quotes; None without one. ``loose``: the name
    is written with ``loose_``, which saves a value as well on MariaDB.
    """
    refused = _refused(version, name, value, loose=loose)
    if refused is None:
        return None
    has = (run for run in _RUN if _letters(run, name))
    return replace(refused, everywhere=all(_refused(run, name, value) for run in has))


def _refused(
    version: ServerVersion, name: str, value: str | None, *, loose: bool = False
) -> Refused | None:
    letters = _letters(version, name)
    if not letters or (loose and version.is_mariadb):
        return None
    # Of a version between two that were run, what both refuse, whatever kind each has.
    found = [_by_letter(version, name, value, letter) for letter in letters]
    return found[0] if all(found) else None


def _by_letter(version: ServerVersion, name: str, value: str | None, letter: str) -> Refused | None:
    kind = OptionKind(letter.lower())
    if not value:
        empty = value is not None and _refuses_empty(version, name, kind)
        alone = value is None and letter.islower()
        return Refused(Fault.EMPTY if empty else Fault.NO_VALUE) if empty or alone else None
    if kind in {OptionKind.NUMBER, OptionKind.SIGNED}:
        return _refused_number(version, kind, value)
    if kind is OptionKind.DECIMAL and not _DECIMAL.fullmatch(value.strip()):
        return _no_decimal(value)
    if kind is OptionKind.WORDS and _is_no_word(value):
        return Refused(Fault.NO_WORD, _word(version, name, value))
    return None


def in_digits(value: str) -> str | None:
    """A number as a server shows it: ``512MB`` is 536870912; None where it is none."""
    size = _NUMBER.fullmatch(value)
    if size is not None:
        number = int(size["sign"] + size["digits"])
        return str(number * 1024 ** POWERS[(size["suffix"] or "").lower()])
    if not _DECIMAL.fullmatch(value):
        return None
    return value


def _letters(version: ServerVersion, name: str) -> tuple[str, ...]:
    """The letter of the version, or those of the servers that were run before and after it."""
    lists = KINDS.get(version.flavour)
    letters = lists.letters.get(name) if lists is not None else None
    if lists is None or letters is None:
        return ()
    known = [pair for pair in zip(lists.servers, letters, strict=True) if pair[1] != "-"]
    same = [pair for pair in known if pair[0][:2] == version.numbers[:2]]
    if same:
        # The next of its series that was run, else the last.
        return (next((letter for run, letter in same if run >= version.numbers), same[-1][1]),)
    before = [letter for run, letter in known if run < version.numbers]
    after = [letter for run, letter in known if run > version.numbers]
    return (*before[-1:], *after[:1])


def _refuses_empty(version: ServerVersion, name: str, kind: OptionKind) -> bool:
    """MariaDB and MySQL 5.6 take nothing for 0, MySQL 8.0 for a set of no words at most."""
    if not version.at_least(Flavour.MYSQL, 8) or kind in {OptionKind.SWITCH, OptionKind.TEXT}:
        return False
    # The words of an enumeration have numbers, those of a set have not.
    return kind is not OptionKind.WORDS or f"{name}=0" in WORDS[version.flavour].letters


def _refused_number(version: ServerVersion, kind: OptionKind, value: str) -> Refused | None:
    number = _NUMBER.fullmatch(value.lstrip())
    if number is None:
        # Without digits servers read 0, and take what begins with a suffix for one behind it.
        return None if value[0].lower() in POWERS else _no_number(value)
    suffix = (number["suffix"] or "").lower()
    if suffix in _LARGE and version.before(version.flavour, *_LARGE_SINCE[version.flavour]):
        return Refused(Fault.SUFFIX, _smaller(number["digits"], suffix))
    if int(number["digits"]) > _MOST:
        return Refused(Fault.TOO_LARGE)
    # MariaDB 10.5 took them, and those between it and 10.11 were not run.
    strict = kind is OptionKind.NUMBER and version.at_least(Flavour.MARIADB, 10, 11)
    if number["sign"] == "-" and int(number["digits"]) and strict:
        return Refused(Fault.NEGATIVE)
    return None


def _smaller(digits: str, suffix: str) -> str:
    """The same with the largest suffix that every version knows."""
    return f"{int(digits) * 1024 ** (POWERS[suffix] - POWERS['g'])}G"


_FRACTION = re.compile(r"(\d{1,9})[.,](\d{1,6})\s*(?:([kmgtpe])(?:i?b)?)?", re.I)
_APART = re.compile(r"(\d+)\s+([kmgtpe])(?:i?b)?", re.I)
_GROUPED = re.compile(r"[1-9]\d{0,2}(?:[ ,.'_]\d{3})+")
_HEXADECIMAL = re.compile(r"0x[0-9a-f]{1,16}", re.I)
_COMMENTED = re.compile(r"(\S+?)[;,]?\s*(?:\s(?://|--|/\*|\().*|;.*)?", re.S)


def _no_number(value: str) -> Refused:
    """Say what is wrong with a text in a number's place, and what was meant where that is clear."""
    text = value.strip()
    if grouped := _GROUPED.fullmatch(text):
        return Refused(Fault.LEFTOVER, re.sub(r"\D", "", grouped[0]))
    if fraction := _FRACTION.fullmatch(text):
        return Refused(Fault.FRACTION, _whole(*fraction.groups()))
    if apart := _APART.fullmatch(text):
        return Refused(Fault.LEFTOVER, f"{apart[1]}{apart[2].upper()}")
    if _HEXADECIMAL.fullmatch(text):
        return Refused(Fault.LEFTOVER, str(int(text, 16)))
    fault = Fault.LEFTOVER if re.match(r"[+-]?\d", text) else Fault.NO_NUMBER
    first = _first(text)
    return Refused(fault, first if _NUMBER.fullmatch(first) else "")


def _whole(digits: str, fraction: str, suffix: str | None) -> str:
    """A fraction in the largest unit in which it is a whole number: 1.5G is 1536M."""
    if suffix is None:
        # "1,024" may be a thousand and 24, "2000.0" is what it is.
        return digits if not int(fraction) else ""
    power = POWERS[suffix.lower()]
    letters = list(POWERS)
    for down in range(1, min(power, 2) + 1):
        parts, rest = divmod(int(digits + fraction) * 1024**down, 10 ** len(fraction))
        if not rest:
            return f"{parts}{letters[power - down].upper()}"
    # 0.3G is no whole number of any: what comes next below it.
    return f"{int(digits + fraction) * 1024 // 10 ** len(fraction)}{letters[power - 1].upper()}"


def _no_decimal(value: str) -> Refused:
    first = _first(value).replace(",", ".").rstrip("%s")
    fault = Fault.LEFTOVER if re.match(r"[+-]?\.?\d", value.strip()) else Fault.NO_NUMBER
    return Refused(fault, first if _DECIMAL.fullmatch(first) else "")


def _is_no_word(value: str) -> bool:
    """Whether a text has what no word of any server has: a blank, or a mark of a template.

    Words that no list has are another matter: a vendor's build may know them.
    """
    text = value.strip()
    if re.search(r"[{}$%<>();\\]|//", text):
        return True
    # A set of switches, "index_merge=on", has a form of its own.
    return "=" not in text and re.search(r"\s", text) is not None


def _word(version: ServerVersion, name: str, value: str) -> str:
    """The words that were meant, where a blank is all that is wrong with them; else ""."""
    known = WORDS[version.flavour].letters
    joined = "-".join(value.split())
    if f"{name}={joined.lower()}" in known:
        return joined
    listed = re.sub(r"\s*,\s*", ",", value.strip())
    if "," in listed and not _is_no_word(listed):
        return listed
    first = _first(value)
    return first if f"{name}={first.lower()}" in known else ""


def _first(value: str) -> str:
    """What stands before a comment that servers do not know, or behind a second "="; else ""."""
    found = _COMMENTED.fullmatch(value.strip().lstrip("=>: "))
    return found[1] if found is not None else ""
