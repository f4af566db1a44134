"""The rules' own pages in build/rules/ with their index in docs/, and the site's, by family."""

from __future__ import annotations

import re
import shutil
from itertools import groupby

from advisor.rulebook.pages import family, index, page, page_path, servers
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from docs.build.tree_pages import ROOT, RULES, rule_label

_ABOUT = """\
A rule recommends a change, says that all is fine, or that something should be watched. Where a fact
is missing it is not judged; where it has nothing to say about a server it is not applicable. Both
say why. `leadline rules show ID` prints a rule's page.
"""


def write() -> None:
    """Write the index that is kept, and every rule's page."""
    rules = all_rules()
    (ROOT / "docs" / "rules" / "README.md").write_text(index(rules), encoding="utf-8")
    folder = ROOT / "build" / "rules"
    shutil.rmtree(folder, ignore_errors=True)
    for rule in rules:
        path = folder / page_path(rule)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(page(rule), encoding="utf-8")


def pages() -> dict[str, str]:
    """Each family's page by its place on the site, with the list of all rules."""
    rules = all_rules()
    families = {name: list(members) for name, members in groupby(rules, family)}
    listed = f"# Rules\n\n{len(rules)} rules. {_ABOUT}"
    made = {}
    for name, members in families.items():
        rows = "\n".join(f"| {_link(rule)} | {rule.title} | {servers(rule)} |" for rule in members)
        listed += (
            f"\n## {name}\n\n| rule | what it judges | servers |\n| --- | --- | --- |\n{rows}\n"
        )
        made[f"{RULES}/{name}.md"] = _page(name, members)
    return {f"{RULES}/index.md": listed, **made}


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
