"""A rule's title stands above its page and all that is fine: it names what is judged, no fault.

``The pool is too small`` reads oddly over "Fine as it is"; ``The size of the buffer pool`` does
not. What a machine can see of that is held here.
"""

from __future__ import annotations

import re

import pytest

from advisor.outcomes import NotJudged, Outcome, Recommendation, Verdict
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from advisor.steps import SetVariable
from advisor.wording.advice.evidence_card import deed
from tests.each import of_each
from tests.rules.test_rules import outcomes_of

RULES = {rule.id: rule for rule in all_rules()}

FAULT = re.compile(
    r"\b(too (?:\w+)|far \w+er|almost|hardly|nothing|nobody|never|not|in vain|again and again"
    r"|without a word|pushed out|switched (?:on|off)|thrown (?:out|away)"
    r"|loses?|lost|lacks?|fails?|hinders?|wastes?|wasted|starves?|refuses?"
    r"|freezes?|damages?|broken|wrong|missing|late|slow|stale|harmful|worth \w+|better \w+)\b",
    re.IGNORECASE,
)
"""Words that say that something is amiss, or that the outcome is known."""

SENTENCE = re.compile(
    r"^(?:Each|Every|Few|One|Only|Whether)\b"
    r"|^(?!How\b|What\b|Where\b)(?:(?!\b(?:that|which|who|what|how|where|when|whether)\b)[^,:])*"
    r"\b(?:is|are|was|were|has|have|may|must|can|could|does|do|gives|takes|makes|keeps|brings)\b"
)
"""A main clause: its verb already judges. In a clause with ``that`` or ``what`` it only names."""


@of_each(RULES)
def test_a_title_names_what_is_judged(rule: Rule) -> None:
    assert not FAULT.search(rule.title), rule.title
    assert not SENTENCE.search(rule.title), rule.title
    assert not re.search(r"[.!?]", re.sub(r"\d\.\d+(?:\.\d+)*", "", rule.title)), rule.title


@pytest.mark.parametrize(
    "title",
    [
        "The pool is too small",
        "A file system that is almost full",
        "innodb_flush_sync switched off",
        "MariaDB gives buffer pool back when the machine is short of memory",
        "Linear read-ahead that fetches pages in vain",
        "Each read leaves a time behind",
        "Nothing is left for the operating system",
        "Table definitions that are read again and again",
    ],
)
def test_a_fault_or_a_sentence_is_noticed(title: str) -> None:
    assert FAULT.search(title) or SENTENCE.search(title)


@pytest.mark.parametrize(
    "title",
    [
        "How near the checkpoint is to the redo log's limit",
        "Measured flushing against what is planned and written",
        "The block that is written at once",
        "Waits for a free page of the buffer pool, and their cause",
    ],
)
def test_the_name_of_a_thing_passes(title: str) -> None:
    assert not FAULT.search(title)
    assert not SENTENCE.search(title)


NOUN = re.compile(
    r"^(?:An?|The|How|What|Where|Whether|That|[A-Z]\w*(?:ing|tion|ity|ness)|\w*_\w*)\b"
)
"""Words that no order begins with."""

LONGEST = 110
"""Characters of a title, with a path in it."""


def asks(outcome: Outcome) -> bool:
    if isinstance(outcome, NotJudged):
        return bool(outcome.turns_on)
    return isinstance(outcome, Recommendation) and outcome.verdict is not Verdict.FINE


@of_each(RULES)
def test_what_asks_for_something_says_what_to_do(rule: Rule) -> None:
    for outcome in outcomes_of(rule):
        said = deed(outcome)
        if not asks(outcome):
            assert said == rule.title
            continue
        assert said != rule.title
        assert said[0].isupper(), said
        assert not said.endswith("."), said
        assert not NOUN.search(said), said
        assert len(said) <= LONGEST, said


@of_each(RULES)
def test_a_change_of_the_judged_setting_is_named_with_its_value(rule: Rule) -> None:
    for one in outcomes_of(rule):
        if isinstance(one, Recommendation) and one.verdict is Verdict.RECOMMEND:
            own = [each for each in one.steps if isinstance(each, SetVariable)]
            if one.setting in {each.name for each in own}:
                assert deed(one).startswith(f"Set {one.setting} to "), deed(one)
