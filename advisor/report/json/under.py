"""Drives under a server as one JSON document."""

from __future__ import annotations

from typing import Any

from advisor.compare.comparison import LETTERS
from advisor.forecasts.under import Entrant, UnderServer
from advisor.report.json.comparison import contender_summary
from advisor.report.json.what_if import document as what_if
from advisor.report.json.written import written
from advisor.wording.forecasts.drive_answer import drive_answer
from advisor.wording.forecasts.under import sentences

SCHEMA = "leadline.compare-under/1"


def document(found: UnderServer) -> dict[str, Any]:
    """The comparison as plain values; docs/model.md says what each is."""
    return {
        "schema": SCHEMA,
        "target": found.live.case.target,
        "run": found.live.case.run_id,
        "connections": found.present,
        "drives": [_drive(at, each) for at, each in enumerate(found.entrants)],
        "ranked": [LETTERS[at] for at in found.ranked],
        "ahead": {
            "times": round(found.ahead.value, 4),
            "low": round(found.ahead.low, 4),
            "high": round(found.ahead.high, 4),
        },
        "fastest": [
            {
                "from": each.first,
                "to": each.last,
                "drive": None if each.best is None else LETTERS[each.best],
            }
            for each in found.stretches
        ],
        "crossings": [
            {
                "from": LETTERS[each.before],
                "to": LETTERS[each.after],
                "connections": each.at,
                "low": each.low,
                "high": each.high,
            }
            for each in found.crossings
        ],
        "roles": [
            {
                "role": role.name,
                "best": None if role.winner is None else LETTERS[role.winner],
                "outcome": role.outcome.value,
            }
            for role in found.roles
        ],
        "reasons": [{"aspect": each.aspect, "sentence": each.sentence} for each in found.reasons],
        "answer": drive_answer(found),
        "sentences": sentences(found),
    }


def to_json(found: UnderServer) -> str:
    """The document as text, ending with a newline."""
    return written(document(found))


def _drive(at: int, each: Entrant) -> dict[str, Any]:
    per = each.price_per_thousand
    known = {"letter": LETTERS[at], **contender_summary(each.contender)}
    if each.found is None:
        return known | {"because": each.because}
    found = what_if(each.found)
    return known | {
        "then": found["then"],
        "after": found["after"],
        "notes": list(each.found.turned.notes),
        "price": each.price,
        "price_per_1000_queries_per_s": None if per is None else round(per, 6),
    }
