"""How the memory that a run reads into is to lie: like that of the server on the target."""

from __future__ import annotations

from dataclasses import dataclass

from probes.figures import percent
from probes.inventory.facts import Inventory
from probes.inventory.server_process import ServerProcess
from probes.points import Buffers

MOST = 0.5
"""A server with more of its memory in huge pages than this has its pool there."""

GIVEN_TO_ALL = "always"
GIVEN_TO_NOBODY = "never"


@dataclass(frozen=True, slots=True)
class BufferChoice:
    """How buffers are to lie, and why, as the end of a sentence.

    ``other`` is the other kind, to be measured beside it at one level; None where it can't be had.
    """

    kind: Buffers = Buffers.ORDINARY
    because: str = ""
    other: Buffers | None = None


def choose_buffers(inventory: Inventory, wished: Buffers | None = None) -> BufferChoice:
    """Buffers like the server's; where no server reports any, like those of one that starts now."""
    if wished is None:
        kind, because = _like_the_server(inventory)
    else:
        kind, because = wished, "as was asked for"
    other = Buffers.ORDINARY if kind is Buffers.HUGE else Buffers.HUGE
    if other is Buffers.HUGE and not _huge_pages_can_be_had(inventory):
        return BufferChoice(kind, because)
    return BufferChoice(kind, because, other)


def _like_the_server(inventory: Inventory) -> tuple[Buffers, str]:
    process = inventory.server_process
    if process is not None and process.reserved_huge_bytes:
        return Buffers.HUGE, "the server's pool lies in huge pages that were set aside for it"
    if process is not None and process.huge_share is not None:
        kind = Buffers.HUGE if process.huge_share > MOST else Buffers.ORDINARY
        return kind, f"{percent(process.huge_share)} of the server's memory lies in huge pages"
    if _asks_for_large_pages(inventory):
        return Buffers.HUGE, "the server asks for large pages (large_pages = ON)"
    return _by_the_kernel(inventory, process)


def _by_the_kernel(inventory: Inventory, process: ServerProcess | None) -> tuple[Buffers, str]:
    mode = None if inventory.host is None else inventory.host.transparent_hugepages
    if process is not None and process.huge_pages is False:
        return Buffers.ORDINARY, "the server has turned transparent huge pages off for itself"
    if mode is None:
        return Buffers.ORDINARY, "it is not known whether this kernel gives huge pages"
    kind = Buffers.HUGE if mode == GIVEN_TO_ALL else Buffers.ORDINARY
    return kind, f"transparent huge pages are set to {mode}"


def _asks_for_large_pages(inventory: Inventory) -> bool:
    mysql = inventory.mysql
    return mysql is not None and (mysql.value("large_pages") or "").upper() in ("ON", "1")


def _huge_pages_can_be_had(inventory: Inventory) -> bool:
    if inventory.host is None:
        return False
    mode = inventory.host.transparent_hugepages
    given = mode not in (None, GIVEN_TO_NOBODY)
    return given or bool(inventory.host.kernel_settings.huge_pages_free)
