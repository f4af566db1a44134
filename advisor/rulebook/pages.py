"""The rules' pages as Markdown: the manual of what Leadline knows, made from the rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from advisor.rulekit.rule import Rule
from advisor.wording.advice.published import cited, sentence, source

_INTRODUCTION = """\
# Rules

What Leadline knows, a page a question. A page is the text at the top of its rules, or in a row of a
table, to which the links go; `leadline rules show ID` prints it with the facts that it reads and
the findings behind it, and `make docs` writes all of them into build/rules/, and this index.

A rule recommends a change, says that all is fine, or that something should be watched. Where a
fact is missing it is not judged; where it has nothing to say about a server it is not applicable.
Both say why.
"""


def page(rule: Rule) -> str:
    """One rule's page: what it is about, the text, and the facts that it looks at."""
    return f"# {rule.title}\n\n{body(rule)}"


def body(rule: Rule) -> str:
    """The same below its title."""
    return _about(rule, f"{rule.text}\n\n")


def parts(rules: Sequence[Rule]) -> Iterator[tuple[str, str]]:
    """The page of all ``rules`` that share one: their ids and the parts of it under each.

    The common text comes first, under the page's id.
    """
    first = rules[0]
    if first.page != first.id:
        yield first.page, f"# {first.question}\n\n{first.text}\n"
    for rule in rules:
        text = _about(rule, "") if rule.page != rule.id else body(rule)
        yield rule.id, f"# {rule.title}\n\n{text}"


def _about(rule: Rule, text: str) -> str:
    about = "\n".join(f"- {label}: {of}" for label, of in particulars(rule))
    return f"{about}\n\n{text}{rule.facts}\n{_published(rule)}"


def by_page(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    """The rules of each page, by its id."""
    found: dict[str, list[Rule]] = {}
    for rule in sorted(rules, key=lambda each: (each.page, each.id)):
        found.setdefault(rule.page, []).append(rule)
    return found


def particulars(rule: Rule) -> Iterator[tuple[str, str]]:
    """Id, topic, settings, servers, and what goes first; what there is of them."""
    yield "Rule", f"`{rule.id}`, since {rule.since}"
    yield "Topic", rule.topic
    if rule.settings:
        yield "Settings", ", ".join(f"`{name}`" for name in rule.settings)
    yield "Servers", servers(rule)
    if rule.waits_for:
        yield "Waits for", ", ".join(f"`{other}`" for other in rule.waits_for)


def servers(rule: Rule) -> str:
    """Which servers a rule speaks about, in words."""
    return " and ".join(str(versions) for versions in rule.applies_to) or "all"


def family(rule: Rule) -> str:
    """The family that a rule is listed in."""
    return rule.id.partition(".")[0]


def index_row(rule: Rule) -> str:
    """A rule's line in the index, which links to its source."""
    return f"| [{rule.id}](../../{rule.source}) | {rule.title} | {servers(rule)} |"


def index(rules: Sequence[Rule]) -> str:
    """The list of all rules, as it stands in docs/rules/."""
    blocks = [_INTRODUCTION]
    for name, members in groupby(sorted(rules, key=lambda rule: rule.id), family):
        rows = map(index_row, members)
        head = f"## {name}\n\n| rule | what it judges | servers |\n| --- | --- | --- |"
        blocks.append("\n".join((head, *rows, "")))
    return "\n".join(blocks)


def _published(rule: Rule) -> str:
    """The findings behind it, each with its conditions and its source."""
    if not rule.findings:
        return ""
    found = [
        f"- {sentence(finding)}  \n  {finding.id}: {source(finding)}"
        for finding in cited(rule.findings)
    ]
    return "\n".join(("\n## Published findings", *found, ""))
