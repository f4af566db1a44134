"""Addresses that would run a command on this computer, as somebody might send them."""

from __future__ import annotations

import json
import shlex
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

OLDER_STORE = Path(__file__).parents[1] / "advisor" / "store" / "schema" / "version_1.sql"

TOUCH = "touch MARKER"
EXPANDED = "$(touch${IFS}MARKER)"
AS_PROXY = "Host *\n  ProxyCommand nc -r %r %h %p\n"


@dataclass(frozen=True)
class Hostile:
    """Parts of an address, decoded; MARKER is a file that must not appear.

    ``way`` is how it arrives; ``config`` is what the person at risk has in ~/.ssh/config.
    """

    name: str
    user: str = ""
    host: str = "nohost.invalid"
    way: str = "test"
    config: str = ""


HOSTILE = (
    Hostile("newline-proxycommand", f"x\nProxyCommand {TOUCH}"),
    Hostile("newline-match-exec", f'x\nMatch exec "{TOUCH}"'),
    Hostile("carriage-return-newline", f"x\r\nProxyCommand {TOUCH}", way="dry-run"),
    Hostile("carriage-return", f"x\rProxyCommand={TOUCH}"),
    Hostile("newline-as-it-is", f"x\nProxyCommand={TOUCH}", way="raw"),
    Hostile("nul", f"x\0\nProxyCommand {TOUCH}"),
    Hostile("tab", "x\t-oProxyCommand=touch\tMARKER", config=AS_PROXY),
    Hostile("line-separator", f"x\u2028ProxyCommand={TOUCH}", way="check-save"),
    Hostile("next-line", f"x\x85ProxyCommand={TOUCH}"),
    Hostile("substitution-in-user", EXPANDED, config=AS_PROXY),
    Hostile("substitution-in-host", host=f"{EXPANDED}.corp", config=AS_PROXY),
    Hostile("backquotes-in-host", host="`touch${IFS}MARKER`.corp", config=AS_PROXY, way="add"),
    Hostile("semicolon", "x;touch${IFS}MARKER;", config=AS_PROXY),
    Hostile("pipe", "x|touch${IFS}MARKER", config=AS_PROXY),
    Hostile("redirection", "x>MARKER", config=AS_PROXY),
    Hostile("dash-in-host", host="-oProxyCommand=touch${IFS}MARKER", config=AS_PROXY),
    Hostile("dash-in-user", "-oProxyCommand=touch${IFS}MARKER", config=AS_PROXY),
    Hostile("match-exec-of-ones-own", EXPANDED, config='Match exec "test %r = x"\n  Port 1\n'),
    Hostile("older-store", f"x\nProxyCommand {TOUCH}", way="older-store"),
    Hostile("older-store-host", host=EXPANDED, config=AS_PROXY, way="older-store"),
)


def decoded(text: str, marker: Path) -> str:
    """A part of an address with the marker's path in it."""
    return text.replace("MARKER", shlex.quote(str(marker)))


def url(hostile: Hostile, marker: Path, safe: str = "${}()`;|=") -> str:
    """The address with what no URL can hold encoded; ``safe`` stays as it is."""
    user, host = (quote(decoded(text, marker), safe=safe) for text in (hostile.user, hostile.host))
    return f"ssh://{user}@{host}" if user else f"ssh://{host}"


def raw_url(hostile: Hostile, marker: Path) -> str:
    """The address with nothing encoded but slashes."""
    user = decoded(hostile.user, marker).replace("/", "%2F")
    return f"ssh://{user}@{hostile.host}"


def save_as_older(hostile: Hostile, marker: Path, store: Path) -> None:
    """Write a store as version 0.1.0 left it, with the address saved as "web1"."""
    spec = {
        "kind": "ssh",
        "name": "web1",
        "directory": "",
        "mysql": None,
        "ssh": {
            "host": decoded(hostile.host, marker),
            "port": None,
            "user": decoded(hostile.user, marker),
            "identity_file": "",
        },
    }
    store.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(store)) as raw:
        raw.executescript(OLDER_STORE.read_text(encoding="utf-8"))
        row = ("web1", json.dumps(spec), "2026-11-21T07:54:58.414+00:00")
        raw.execute("INSERT INTO targets VALUES (?, ?, ?)", row)
        raw.commit()
