"""The rules' pages as Markdown: the manual of what Leadline knows, made from the rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from advisor.rulekit.rule import Rule
from advisor.wording.advice.published import cited, sentence, source

_INTRODUCTION = """\
# Rules

What Leadline knows, a page a rule. A page is the text at the top of its rule, or in its row of a
table, to which the links go; `leadline rules show ID` prints it with the facts that it reads and
the findings behind it, and `make docs` writes all of them into build/rules/, and this index.

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


def page_path(rule: Rule) -> str:
    """Where a rule's page is written, below the folder of all pages."""
    return f"{rule.id.replace('.', '/')}.md"


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
