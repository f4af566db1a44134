"""Thresholds without a source are marked as our choice on each rule's page."""

from __future__ import annotations

import re

from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from tests.each import of_each

FIGURE = re.compile(
    r"\d[\d,.]*\s*(?:%|ms|µs|us|s\b|GiB|MiB|KiB|times|pages|reads|queries|threads|/s|million"
    r"|minutes|hours|days)|\d+\.\d+ x|x \d"
)

SOURCED = {
    "block.alignment": "what drives and partitioning tools align to",
    "durability.flush-log-at-timeout": "the default, and the least that the server does",
    "redo.checkpoint-age": "where servers of each family flush for the log alone, in their sources",
    "redo.flush-spin": "the server's own default limit",
    "redo.write-ahead-size": "sizes of blocks as the kernel and the drive have them",
    "threads.max-purge-lag": "the server's own formula",
}
"""Rules whose figures are all somebody else's, and whose."""


def judged(rule: Rule) -> str:
    section = rule.text.split("## How it is judged")[1].split("\n## ")[0]
    return " ".join(section.split())


@of_each({rule.id: rule for rule in all_rules()})
def test_a_page_with_thresholds_says_which_are_ours(rule: Rule) -> None:
    text = judged(rule)
    if FIGURE.search(text) and rule.id not in SOURCED:
        assert "our choice" in text, "mark what has no source with (our choice)"


def test_nothing_is_excused_that_needs_no_excuse() -> None:
    pages = {rule.id: judged(rule) for rule in all_rules()}
    for rule in SOURCED:
        assert FIGURE.search(pages[rule]), rule
        assert "our choice" not in pages[rule], rule
