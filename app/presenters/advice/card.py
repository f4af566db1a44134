"""The evidence card of one rule in the window's words."""

from __future__ import annotations

from dataclasses import dataclass

from advisor.judging.decided import lacks_points
from advisor.knowledge.elsewhere import nearest_first
from advisor.knowledge.findings import PublishedFinding
from advisor.outcomes import Evidence, NotJudged, Outcome, Recommendation, Verdict
from advisor.steps import Needs
from advisor.trial.advised import tryable
from advisor.wording.advice import why
from advisor.wording.advice.evidence_card import deed, doing, grounds, sureness
from advisor.wording.advice.gains import gain_of
from advisor.wording.advice.open_question import IN_THE_LAB, open_rows, turning
from advisor.wording.advice.plan import NEEDS
from advisor.wording.advice.published import cited, sentence, source
from advisor.wording.advice.tried import lab_command
from app.presenters.advice.rows import marked
from app.presenters.overview.facts import FactRow
from app.presenters.overview.home import Settles
from app.presenters.texts.groups import LOOKS, Look, group_of
from app.presenters.texts.window_words import in_window
from probes.inventory.facts import Inventory
from probes.kinds.words import capital

UP_FRONT = {"value", "verdict", "expected effect", "tried here", "risk", "comes after"}
"""What who decides has to know; the rest is for those who check it."""

IN_PLACE = {"SQL", "parameter", "command", "by hand"}
"""How a change is made at once; the option file only where none of these does it."""

READ = {"by hand", "verify"}
"""What is read of how a change is made; all else of it is typed as it stands."""

DONE_BY_BUTTON = {"command", IN_THE_LAB}
"""How an open question is settled, in words: a button beside them does it."""

_OTHERWISE = {"command": "how"}
"""Labels of what is no command in the window."""


Blocks = tuple[tuple[str, str], ...]
"""Captions, each with a text to be copied."""


@dataclass(frozen=True, slots=True)
class EvidenceCard:
    """Everything that is shown of one outcome; a rule that was silent has its reason alone.

    ``move`` has a change with its values. ``chips`` are its gain, how sure that is and what the
    change takes. ``front`` is, of an open question, each answer with its cost and what settles it;
    else what it brings and risks; ``behind`` is how that was reckoned, what would change it, the
    price of an error and side effects. ``typed`` are captions and texts to be copied: how to do it;
    ``blocks`` the same for the option file, to verify and to undo it. ``points`` are the ids of all
    that the evidence cites. ``elsewhere`` are findings about another file system, cloud or server
    than this target's. ``settles`` is the button that leads to an answer: measuring what is open,
    or a probe; None where neither would. ``tries`` is the rule whose change a trial can switch on
    the live server, "" where none can.
    """

    look: Look
    title: str
    saw: str
    move: Recommendation | None = None
    chips: tuple[str, ...] = ()
    topic: str = ""
    front: tuple[FactRow, ...] = ()
    facts: tuple[Evidence, ...] = ()
    points: frozenset[int] = frozenset()
    behind: tuple[FactRow, ...] = ()
    typed: Blocks = ()
    blocks: Blocks = ()
    findings: tuple[PublishedFinding, ...] = ()
    elsewhere: tuple[PublishedFinding, ...] = ()
    settles: Settles | None = None
    tries: str = ""


def card(outcome: Outcome, inventory: Inventory | None = None) -> EvidenceCard:
    """What the window shows of an outcome on a target with this inventory."""
    look = LOOKS[group_of(outcome)]
    if isinstance(outcome, NotJudged) and outcome.turns_on:
        settles = _settles(outcome)
        rows = (
            (_OTHERWISE.get(label, label), in_window(text))
            for label, text in open_rows(outcome)
            if not (settles is not None and label in DONE_BY_BUTTON)
        )
        front = tuple(FactRow(_captioned(label), text) for label, text in rows)
        return EvidenceCard(look, deed(outcome), turning(outcome), front=front, settles=settles)
    if not isinstance(outcome, Recommendation):
        probe = isinstance(outcome, NotJudged) and lacks_points(outcome)
        settles = Settles.PROBE if probe else None
        return EvidenceCard(look, outcome.title, why.sentence(outcome.why), settles=settles)
    near, far = nearest_first(cited(outcome.findings), inventory)
    moves = outcome.verdict is Verdict.RECOMMEND and bool(outcome.proposed)
    reasons = [
        (label in UP_FRONT, FactRow(_captioned(label), text)) for label, text in grounds(outcome)
    ]
    return EvidenceCard(
        look,
        deed(outcome),
        outcome.saw,
        outcome if moves else None,
        tuple(_chips(outcome)),
        outcome.topic,
        tuple(row for in_front, row in reasons if in_front),
        outcome.evidence,
        marked(outcome),
        tuple(row for in_front, row in reasons if not in_front),
        *_blocks(outcome),
        tuple(near),
        tuple(far),
        tries=outcome.rule if tryable([outcome]) else "",
    )


def _settles(question: NotJudged) -> Settles | None:
    """The button that finds an open question's answer; None where a person does."""
    if question.closes_s:
        return Settles.WATCH if question.by_watching else Settles.DECIDE
    if any(lab_command(each.setting) for each in question.answers):
        return Settles.LAB
    return None if question.settled_by else Settles.DECIDE


def _blocks(item: Recommendation) -> tuple[Blocks, Blocks]:
    """How it is done, then the rest of what can be copied."""
    rows = list(doing(item))
    first = IN_PLACE if any(label in IN_PLACE for label, _ in rows) else {"option file"}
    made = [
        (label in first, (_captioned(label), in_window(text) if label in READ else text))
        for label, text in rows
    ]
    return tuple(one for front, one in made if front), tuple(
        one for front, one in made if not front
    )


def _chips(item: Recommendation) -> list[str]:
    """Gain, confidence and what it takes, as short as labels are."""
    shown: list[str] = []
    if item.verdict is not Verdict.FINE:
        shown += filter(None, (capital(gain_of(item)),))
        shown.append(sureness(item, "Confidence: {}"))
    if item.needs is Needs.DYNAMIC:
        shown.append("No restart")
    elif needs := NEEDS[item.needs]:
        shown.append(f"Needs {needs}")
    return shown


def published(finding: PublishedFinding) -> FactRow:
    """A published finding: its id, what was found and when, and where that stands."""
    return FactRow(finding.id, sentence(finding), source(finding))


def fact_name(evidence: Evidence) -> str:
    """Which fact was read; MySQL's own names stand for themselves."""
    return evidence.fact.removeprefix("mysql.variable.").removeprefix("mysql.status.")


def _captioned(label: str) -> str:
    return capital(label)
