"""A report without the names of hosts and accounts: what it says can be shown to others then."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from advisor.compare.contender import Contender
from advisor.report.document.blocks import Document, TextSpan, rebuilt
from advisor.report.document.cover import Cover

if TYPE_CHECKING:
    from advisor.report.report import Report

SHOWN = "passwords and other secrets are left out; hosts and accounts are named"
HIDDEN = "passwords and other secrets, hosts and accounts are left out"

_OURS = {"", "local", "localhost", "root"} | {
    *("account", "backup", "cache", "data", "database", "db", "disk", "drive", "host", "log"),
    *("main", "mariadb", "master", "mysql", "primary", "prod", "production", "read", "redo"),
    *("replica", "sample", "sandbox", "server", "slave", "staging", "standby", "storage"),
    *("test", "tmp", "undo", "user", "watch", "write"),
}
"""Names that say nothing of whose machine it is; many are words of the report's own."""


def redaction(cover: Cover) -> tuple[str, str]:
    """What was left out, as a line of the first page."""
    return "redaction", HIDDEN if cover.anonymous else SHOWN


def names_of(report: Report) -> dict[str, str]:
    """The names that would tell whose server it is, with what stands for each."""
    found = {report.case.target: "server", report.target.name: "server"}
    host = report.case.inventory.host
    if host is not None:
        found |= _of_host(host.hostname)
    if report.case.inventory.container is not None:
        container = report.case.inventory.container
        found |= dict.fromkeys(
            (container.address.name, container.cluster, container.node, container.project), "server"
        )
    for address in (report.target.ssh, report.target.mysql):
        if address is not None:
            found |= {**_of_host(address.host or ""), address.user or "": "account"}
    return telling(found)


def names_compared(contenders: Iterable[Contender]) -> dict[str, str]:
    """The names of the machines and targets that drives were measured on."""
    found: dict[str, str] = {}
    for each in contenders:
        if each.run_id is not None:
            found[each.source.partition(",")[0]] = "server"
        for drive in each.drives:
            found |= _of_host(drive.partition(" ")[0])
    return telling(found)


def without_names(document: Document, names: Mapping[str, str]) -> Document:
    """The document with what stands for them in their places; its cover stays as it was typed."""
    put = replacing(names)

    def change(text: TextSpan | str) -> TextSpan | str:
        return replace(text, text=put(text.text)) if isinstance(text, TextSpan) else put(text)

    hidden: Document = rebuilt(replace(document, cover=Cover()), change)
    return replace(hidden, cover=document.cover)


def replacing(names: Mapping[str, str]) -> Callable[[str], str]:
    """What puts others in the place of names; a word that only holds one stays as it is."""
    if not names:
        return lambda text: text
    longest_first = sorted(names, key=len, reverse=True)
    found = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, longest_first))})(?![\w-]|\.\w)")
    return lambda text: found.sub(lambda match: names[match[0]], text)


def _of_host(name: str) -> dict[str, str]:
    """A host's whole name, and its first part as commands print it."""
    return {name: "host", name.partition(".")[0] if not name[:1].isdigit() else name: "host"}


def telling(found: Mapping[str, str]) -> dict[str, str]:
    """Those of the names that say whose machine it is, with what stands for each."""
    return {name: other for name, other in found.items() if name.casefold() not in _OURS}
