"""Judged rules as the list on the advice page shows them."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.outcomes import Evidence, Judgement, Needs, NotJudged, Recommendation, Verdict

VERDICTS = {
    Verdict.RECOMMEND: ("lightbulb", "accent", "Worth a change"),
    Verdict.WATCH: ("eye", "warn", "Keep an eye on"),
    Verdict.FINE: ("circle-check", "good", "Fine as it is"),
}

NOT_JUDGED = ("circle-question-mark", "quiet", "Not judged")

NEEDS = {
    Needs.NOTHING: "nothing to do",
    Needs.DYNAMIC: "at run time",
    Needs.RESTART: "a restart",
    Needs.REINIT: "a new data directory",
    Needs.OS: "the operating system",
}


@dataclass(frozen=True, slots=True)
class Heading:
    """A group's title and how many rows follow."""

    title: str
    count: int


@dataclass(frozen=True, slots=True)
class AdviceRow:
    """One rule: its outcome, and how it is listed."""

    title: str
    detail: str
    icon: str
    tone: str
    outcome: Recommendation | NotJudged

    @property
    def rule(self) -> str:
        """The rule's id."""
        return self.outcome.rule


def rows(judgement: Judgement) -> list[Heading | AdviceRow]:
    """Changes by weight, then what to watch, what is fine, and what could not be judged."""
    made: list[Heading | AdviceRow] = []
    for verdict in (Verdict.RECOMMEND, Verdict.WATCH, Verdict.FINE):
        found = [item for item in judgement.recommendations if item.verdict is verdict]
        if found:
            icon, tone, title = VERDICTS[verdict]
            made.append(Heading(title, len(found)))
            made += [AdviceRow(_title(item), _detail(item), icon, tone, item) for item in found]
    if judgement.not_judged:
        icon, tone, title = NOT_JUDGED
        made.append(Heading(title, len(judgement.not_judged)))
        made += [
            AdviceRow(item.title, item.because, icon, tone, item) for item in judgement.not_judged
        ]
    return made


def _title(item: Recommendation) -> str:
    return item.setting or item.title


def _detail(item: Recommendation) -> str:
    if item.verdict is Verdict.RECOMMEND and item.proposed:
        return f"{item.now} → {item.proposed}".strip()
    return item.saw


def facts(item: Recommendation) -> list[tuple[str, str]]:
    """Confidence and needs, label by label."""
    return [
        ("Confidence", item.confidence.value),
        ("Needs", NEEDS[item.needs]),
    ]


def fact_name(evidence: Evidence) -> str:
    """Which fact was read; MySQL's own names stand for themselves."""
    return evidence.fact.removeprefix("mysql.variable.").removeprefix("mysql.status.")


def all_changes(judgement: Judgement) -> str:
    """Every recommended change as one text: option-file lines, statements and commands."""
    wanted = [item for item in judgement.recommendations if item.verdict is Verdict.RECOMMEND]
    blocks = [
        ("# Lines for the option file, below [mysqld]", [item.apply.cnf for item in wanted]),
        ("-- Statements", [item.apply.sql for item in wanted]),
        ("# Commands", [item.apply.os for item in wanted]),
    ]
    texts = [
        "\n".join([title, *(line for line in lines if line)])
        for title, lines in blocks
        if any(lines)
    ]
    return "\n\n".join(texts)


def marked(item: Recommendation | NotJudged) -> frozenset[int]:
    """Ids of all points that the evidence cites."""
    if isinstance(item, NotJudged):
        return frozenset()
    return frozenset(one for evidence in item.evidence for one in evidence.point_ids)
