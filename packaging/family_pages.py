"""The reference of the rules: a page for each family, made from the rules' own pages."""

from __future__ import annotations

import re
from itertools import groupby

from tree_pages import RULES, rule_label

from advisor.rulebook.pages import family, page, servers
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule

_ABOUT = """\
A rule recommends a change, says that all is fine, or that something should be watched. Where a fact
is missing it is not judged; where it has nothing to say about a server it is not applicable. Both
say why. `leadline rules show ID` prints a rule's page.
"""


def pages() -> dict[str, str]:
    """Each family's page by its place on the site, with the list of all rules."""
    rules = all_rules()
    families = {name: list(members) for name, members in groupby(rules, family)}
    index = f"# Rules\n\n{len(rules)} rules. {_ABOUT}"
    made = {}
    for name, members in families.items():
        rows = "\n".join(f"| {_link(rule)} | {rule.title} | {servers(rule)} |" for rule in members)
        index += (
            f"\n## {name}\n\n| rule | what it judges | servers |\n| --- | --- | --- |\n{rows}\n"
        )
        made[f"{RULES}/{name}.md"] = _page(name, members)
    return {f"{RULES}/index.md": index, **made}


def _link(rule: Rule) -> str:
    return f"[{rule.id}](#{_label(rule)})"


def _label(rule: Rule) -> str:
    return rule_label(*rule.id.split(".", 1))


def _page(name: str, members: list[Rule]) -> str:
    blocks = [f"# {name}\n"]
    blocks += [f"({_label(rule)})=\n{_lower(page(rule))}" for rule in members]
    return "\n".join(blocks)


def _lower(text: str) -> str:
    """The same as a part of a page; what has the same name in all rules is no heading there."""
    text = re.sub(r"^## (.*)$", r"**\1**\n", text, flags=re.MULTILINE)
    return re.sub(r"^# ", "## ", text)
