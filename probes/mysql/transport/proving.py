"""Logging in without giving the password away: what a server may ask for, and what it may not.

A server that nobody vouches for, or somebody in between, may ask for any kind of authentication at
any moment. So what it says is looked at before it is answered, whatever was agreed on before.
"""

from __future__ import annotations

import pymysql
from pymysql.constants import CR

from probes.targets.listener import Listener

USUAL = "mysql_native_password"

CHALLENGES = frozenset({USUAL, "caching_sha2_password", "client_ed25519"})
"""Kinds of authentication that prove to know the password: it can't be read from the answer.

Of caching_sha2_password that holds while the server remembers the account (the fast way).
"""

_SWITCH, _MORE = 0xFE, 0x01
_FAST_WAY_TAKEN = b"\x01\x03"
_FULL_WANTED = b"\x01\x04"


class PasswordWanted(pymysql.OperationalError):
    """The server asks for the password itself on a way where it must not be given.

    ``encrypted`` means that the way is TLS, to a server whose certificate was not verified;
    ``listener`` is who listens on the socket where it is one.
    """

    def __init__(self, asked: str, *, encrypted: bool, listener: Listener | None = None) -> None:
        super().__init__(CR.CR_AUTH_PLUGIN_CANNOT_LOAD, f"it asks for the password by {asked}")
        self.asked = asked
        self.encrypted = encrypted
        self.listener = listener


def refuse_to_give(
    packet: bytes, *, encrypted: bool, listener: Listener | None = None, sha2: bool = False
) -> None:
    """Raise PasswordWanted where the answer to a server's ``packet`` would hold the password.

    ``packet`` is one that comes while a client logs in, the greeting left out. ``sha2``: for a full
    authentication by caching_sha2_password it may.
    """
    if packet[:1] == bytes([_SWITCH]):
        name = packet[1:].partition(b"\0")[0].decode("ascii", "replace")
        if name not in CHALLENGES:
            asked = _shown(name) or "mysql_old_password"
            raise PasswordWanted(asked, encrypted=encrypted, listener=listener)
    elif packet[:1] == bytes([_MORE]) and packet != _FAST_WAY_TAKEN:
        if sha2 and packet == _FULL_WANTED:
            return
        raise PasswordWanted("a full authentication", encrypted=encrypted, listener=listener)


def _shown(name: str) -> str:
    return "".join(sign for sign in name[:40] if sign.isprintable())
