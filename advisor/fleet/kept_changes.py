"""What trials have kept on a target."""

from __future__ import annotations

from advisor.store.cases import trials
from advisor.store.store import Store
from advisor.trial.record import TrialVerdict
from advisor.variables.naming import change_text


def kept_changes(store: Store, target: str) -> tuple[str, ...]:
    """What trials have kept on a target, of each setting the latest: ``name: old → new``."""
    found: dict[str, str] = {}
    for _, record in trials(store, target):
        if record.verdict is TrialVerdict.KEPT:
            for each in record.asked.tried:
                text = change_text(each.name, each.old, each.new)
                found.setdefault(each.name, text)
    return tuple(found.values())
