"""What a person said of a machine that can't be asked: kept as an answer of its inventory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, whole
from probes.boundary.text import text
from probes.targets.address import ToldMachine

ANSWER = "machine.told"
_MOST_BYTES = 4096
_MOST_LETTERS = 100


def told_answer(told: ToldMachine) -> dict[str, str]:
    """The raw answer, by its name."""
    return {ANSWER: json.dumps(asdict(told))}


def read_told(answers: Mapping[str, str]) -> ToldMachine | None:
    """What was stated; None where nothing was. Raises Malformed."""
    kept = answers.get(ANSWER)
    if kept is None:
        return None
    said = decode_object(kept, _MOST_BYTES)
    if not {"memory_bytes", "machine_class"} <= said.keys():
        raise Malformed("what was said of the machine lacks a part")
    return ToldMachine(
        whole(said["memory_bytes"], "the memory", low=0, high=LARGEST),
        text(said["machine_class"], "the class", _MOST_LETTERS),
        # Answers of older programs have neither.
        _limit(said, "volume_requests_per_s", "the volume's requests/s"),
        _limit(said, "volume_bytes_per_s", "the volume's bytes/s"),
    )


def _limit(said: Mapping[str, object], name: str, what: str) -> int:
    return whole(said.get(name, 0), what, low=0, high=LARGEST)
