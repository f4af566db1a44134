"""The rules' pages as Markdown: the manual of what Leadline knows, made from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from advisor.report.published import cited, sentence, source
from advisor.rulekit.rule import Rule

INDEX = "README.md"

_INTRODUCTION = """\
# Rules

What Leadline knows, a page a rule. The pages are made from the rules themselves (`make docs`);
`leadline rules show ID` prints the same.

A rule recommends a change, says that all is fine, or that something should be watched. Where a
fact is missing it is not judged; where it has nothing to say about a server it is not applicable.
Both say why.
"""


def page(rule: Rule) -> str:
    """One rule's page: what it is about, its own text, and the facts that it looks at."""
    title, _, body = rule.documentation.partition("\n")
    about = "\n".join(f"- {label}: {text}" for label, text in particulars(rule))
    return f"{title}\n\n{about}\n\n{body.strip()}\n{_published(rule)}"


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
    """The folder that a rule lies in."""
    return rule.id.partition(".")[0]


def place(rule: Rule) -> str:
    """Where a rule's page lies below the folder of all pages."""
    return f"{rule.id.replace('.', '/')}.md"


def pages(rules: Sequence[Rule]) -> dict[str, str]:
    """Every page by its place: one for each rule, and the index of all."""
    return {INDEX: _index(rules)} | {place(rule): page(rule) for rule in rules}


def _index(rules: Sequence[Rule]) -> str:
    blocks = [_INTRODUCTION]
    for name, members in groupby(sorted(rules, key=lambda rule: rule.id), family):
        rows = [
            f"| [{rule.id}]({place(rule)}) | {rule.title} | {servers(rule)} |" for rule in members
        ]
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
