"""An open question: each answer with its share of the draws, and what it costs if it is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from advisor.gain import FLOOR, QueryTime
from advisor.judging.engine import answer_of, outcome_of
from advisor.outcomes import NotJudged, OpenAnswer, Outcome, Recommendation, Verdict
from advisor.rulekit.answers import Answer, Judged
from advisor.rulekit.facts import FactSource
from advisor.rulekit.rule import Rule
from advisor.why import Ends, TurnsOn

LOOKED_IN_VAIN = "A look at what is fine."

_GRAVEST = (Verdict.RECOMMEND, Verdict.WATCH, Verdict.FINE)


_NOTHING_DONE = frozenset({Ends.FINE, Ends.WATCH})


def decides(kinds: Collection[Ends], *, held: bool) -> bool:
    """Whether what is to be done hangs on which of these answers is right.

    With ``held`` no change would be made now: it would wait for another rule's, or is only made
    where it is asked for.
    """
    idle = _NOTHING_DONE | {Ends.RECOMMEND} if held else _NOTHING_DONE
    return not idle.issuperset(kinds)


def asks_slightly(answers: Sequence[Answer], likely: float) -> bool:
    """Whether a plan would hold no change unasked, in a ``likely`` share of these answers at least.

    Such a change is one without which no figure shows any harm.
    """
    asked = [
        each for each in answers if isinstance(each, Judged) and each.verdict is Verdict.RECOMMEND
    ]
    planned = [each for each in asked if each.relieves or not each.slight]
    return len(planned) < len(asked) and len(planned) <= (1 - likely) * len(answers)


def brings_little(answers: Sequence[Answer], time: QueryTime | None) -> bool:
    """Whether no change among these answers brings what is felt: nobody need measure for it."""
    asked = [
        each for each in answers if isinstance(each, Judged) and each.verdict is Verdict.RECOMMEND
    ]
    if time is None or not asked or any(each.urgency > 0 for each in asked):
        return False
    gains = [time.off_waits(each.relieves) if each.relieves else None for each in asked]
    return all(gain is not None and gain.high < FLOOR for gain in gains)


def opened(measured: Outcome, counted: Counter[Ends], turns_on: str) -> NotJudged:
    """Each answer with its share, and what decides between them."""
    number = counted.total()
    shares = tuple((kind, n / number) for kind, n in counted.most_common())
    return NotJudged(measured.rule, measured.title, TurnsOn(turns_on, shares), turns_on)


def both_answers(
    rule: Rule, drawn: Mapping[Ends, Sequence[FactSource]], time: QueryTime | None
) -> tuple[OpenAnswer, ...]:
    """What a rule says in the middle one of each kind of draws, the most frequent kind first.

    ``drawn`` are the draws by the kind of answer that each has led to.
    """
    number = sum(map(len, drawn.values()))
    found = {}
    for kind, alike in drawn.items():
        source = alike[len(alike) // 2]
        outcome = outcome_of(rule, *answer_of(rule, source), source, time)
        if isinstance(outcome, Recommendation):
            found[kind] = replace(outcome, share=len(alike) / number)
    gravest = min(found.values(), key=lambda one: _GRAVEST.index(one.verdict), default=None)
    if gravest is None or len(found) == 1:
        return ()
    ordered = sorted(found.values(), key=lambda one: -one.share)
    return tuple(_answer(one, gravest) for one in ordered)


def _answer(one: Recommendation, gravest: Recommendation) -> OpenAnswer:
    """An answer with its cost; to leave a change undone costs what that would have brought."""
    if one is not gravest:
        return OpenAnswer(one.verdict, one.share, misses=gravest.effect, loses=gravest.gain)
    asks = one.verdict is Verdict.RECOMMEND
    return OpenAnswer(
        one.verdict,
        one.share,
        setting=one.setting if asks else "",
        now=one.now if asks else "",
        proposed=one.proposed if asks else "",
        wrong=one.cost_of_error if asks else LOOKED_IN_VAIN,
    )
