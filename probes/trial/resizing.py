"""Whether a server has come to a size that was set: several resize after they have answered."""

from __future__ import annotations

from probes.mysql.answers import pairs
from probes.mysql.connection import MySQLSession
from probes.trial.ended import Break, TrialBroken
from probes.trial.hand import values_of
from probes.trial.settings import Side, TriedSetting, differing, same_value

_POOL_STATUS = "Innodb_buffer_pool_resize_status"
_REDO_SIZE = "Innodb_redo_log_capacity_resized"
_STATUS_SQL = f"SHOW GLOBAL STATUS WHERE Variable_name IN ('{_POOL_STATUS}', '{_REDO_SIZE}')"
_REDO = "innodb_redo_log_capacity"
_DONE, _FAILED = "completed", ("fail", "abort", "error")


def resized(session: MySQLSession, settings: tuple[TriedSetting, ...]) -> bool:
    """Whether the server is as the new values have it.

    Raises TrialBroken (REFUSED) where it has given up, MySQLError and Cancelled.
    """
    status = pairs(session.rows(_STATUS_SQL))
    text = status.get(_POOL_STATUS, "").casefold()
    if any(word in text for word in _FAILED):
        answer = status[_POOL_STATUS].rstrip(".")
        raise TrialBroken(
            Break.REFUSED, f"The server could not be resized: {answer}.", detail=answer
        )
    if differing(settings, values_of(session, settings), Side.NEW):
        return False
    redo = next((each for each in settings if each.name == _REDO), None)
    if redo is not None and not same_value(status.get(_REDO_SIZE, redo.new), redo.new):
        return False
    return not text or text.startswith(_DONE)


def hidden_redo_bytes(session: MySQLSession, one: TriedSetting) -> str:
    """The redo log's size where a setting for it shows another one; "" where it does not.

    MySQL does not show a size that comes from the settings of its old redo files.
    Raises MySQLError and Cancelled.
    """
    if one.name != _REDO:
        return ""
    found = pairs(session.rows(_STATUS_SQL)).get(_REDO_SIZE, one.old)
    return "" if same_value(found, one.old) else found
