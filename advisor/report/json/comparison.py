"""A comparison as one JSON document; ``resources/schema/compare-1.json`` describes it."""

from __future__ import annotations

from typing import Any

from advisor.compare.comparison import Comparison
from advisor.compare.contender import Contender
from advisor.compare.groups import standing
from advisor.compare.matching import Matched, MatchedLevel
from advisor.compare.photo import photo
from advisor.compare.ratio import METHOD, Ratio
from advisor.compare.roles import Entry, RoleComparison
from advisor.compare.under_mysql import DrivesInLab
from advisor.report.json.written import written
from advisor.store.codec import plain
from advisor.wording.measured.lab_plan import load_words
from probes._version import __version__
from probes.points import Point
from probes.statistics.ranges import Range

SCHEMA = "leadline.compare/1"


def document(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain values; lists of entries have one place for each contender."""
    made: dict[str, Any] = plain(
        {
            "schema": SCHEMA,
            "leadline": __version__,
            "method": METHOD,
            "contenders": [
                {**_contender(each), "price": price}
                for each, price in zip(comparison.contenders, comparison.prices, strict=True)
            ],
            "roles": [_role(comparison, each) for each in comparison.roles],
            "curves": [_matched(each) for each in comparison.matched],
            "labs": [_in_lab(each) for each in comparison.labs],
            "reasons": [
                {"aspect": each.aspect, "sentence": each.sentence} for each in comparison.reasons
            ],
        }
    )
    return made


def to_json(comparison: Comparison) -> str:
    """The document as text, ending with a newline."""
    return written(document(comparison))


def contender_summary(contender: Contender) -> dict[str, Any]:
    """What a list has of a contender."""
    return {
        "key": contender.key,
        "name": contender.name,
        "source": contender.source,
        "points": len(contender.points),
    }


def _contender(contender: Contender) -> dict[str, Any]:
    return {
        **contender_summary(contender),
        "run": contender.run_id,
        "conditions": contender.conditions,
        "caveats": contender.caveats,
        "runs": contender.run_ids,
        "photo": [{"label": label, "text": text} for label, text in photo(contender)],
    }


def _role(comparison: Comparison, role: RoleComparison) -> dict[str, Any]:
    names = [each.name for each in comparison.contenders]
    return {
        "role": role.name,
        "title": role.title,
        "unit": role.unit,
        "entries": [None if each is None else _entry(each) for each in role.entries],
        "outcome": role.outcome,
        "winner": role.winner,
        "ahead": _ratio(role.ahead),
        "groups": [
            {"members": group.members, "behind": _ratio(group.behind)} for group in role.groups
        ],
        "standing": standing(role.groups, names),
        "price_per_thousand": [comparison.price_per_thousand(role, at) for at in range(len(names))],
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "value": entry.figure.value,
        "ci95": (entry.figure.low, entry.figure.high),
        "threads": entry.point.setting.threads,
        **_tails(entry.point),
        "trust": entry.point.trust,
        "beside_server": entry.point.beside_server,
        "point": entry.point.id,
    }


def _matched(matched: Matched) -> dict[str, Any]:
    kind = matched.kind
    return {
        "probe": kind.probe,
        "block_size_bytes": kind.block_size_bytes,
        "many_files": kind.many_files,
        "options": dict(kind.options),
        "levels": [_level(each) for each in matched.levels],
    }


def _level(level: MatchedLevel) -> dict[str, Any]:
    return {
        "threads": level.threads,
        "points": [None if each is None else _point(each) for each in level.points],
        "ratios": [_ratio(each) for each in level.ratios],
    }


def _tails(point: Point) -> dict[str, Any]:
    return {"p99_us": point.latency.p99_us, "p999_us": point.latency.p999_us}


def _point(point: Point) -> dict[str, Any]:
    return {
        "id": point.id,
        "rate_per_s": point.rate_per_s,
        "ci95_per_s": point.ci95_per_s,
        **_tails(point),
        "trust": point.trust,
        "beside_server": point.beside_server,
    }


def _in_lab(found: DrivesInLab) -> dict[str, Any]:
    return {
        "run": found.run_id,
        "day": found.on,
        "base": found.base,
        "other": found.other,
        "times": _ratio(found.times),
        "load": load_words(found.load),
        "connections": found.connections,
    }


def _ratio(ratio: Ratio | Range | None) -> dict[str, Any] | None:
    return None if ratio is None else {"value": ratio.value, "ci95": (ratio.low, ratio.high)}
