"""What rules may know of a trial: one setting's value, switched on the live server itself."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.trial.looked import trial_outcome
from advisor.trial.record import TrialEnd, TrialRecord
from advisor.tried import Tried

OWN_LOAD = "its own load"

_DECIDED = (TrialEnd.BETTER, TrialEnd.WORSE, TrialEnd.NO_GAIN, TrialEnd.LEFT_BAND, TrialEnd.HELD)


def trial_findings(record: TrialRecord, run_id: int, on: str) -> Iterator[Tried]:
    """What was tried of a single setting; ``on`` is the trial's day."""
    # One that was cut off has not kept it.
    gain = trial_outcome(record).gain if record.gain is None else record.gain
    if gain is None or len(record.asked.tried) != 1:
        return
    (one,) = record.asked.tried
    kept = record.stepped.kept if record.stepped is not None else ""
    yield Tried(
        one.name,
        one.old,
        kept or one.new,
        gain,
        decided=record.ended in _DECIDED,
        load=OWN_LOAD,
        connections=0,
        server=record.asked.server,
        run_id=run_id,
        on=on,
        like=True,
        live=True,
    )
