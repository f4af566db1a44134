"""What a person said of a machine that can't be asked: kept as an answer of its inventory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict

from probes.boundary.json_text import decode_object
from probes.boundary.malformed import Malformed
from probes.boundary.numbers import LARGEST, whole
from probes.boundary.text import text
from probes.targets.address import StatedMachine

ANSWER = "machine.told"
_MOST_BYTES = 4096
_MOST_LETTERS = 100


def stated_answer(machine: StatedMachine) -> dict[str, str]:
    """The raw answer, by its name."""
    return {ANSWER: json.dumps(asdict(machine))}


def read_stated(answers: Mapping[str, str]) -> StatedMachine | None:
    """What was stated; None where nothing was. Raises Malformed."""
    kept = answers.get(ANSWER)
    if kept is None:
        return None
    document = decode_object(kept, _MOST_BYTES)
    if not {"memory_bytes", "machine_class"} <= document.keys():
        raise Malformed("what was said of the machine lacks a part")
    return StatedMachine(
        whole(document["memory_bytes"], "the memory", low=0, high=LARGEST),
        text(document["machine_class"], "the class", _MOST_LETTERS),
        # Answers of older programs have none of these.
        _limit(document, "volume_requests_per_s", "the volume's requests/s"),
        _limit(document, "volume_bytes_per_s", "the volume's bytes/s"),
        _limit(document, "cpus", "the processors"),
    )


def _limit(document: Mapping[str, object], name: str, what: str) -> int:
    return whole(document.get(name, 0), what, low=0, high=LARGEST)
