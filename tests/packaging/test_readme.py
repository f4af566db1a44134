"""A package index shows the README where none of its relative links would lead anywhere."""

from __future__ import annotations

from hatch_readme import shown_elsewhere

from tests.conftest import ROOT

PAGE = """# Leadline

![The window](docs/home.png)

See [the docs](docs/index.md#start), [elsewhere](https://example.org/) and [below](#more).
"""


def test_links_lead_to_the_sources_of_this_version() -> None:
    shown = shown_elsewhere(PAGE, "https://example.org/leadline/", "0.9.0")
    at = "https://example.org/leadline"
    assert f"![The window]({at}/raw/v0.9.0/docs/home.png)" in shown
    assert f"[the docs]({at}/blob/v0.9.0/docs/index.md#start)" in shown
    assert "[elsewhere](https://example.org/) and [below](#more)" in shown


def test_where_nobody_knows_the_sources_links_are_text() -> None:
    shown = shown_elsewhere(PAGE, "", "0.9.0")
    assert shown.startswith("# Leadline\n\nSee the docs, [elsewhere](https://example.org/)")
    assert "docs/" not in shown_elsewhere((ROOT / "README.md").read_text("utf-8"), "", "0.9.0")
