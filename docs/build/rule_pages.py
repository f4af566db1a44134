"""The rules' own pages in build/rules/ with their index in docs/, and the site's, by family."""

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import groupby

from advisor.rulebook.dates import FILE, dated, page_dates
from advisor.rulebook.pages import by_page, family, index, parts, servers
from advisor.rulekit.registry import all_rules
from advisor.rulekit.rule import Rule
from docs.build.tree_pages import ROOT, RULES, rule_label

_ABOUT = """\
A rule recommends a change, says that all is fine, or that something should be watched. Where a fact
is missing it is not judged; where it has nothing to say about a server it is not applicable. Both
say why. `leadline rules show ID` prints a rule's page.
"""


def write() -> None:
    """Write what is kept, the index and the days of the pages, and every rule's page."""
    rules = all_rules()
    (ROOT / "docs" / "rules" / "README.md").write_text(index(rules), encoding="utf-8")
    days = dated(rules, page_dates(), datetime.now(UTC).date())
    (ROOT / "resources" / FILE).write_text(days, encoding="utf-8")
    folder = ROOT / "build" / "rules"
    shutil.rmtree(folder, ignore_errors=True)
    for name, members in by_page(rules).items():
        path = folder / f"{name.replace('.', '/')}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(text for _, text in parts(members)), encoding="utf-8")


def pages() -> dict[str, str]:
    """Each family's page by its place on the site, with the list of all rules."""
    rules = all_rules()
    pages_of = groupby(by_page(rules).items(), lambda each: each[0].partition(".")[0])
    made = {f"{RULES}/{name}.md": _page(name, dict(members)) for name, members in pages_of}
    listed = f"# Rules\n\n{len(rules)} rules. {_ABOUT}"
    for name, members in groupby(rules, family):
        rows = "\n".join(f"| {_link(rule)} | {rule.title} | {servers(rule)} |" for rule in members)
        listed += (
            f"\n## {name}\n\n| rule | what it judges | servers |\n| --- | --- | --- |\n{rows}\n"
        )
    return {f"{RULES}/index.md": listed, **made}


def _link(rule: Rule) -> str:
    return f"[{rule.id}](#{_label(rule.id)})"


def _label(name: str) -> str:
    return rule_label(*name.split(".", 1))


def _page(family_name: str, questions: Mapping[str, list[Rule]]) -> str:
    blocks = [f"# {family_name}\n"]
    for members in questions.values():
        blocks += [f"({_label(name)})=\n{_lower(text)}" for name, text in parts(members)]
    return "\n".join(blocks)


def _lower(text: str) -> str:
    """The same as a part of a page; what has the same name in all rules is no heading there."""
    text = re.sub(r"^## (.*)$", r"**\1**\n", text, flags=re.MULTILINE)
    return re.sub(r"^# ", "## ", text)
