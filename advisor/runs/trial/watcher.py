"""What else changes on a server while something is tried there, and whether the way back stands."""

from __future__ import annotations

import time
from contextlib import suppress

from advisor.trial.mix import MOST_APART, apart
from advisor.trial.record import PairLeftOut
from probes.mysql.connection import MySQLSession
from probes.trial.block import TrialBlock
from probes.trial.ended import Break, SteppedAside, TrialBroken
from probes.trial.hand import Hand, changed
from probes.trial.session_hand import restore
from probes.trial.settings import Side, TriedSetting
from probes.trial.surroundings import ServerSeen, moved, same_server, seen
from probes.trial.way_back import ServerWayBack

_HEARD_S, _POLL_S = 2.0, 0.05


class Watcher:
    """Sees what else changes on the server, and that the way back still stands."""

    def __init__(
        self,
        asking: MySQLSession,
        before: ServerSeen,
        settings: tuple[TriedSetting, ...],
        way: ServerWayBack | None,
        table_work_per_s: float,
    ) -> None:
        self._asking = asking
        self._names = tuple(each.name for each in settings)
        self._before = before.without(self._names)
        self._way = way
        self._table_work_per_s = table_work_per_s
        self._hand: Hand | None = None

    def first_set(self, hand: Hand) -> None:
        """Set the new values once, and see that nothing else moves along. Raises TrialBroken."""
        self._hand = hand
        self._before = seen(self._asking).without(self._names)
        hand.set(Side.NEW)
        along = moved(self._before, seen(self._asking).without(self._names))
        if not along:
            return
        hand.set(Side.OLD)
        numbers = {name for name, (old, _) in along.items() if old.lstrip("-").isdecimal()}
        restore(
            self._asking,
            tuple(
                TriedSetting(name, old, new, name in numbers) for name, (old, new) in along.items()
            ),
        )
        raise changed({name: new for name, (_, new) in along.items()})

    def nothing_else(self) -> None:
        """See that no other setting was changed; raises TrialBroken."""
        if others := self._others():
            listed = ", ".join(others)
            raise TrialBroken(
                Break.OTHER_WORK,
                f"Somebody has changed {listed} meanwhile: nothing can be compared.",
                "Try it later.",
                detail=listed,
            )

    def disturbed(self, old: TrialBlock, new: TrialBlock) -> PairLeftOut | None:
        """Why a pair does not count; raises TrialBroken where the trial can't go on."""
        if self._others():
            return PairLeftOut.OTHER_SETTING
        usual = self._table_work_per_s * (old.seconds + new.seconds)
        if old.table_work + new.table_work > 3 * usual:
            return PairLeftOut.TABLE_WORK
        return PairLeftOut.MIX if apart(old.kinds, new.kinds) > MOST_APART else None

    def _others(self) -> dict[str, tuple[str, str]]:
        """Other settings that were changed since; raises TrialBroken where it can't go on."""
        now = seen(self._asking).without(self._names)
        same_server(self._before, now)
        others = moved(self._before, now)
        self._before = now
        if self._way is not None and not self._way.stands():
            self._hear_why()
            raise TrialBroken(
                Break.LOST,
                "The connection that holds the way back on the server was ended.",
                "Somebody may have killed it: look at who ends long connections.",
            )
        return others

    def _hear_why(self) -> None:
        """Give what holds the other way back a moment to report why it has gone back."""
        ends_s = time.monotonic() + _HEARD_S
        while self._hand is not None and time.monotonic() < ends_s:
            with suppress(SteppedAside):
                self._hand.look()
            time.sleep(_POLL_S)
