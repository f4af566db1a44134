"""What advice is known from, and the published findings behind it, as readers look them up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from advisor.knowledge.findings import PublishedFinding, Reliance, findings
from advisor.outcomes import Judgement, Knowledge

KNOWN_FROM: Mapping[Knowledge, str] = {
    Knowledge.TRIED: "tried here, in the lab",
    Knowledge.MEASURED: "measured here",
    Knowledge.DOCUMENTED: "published by the maker: documentation, sources or policy",
    Knowledge.PUBLISHED: "published, on other servers or drives",
    Knowledge.ANALOGY: "by analogy: published for another version, family or kind of drive",
    Knowledge.CHOICE: "no published figure: our choice",
}
"""What a recommendation's effect is known from."""

_WORDS = {Reliance.HIGH: "high", Reliance.MEDIUM: "medium", Reliance.LOW: "low"}


MOST_CITED = 3
"""Findings that a text cites beside each piece of advice; longer lists are for looking up."""


def cited(ids: Iterable[str]) -> list[PublishedFinding]:
    """The findings of these ids, each once; raises KeyError for an id that is none."""
    return [findings()[each] for each in dict.fromkeys(ids)]


def cited_by(judgement: Judgement) -> list[PublishedFinding]:
    """All that the recommendations of a judgement cite."""
    return cited(each for advice in judgement.recommendations for each in advice.findings)


def sentence(finding: PublishedFinding) -> str:
    """What was found, and under which conditions."""
    figures = f" {_closed(finding.figures)}" if finding.figures else ""
    seen = f" Seen: {_closed(finding.holds_when)}" if finding.holds_when else ""
    return f"{_closed(finding.statement)}{figures}{seen}"


def source(finding: PublishedFinding) -> str:
    """Where it stands, how far it can be relied on, and what has corrected it since."""
    later = ", ".join(dict.fromkeys(_dated(each) for each in cited(finding.corrected_by)))
    corrected = f"; corrected since by {later}" if later else ""
    return f"{finding.citation}; confidence {_WORDS[finding.confidence]}{corrected}"


def _dated(finding: PublishedFinding) -> str:
    return f"{finding.source} ({finding.date})" if finding.date else finding.source


def _closed(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
