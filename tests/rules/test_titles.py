"""A rule's title stands above every outcome of it: it names what is judged, never the fault.

``The pool is too small`` reads oddly over "Fine as it is"; ``The size of the buffer pool`` does
not. What a machine can see of that is held here.
"""

from __future__ import annotations

import re

import pytest

from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from tests.each import of_each

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
