"""The site's pages: the reference holds all that there is, and every link leads somewhere."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import click
import pytest

from advisor.rulekit.registry import all_rules
from advisor.variables.sheets import SHEETS
from app.cli.main import cli
from docs.build import proofs, site, tree_pages
from docs.build.commands import commands
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return site.pages()


def test_every_command_has_its_page_with_every_option(pages: dict[str, str]) -> None:
    top = click.Context(cli, info_name="leadline")
    for context in commands(top):
        name = context.command_path.split()[1]
        text = pages[f"reference/commands/{name}.md"]
        assert re.search(rf"^#+ {re.escape(context.command_path)}$", text, re.MULTILINE)
        for option in context.command.get_params(context):
            if isinstance(option, click.Option) and not option.hidden:
                assert option.opts[0] in text


def test_every_rule_and_variable_is_there(pages: dict[str, str]) -> None:
    rules = all_rules()
    for rule in rules:
        family, _, name = rule.id.partition(".")
        text = pages[f"reference/rules/{rule.page.partition('.')[0]}.md"]
        assert f"(rule-{family}-{name})=\n## {rule.title}\n" in text
        assert f"(#rule-{family}-{name})" in pages["reference/rules/index.md"]
    folder = [text for place, text in pages.items() if place.startswith("reference/variables/")]
    for name in SHEETS:
        assert sum(f"\n## {name}\n" in text for text in folder) == 1


def test_every_field_of_a_document_is_there(pages: dict[str, str]) -> None:
    for path in (ROOT / "resources" / "schema").glob("*.json"):
        text = pages[f"reference/documents/{path.stem}.md"]
        schema = json.loads(path.read_text("utf-8"))
        for part in (schema, *schema["$defs"].values()):
            for name in part.get("properties", {}):
                assert f"| `{name}` |" in text, (path.name, name)


def test_every_page_is_in_the_margin_once(pages: dict[str, str]) -> None:
    lists = re.findall(r"```\{toctree\}\n(.*?)```", "".join(pages.values()), re.DOTALL)
    entries = [line for each in lists for line in each.splitlines() if line and line[0] != ":"]
    listed = [entry.lstrip("/") for entry in entries if not entry.endswith("*")]
    listed += [place.removesuffix(".md") for place in pages if place.startswith("benchmarks/")]
    assert sorted(listed) == sorted({place.removesuffix(".md") for place in pages} - {"index"})


@pytest.mark.parametrize(
    ("link", "becomes"),
    [
        ("[a](watch.md)", "[a](watch.md)"),
        ("[a](probes/trust.md#how)", "[a](probes/trust.md#how)"),
        ("[a](../benchmarks/JUDGING.md)", "[a](benchmarks/judging.md)"),
        ("[a](../CONTRIBUTING.md)", "[a](contributing.md)"),
        ("[a](rules/README.md)", "[a](reference/rules/index.md)"),
        ("[a](../resources/schema/)", "[a](reference/documents/index.md)"),
        ("[a](../advisor/rules/redo/capacity.py)", "[a](#rule-redo-capacity)"),
        ("[a](../resources/rules/host.toml#zone-reclaim)", "[a](#rule-host-zone-reclaim)"),
        ("[list](../resources/secrets.txt)", "list (`resources/secrets.txt`)"),
        ("[a](https://example.com/a)", "[a](https://example.com/a)"),
        ("[a](#here)", "[a](#here)"),
        ("![a](screenshots/advice-light.png)", "![a](screenshots/advice-light.png)"),
        ("```sh\n[a](nowhere.md)\n```", "```sh\n[a](nowhere.md)\n```"),
    ],
)
def test_links_of_the_tree_become_the_sites(link: str, becomes: str) -> None:
    assert tree_pages.linked(link, "docs/page.md") == becomes


def test_a_link_that_leads_nowhere_is_named() -> None:
    with pytest.raises(tree_pages.BrokenLink, match=r"docs/page\.md links nowhere\.md"):
        tree_pages.linked("[a](nowhere.md)", "docs/page.md")


def test_what_a_page_would_load_from_elsewhere_is_found() -> None:
    text = (
        '<a href="https://example.com/">a link is none</a>'
        '<script src="https://cdn.example.com/a.js"></script>'
        '<link rel="stylesheet" href="//fonts.example.com/a.css"/><img src="_static/a.png"/>'
    )
    assert site.loaded_from_elsewhere(text) == [
        "https://cdn.example.com/a.js",
        "//fonts.example.com/a.css",
    ]


def test_what_is_proved_stands_as_it_was_measured_last() -> None:
    for path, parts in site.written().items():
        assert site.with_parts(path, parts) == path.read_text("utf-8"), "`make docs` writes it anew"


def test_a_claim_that_its_page_no_longer_makes_ends_the_making() -> None:
    gone = replace(proofs.FIRST[0], pattern=r"By hand: (\d+) parsecs")
    with pytest.raises(ValueError, match=r"benchmarks/ADVICE\.md no longer says"):
        gone.row("")


def test_of_forecasts_those_of_today_are_claimed_and_not_those_before() -> None:
    text = (ROOT / "benchmarks" / "WILD.md").read_text("utf-8")
    all_of_them = text.partition("## Kept for judging")[2].partition("| all | ")[2]
    _, _, error, _, inside, *_ = (cell.strip() for cell in all_of_them.split("|"))
    [wild] = (each for each in proofs.FURTHER if each.page == "WILD")
    row = wild.row("").replace("%", "\u202f%")
    assert f"| {error} off" in row
    assert f", {inside} within the band" in row


def test_of_columns_with_one_name_each_is_taken_in_its_turn() -> None:
    judged = proofs.parts(proofs.PAGE)["judging"].splitlines()
    head = [cell.strip() for cell in judged[0].split("|")]
    assert head.count("wrong") == 3
    every = [cell.strip() for cell in judged[2].split("|")]
    assert len({every[at] for at, name in enumerate(head) if name == "wrong"}) == 3
