"""Why a rule gave no verdict, as a document: a kind, and what belongs to it."""

from __future__ import annotations

from typing import Any

from advisor.tried import Pinned
from advisor.variables.managed import KeptByService
from advisor.why import (
    Absence,
    Lacks,
    OtherServer,
    RiskBeside,
    RuleFailed,
    TurnsOn,
    Unseen,
    Untrusted,
    Why,
)


def why_document(why: Why) -> dict[str, Any]:
    """The kind of a reason with its parts; of a rule's own sentence the kind alone."""
    made: dict[str, Any]
    match why:
        case Lacks():
            made = {"kind": "lacks", "fact": why.fact, "absence": _absence(why.absence)}
        case KeptByService():
            made = {"kind": "kept_by_service", "vendor": why.vendor, "what": why.what.value}
        case OtherServer():
            made = {"kind": "other_server", "speaks_of": list(why.spoken), "version": why.version}
        case RiskBeside():
            made = {"kind": "risk_beside"}
        case Pinned():
            made = {"kind": "pinned", "setting": why.setting, "until": why.until}
        case RuleFailed():
            made = {"kind": "rule_failed", "error": why.error}
        case TurnsOn():
            ends = {end.value: share for end, share in why.shares}
            made = {"kind": "turns_on", "fact": why.fact, "shares": ends}
        case str():
            made = {"kind": "stated"}
    return made


def _absence(absence: Absence) -> str:
    match absence:
        case Unseen():
            return absence.value
        case Untrusted():
            return "untrusted"
        case str():
            return "stated"
