"""The trial's record in the store: everything is there as soon as it is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from advisor.store.store import Store
from advisor.trial.record import PairLeftOut, TrialPair, TrialRecord


class KeptTrial:
    """A record that grows, and the run in the store that it is written to."""

    def __init__(self, store: Store, run_id: int, record: TrialRecord) -> None:
        self._store = store
        self._run_id = run_id
        self.record = record
        store.add_trial(run_id, record)

    def add(self, pair: TrialPair) -> None:
        """Keep a pair."""
        self.record = replace(self.record, pairs=(*self.record.pairs, pair))
        self._store.add_trial_pair(self._run_id, pair)

    def leave_out(self, because: PairLeftOut) -> None:
        """None of the pairs until now counts."""
        pairs = tuple(
            pair if pair.left_out else replace(pair, left_out=because) for pair in self.record.pairs
        )
        for before, now in zip(self.record.pairs, pairs, strict=True):
            if before != now:
                self._store.add_trial_pair(self._run_id, now)
        self.record = replace(self.record, pairs=pairs)

    def know(self, **known: Any) -> None:
        """Keep what has become known, by the record's names."""
        self.record = replace(self.record, **known)
        self._store.set_trial_known(self._run_id, self.record)
