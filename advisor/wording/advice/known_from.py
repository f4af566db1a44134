"""What a recommendation's effect is known from, in words."""

from __future__ import annotations

from collections.abc import Mapping

from advisor.outcomes import Knowledge

KNOWN_FROM: Mapping[Knowledge, str] = {
    Knowledge.TRIED: "tried here, in the lab",
    Knowledge.MEASURED: "measured here",
    Knowledge.DOCUMENTED: "published by the maker: documentation, sources or policy",
    Knowledge.PUBLISHED: "published, on other servers or drives",
    Knowledge.ANALOGY: "by analogy: published for another version, family or kind of drive",
    Knowledge.CHOICE: "no published figure: our choice",
}
