"""Whether a server's pages pass through the kernel's page cache: asked by rules of two families."""

from __future__ import annotations

from advisor.facts.server.data_files import METHOD, SWITCH, opened_buffered
from advisor.rulekit.facts import Facts

__all__ = ["METHOD", "SWITCH", "pages_buffered"]


def pages_buffered(facts: Facts) -> bool | None:
    """Tell whether data files go through the page cache; None where no server reports it.

    The rule has to declare ``METHOD`` and ``SWITCH``.
    """
    return opened_buffered(facts.find(SWITCH), facts.find(METHOD))
