"""Primary-key lookups with sysbench: a script for any table, and the login in a file.

A login on the command line could be read by every user of the target.
"""

from __future__ import annotations

import json

from probes.mysql.login import Protection, ResolvedLogin
from probes.mysql.work import MySQLWork, WorkTable
from probes.targets.parse import naming_socket

SCRIPT_FILE = "lookup.lua"
LOGIN_FILE = "login.conf"

LARGEST_KEY = (1 << 32) - 1
"""sysbench's random numbers reach no further."""

_UNCHECKED = (Protection.NONE, Protection.OFFERED)
"""What sysbench does as it is, whatever the server asks for."""

_LONGEST = 200
"""sysbench reads lines of 255 bytes."""

_PREPARED = """\
function thread_init()
  connection = sysbench.sql.driver():connect()
  lookup = connection:prepare({query})
  key = lookup:bind_create(sysbench.sql.type.BIGINT)
  lookup:bind_param(key)
end
function event()
  key:set(sysbench.rand.uniform({least}, {most}))
  lookup:execute()
end
function thread_done()
  lookup:close()
  connection:disconnect()
end
"""

_SQL = """\
function thread_init()
  connection = sysbench.sql.driver():connect()
end
function event()
  connection:query({query} .. string.format("%d", sysbench.rand.uniform({least}, {most})))
end
function thread_done()
  connection:disconnect()
end
"""


def _unsafe(login: ResolvedLogin) -> str:
    """Why it is given no password for that way, as sysbench gives it to whoever asks for it."""
    if login.sha2_only and login.password:
        return (
            "sysbench gives its password to whoever asks for it, and nobody named the server, it "
            f"was found: name it, by {naming_socket(login.socket)}."
        )
    if login.private and (login.socket or login.protection in _UNCHECKED):
        return ""
    if login.socket:
        listener = login.listener
        who = "another account" if listener is None else f"the account {listener.account}"
        return (
            f"sysbench gives its password to whoever asks for it, and {who} listens on "
            f"{login.socket}, where another account than your server's may put a socket."
        )
    return (
        "sysbench can't be held to verified TLS, so it is given no password over TCP: name the "
        "server's socket, or its machine over SSH."
    )


def refuses(work: MySQLWork | None, working_set: str) -> str:
    """Why sysbench can't look rows up there, as a sentence; "" when it can."""
    if work is None or working_set not in work.tables:
        return "There is no table for sysbench to look rows up in."
    table, login = work.tables[working_set], work.login
    if table.min_key < 0 or table.max_key > LARGEST_KEY:
        return "The table's keys reach further than sysbench's random numbers (0 to 4294967295)."
    if because := _unsafe(login):
        return because
    if any(_quoted(text) is None for text in (login.user, login.password, work.database)):
        return (
            "The account's name or password has characters that sysbench's option file can't hold."
        )
    names = (work.database, table.name, table.key_column, table.value_column)
    if any(not name.isprintable() for name in names):
        return "The table's name has characters that sysbench's scripts can't hold."
    return ""


def script(work: MySQLWork, table: WorkTable, protocol: str) -> str:
    """What sysbench runs: one lookup of a uniformly drawn key per event."""
    names = (table.value_column, work.database, table.name, table.key_column)
    column, database, name, key = (f"`{each.replace('`', '``')}`" for each in names)
    query = f"SELECT {column} FROM {database}.{name} WHERE {key} = "  # noqa: S608 - quoted above
    form = _PREPARED if protocol == "prepared" else _SQL
    return form.format(
        query=json.dumps(query + ("?" if protocol == "prepared" else ""), ensure_ascii=False),
        least=table.min_key,
        most=table.max_key,
    )


def login_file(login: ResolvedLogin, database: str) -> str:
    """The login as sysbench's --config-file has it."""
    options = {"mysql-user": login.user, "mysql-password": login.password, "mysql-db": database}
    lines = [f"{name}={_quoted(value)}\n" for name, value in options.items() if value]
    return "".join(lines)


def address(login: ResolvedLogin) -> list[str]:
    """Where the server is; no secret."""
    if login.socket:
        return [f"--mysql-socket={login.socket}"]
    return [f"--mysql-host={login.host}", f"--mysql-port={login.port}"]


def _quoted(text: str) -> str | None:
    """Within the quotes that it does not hold itself; None when it holds both, or is too long."""
    if len(text.encode()) > _LONGEST or any(sign in text for sign in "\n\r\0"):
        return None
    return next((f"{mark}{text}{mark}" for mark in "\"'" if mark not in text), None)
