"""An open question in words: each answer, what it costs if it is wrong, and what settles it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from advisor.judging.open_questions.closing import LONGEST_S
from advisor.lab.asked import USUAL_BUDGET_S
from advisor.outcomes import NotJudged, OpenAnswer, Verdict
from advisor.trial.advised import may_switch
from advisor.variables.naming import change_text
from advisor.why import TurnsOn
from advisor.wording.advice.gains import EYE, share_text
from advisor.wording.advice.tried import lab_command
from advisor.wording.advice.why import sentence, turns_on
from probes.figures import PERCENT, seconds
from probes.plans.plan import UNTIL_DECIDED

SETTLES = "what settles it"
IN_THE_LAB = "or try it"

NO_VERDICT = "no verdict"
"""What is said of draws that lead to none."""

_NO_REST = 1e-6
"""What adding up shares may leave of one."""

_LEFT = {Verdict.WATCH: f"{EYE} it", Verdict.FINE: "leave it as it is"}


def deciding(target: str = "") -> str:
    """The command that measures what is open, of a target where one is named."""
    return " ".join(filter(None, ("leadline check", target, f"--budget {UNTIL_DECIDED}")))


def watching(closes_s: float, target: str = "") -> str:
    """The command that watches for so long, a target where one is named."""
    return " ".join(filter(None, ("leadline watch", target, f"--seconds {closes_s:.0f}")))


def turning(one: NotJudged) -> str:
    """What it turns on, as a sentence; with the shares where its answers do not say them."""
    if one.answers and isinstance(one.why, TurnsOn):
        return turns_on(one.why)
    return sentence(one.why)


def open_rows(one: NotJudged) -> Iterator[tuple[str, str]]:
    """Its answers and what settles it, label by label."""
    for number, answer in enumerate(_answers(one)):
        yield "or" if number else "either", answer
    yield SETTLES, settled_by(one)
    if one.closes_s:
        yield "command", watching(one.closes_s) if one.by_watching else deciding()
    if one.answers and (trying := lab_command(one.answers[0].setting)):
        yield IN_THE_LAB, f"{trying}: about {seconds(USUAL_BUDGET_S)}, on servers of its own"
    if not one.closes_s and (change := _to_try(one)) is not None:
        yield "command", f"leadline try --set {change.setting}={change.proposed}"


def open_sentences(one: NotJudged) -> str:
    """The same as sentences, for a text that has no labels."""
    either = [_begun(each) for each in _answers(one)]
    return " ".join([*either, f"{SETTLES.capitalize()}: {settled_by(one)}"])


def _answers(one: NotJudged) -> Iterator[str]:
    """What is done, its share, and its cost: ``size: 1 → 2 (64 %). If that is wrong, ...``."""
    costs = [cost_sentence(each) for each in one.answers]
    for answer, cost in zip_longest(_shared(one), costs, fillvalue=""):
        yield f"{answer}. {cost}".rstrip()


def _shared(one: NotJudged, *, named: bool = True) -> list[str]:
    """Each answer with its share; where these are not all, the rest has no verdict.

    Whole per cents that make 100 together: the largest parts that were cut off are rounded up.
    """
    shares = [each.share for each in one.answers]
    rest = 1 - sum(shares)
    answers = [done(each, named=named) for each in one.answers]
    if answers and rest > _NO_REST:
        shares.append(rest)
        answers.append(NO_VERDICT)
    whole = [int(100 * share) for share in shares]
    cut = sorted(range(len(whole)), key=lambda at: whole[at] - 100 * shares[at])
    for at in cut[: 100 - sum(whole)]:
        whole[at] += 1
    return [f"{each} ({part}{PERCENT})" for each, part in zip(answers, whole, strict=True)]


def done(one: OpenAnswer, *, named: bool = True) -> str:
    """What is done by an answer, in a few words; unless ``named`` a change is its values alone."""
    if one.verdict is not Verdict.RECOMMEND:
        return _LEFT[one.verdict]
    return change_text(one.setting, one.now, one.proposed, named=named)


def cost_sentence(one: OpenAnswer) -> str:
    """What it costs if it is wrong, in a sentence; "" where nobody knows."""
    if one.loses is not None and one.loses.high <= 0:
        return "If that is wrong, it costs no query time."
    if one.loses is not None:
        return f"If that is wrong, it costs {share_text(one.loses)} of query time."
    if one.misses:
        return f"If that is wrong, this is missed: {one.misses}"
    return f"If that is wrong, it costs: {one.wrong}" if one.wrong else ""


def settled_by(one: NotJudged) -> str:
    """What would settle it, with its seconds."""
    if one.settled_by:
        return one.settled_by
    if one.closes_s and one.by_watching:
        return f"About {seconds(one.closes_s)} of watching the server."
    if one.closes_s:
        return f"About {seconds(one.closes_s)} more of measuring it."
    if _to_try(one) is not None:
        return "Trying it on the server under load: nothing else shows what it brings here."
    return f"Nothing surely: neither measuring again nor a watch, of up to {seconds(LONGEST_S)}."


def _to_try(one: NotJudged) -> OpenAnswer | None:
    """The answer that a trial can switch to; None where none has one."""
    asked = (each for each in one.answers if each.verdict is Verdict.RECOMMEND)
    return next((each for each in asked if may_switch(each.setting)), None)


def in_short(one: NotJudged, *, named: bool = True) -> str:
    """The answers and how soon one is known, as short as a list has room for.

    Without ``named`` it is known of which setting the values are.
    """
    answers = " or ".join(_shared(one, named=named))
    how = "of watching settles it" if one.by_watching else "more settles it"
    soon = f"about {seconds(one.closes_s)} {how}" if one.closes_s else ""
    short = "; ".join(filter(None, (answers, soon)))
    if named or one.answers[0].verdict is not Verdict.RECOMMEND:
        short = _begun(short)
    short += "." if answers or soon else ""
    return " ".join(filter(None, (short, one.settled_by)))


def _begun(text: str) -> str:
    """Begin with a capital; names of settings stay as they are written."""
    word = text.partition(" ")[0]
    return text[:1].upper() + text[1:] if word.isalpha() else text
