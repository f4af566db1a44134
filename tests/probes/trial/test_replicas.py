"""The lag of replicas; what answers as a replica does stands in for one that is behind."""

from __future__ import annotations

from typing import cast

import pytest

from probes.errors import MySQLError, UsageError
from probes.mysql.connection import MySQLSession
from probes.trial import replicas as lags
from probes.trial.ended import Break, GuardLimit, TrialBroken
from probes.trial.replicas import Replicas


class Replica:
    """Answers with a lag; one that is older knows the old name alone."""

    def __init__(self, lag: str | None, *, older: bool = False) -> None:
        self.lag, self.older = lag, older

    def rows(self, sql: str) -> list[dict[str, object]]:
        if self.older and "REPLICA" in sql:
            raise MySQLError("You have an error in your SQL syntax.")
        name = "Seconds_Behind_Master" if self.older else "Seconds_Behind_Source"
        return [{"Replica_IO_State": "", name: self.lag}]


def guarded(monkeypatch: pytest.MonkeyPatch, **replicas: Replica) -> Replicas:
    monkeypatch.setattr(lags, "LOOK_S", 0.0)
    return Replicas({name: cast("MySQLSession", each) for name, each in replicas.items()})


@pytest.mark.parametrize("older", [False, True])
def test_a_replica_that_falls_behind_twice_in_a_row_ends_the_trial(
    older: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    near, far = Replica("0"), Replica("20", older=older)
    watched = guarded(monkeypatch, near=near, far=far)
    for lag in ("40", "41", "20", "41"):
        far.lag = lag
        watched.look()
    with pytest.raises(TrialBroken) as fault:
        watched.look()
    assert fault.value.cause is Break.LIMIT
    assert fault.value.passed is not None
    assert fault.value.passed.limit is GuardLimit.REPLICA_LAG
    assert "behind" in fault.value.sentence


def test_a_few_seconds_are_no_alarm_and_one_that_stops_is_no_matter_of_the_value(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = Replica("0")
    watched = guarded(monkeypatch, one=one)
    for lag in ("9", "10", None, None):
        one.lag = lag
        watched.look()


def test_a_server_that_does_not_replicate_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="db8 does not replicate"):
        guarded(monkeypatch, db8=Replica(None))
