"""Lines of the agent as a real one wrote them, and what becomes of them when they are damaged."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

from probes.plans.plan import Plan
from probes.points import Probe, Setting
from tests.probes.engines.lines import mixed_setting, plan_of, read_setting, redo_setting

DIRECTORY = "/srv/data"
RECORDED = (Path(__file__).parent / "recorded" / "agent_lines.jsonl").read_bytes().splitlines()

NASTY = (
    *("1e400", "-1e400", "1e999999", "NaN", "Infinity", "-1", "0", "-0.0", "1e308", "1e-308"),
    *("1000000000000000000000000000000", "9223372036854775808", "true", "null", "[]", "{}"),
    *('""', '"x"', '"\\ud800"', '"\\u0000"', '"\\u001b[2J"', "[[]]", '{"a":{}}', "[1,2,3]"),
    "9" * 5000,
    "[" * 900 + "]" * 900,
    '{"a":' * 2000 + "1" + "}" * 2000,
    json.dumps("y" * 100_000),
)


def recorded_plan() -> Plan:
    """The plan that the recorded lines answer."""
    return plan_of(
        read_setting(4, DIRECTORY),
        Setting(Probe.RANDOM_WRITE, 2, 16384, directory=DIRECTORY),
        redo_setting(DIRECTORY),
        Setting(Probe.PAGE_FLUSH, 1, 16384, directory=DIRECTORY, options={"doublewrite": "on"}),
        mixed_setting("500", 2, DIRECTORY),
    )


def mutants(seed: int, count: int) -> Iterator[tuple[list[bytes], bytes]]:
    """Damaged lines, each with those that have to come before it."""
    chance = random.Random(seed)
    for _ in range(count):
        at = chance.randrange(len(RECORDED))
        line = RECORDED[at]
        for _ in range(chance.choice((1, 1, 1, 2, 4))):
            line = chance.choice(_DAMAGES)(line, chance)
        yield before(at), line


def before(at: int) -> list[bytes]:
    """The start of the point that the line at ``at`` tells of."""
    started = (line for line in reversed(RECORDED[:at]) if b'"point_started"' in line)
    told = json.loads(RECORDED[at])
    return [line for line in started if "id" in told and json.loads(line)["id"] == told["id"]][:1]


def _flip(line: bytes, chance: random.Random) -> bytes:
    damaged = bytearray(line or b"x")
    damaged[chance.randrange(len(damaged))] ^= 1 << chance.randrange(8)
    return bytes(damaged)


def _insert(line: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(line) + 1)
    return line[:at] + chance.randbytes(chance.randrange(1, 9)) + line[at:]


def _cut(line: bytes, chance: random.Random) -> bytes:
    low, high = sorted((chance.randrange(len(line) + 1), chance.randrange(len(line) + 1)))
    return line[:low] + line[high:]


def _truncate(line: bytes, chance: random.Random) -> bytes:
    return line[: chance.randrange(len(line) + 1)]


def _double(line: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(line) + 1)
    return line[:at] + line[chance.randrange(len(line) + 1) :]


def _splice(line: bytes, chance: random.Random) -> bytes:
    other = chance.choice(RECORDED)
    return line[: chance.randrange(len(line) + 1)] + other[chance.randrange(len(other)) :]


def _digit(line: bytes, chance: random.Random) -> bytes:
    digits = [at for at, letter in enumerate(line) if 48 <= letter < 58]
    if not digits:
        return line
    at = chance.choice(digits)
    return line[:at] + b"%d" % chance.randrange(10 ** chance.choice((1, 1, 3, 25))) + line[at + 1 :]


def _value(line: bytes, chance: random.Random) -> bytes:
    """Another value for one of the fields, however deep it lies."""
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return line
    places = list(_places(document))
    if not places:
        return line
    holder, key = chance.choice(places)
    kind = chance.randrange(8)
    if kind == 0:
        del holder[key]
        return _text(document)
    other, name = chance.choice(places)
    if kind == 1:
        holder[key] = other[name] if other is not holder or name != key else 1
        return _written(document)
    holder[key] = "<nasty>"
    return _text(document).replace(b'"<nasty>"', chance.choice(NASTY).encode())


def _written(document: object) -> bytes:
    try:
        return _text(document)
    except ValueError:  # an object in itself
        return b"{}"


def _text(document: object) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def _places(value: object) -> Iterator[tuple[dict[str, object], str]]:
    if isinstance(value, dict):
        for name, inner in value.items():
            yield value, name
            yield from _places(inner)


_DAMAGES: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    *(_flip, _insert, _cut, _truncate, _double, _splice),
    *(_digit,) * 4,
    *(_value,) * 10,
)
