"""Whatever ends a trial: the server has what it should, or the journal keeps naming it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from advisor.store.trial_journal import JournalEntry, TrialJournal
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.mysql.connection import MySQLSession
from probes.trial.ended import TrialBroken
from probes.trial.hand import values_of
from probes.trial.session_hand import SET_LIMIT_S, STEP_LIMIT_S, restore
from probes.trial.settings import Side, TriedSetting, differing, foreign, in_steps

BY_ITSELF_S = 3.0
"""How long the agent's second process, and the server, get to go back on their own."""

_POLL_S, _STEPS_POLL_S = 0.1, 1.0


class EndSide:
    """Which values the server is to have at the end: the old ones, until others are kept.

    ``sure``: it was seen to have them. Else the journal names it.
    """

    def __init__(self) -> None:
        self.side = Side.OLD
        self.sure = False


@contextmanager
def put_right(
    journal: TrialJournal, entry: JournalEntry, asking: MySQLSession, kept: EndSide
) -> Iterator[None]:
    """Write the journal; afterwards make sure of the server's values, and take the entry out.

    Where these can't be made sure of, the entry stays: the next start names it.
    Raises StoreError before anything is set.
    """
    journal.begin(entry)
    try:
        yield
    finally:
        with suppress(LeadlineError):
            kept.sure = made_sure(asking, entry.settings, kept.side)
            journal.end(entry.run_id)


def made_sure(
    asking: MySQLSession, settings: tuple[TriedSetting, ...], side: Side = Side.OLD
) -> bool:
    """See that the server has the old values, or somebody else's; set the old ones if need be.

    Where the new ones are kept, it is enough that the server answers. Raises MySQLError and
    TargetError.
    """
    ends_s = time.monotonic() + (STEP_LIMIT_S if in_steps(settings) else BY_ITSELF_S)
    while True:
        with asking.writer(CancelToken(), SET_LIMIT_S) as session:
            values = values_of(session, settings)
        others = foreign(settings, values)
        left = [name for name in differing(settings, values, Side.OLD) if name not in others]
        if side is Side.NEW or not left:
            return True
        if time.monotonic() > ends_s:
            restore(asking, settings)
            return True
        if in_steps(settings):
            # A server that is still being resized refuses another size until it has done that.
            with suppress(TrialBroken):
                restore(asking, settings)
        time.sleep(_STEPS_POLL_S if in_steps(settings) else _POLL_S)
