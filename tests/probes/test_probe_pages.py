"""Every probe has its page, with all that a page must tell."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from probes.kinds.table import CHOICES
from probes.points import Probe
from probes.trust import point, review
from probes.trust.thresholds import ACROSS, ARRIVAL, Check, documented

PAGES = Path(__file__).resolve().parents[2] / "docs" / "probes"
SECTIONS = [
    "What it does",
    "Parameters",
    "What InnoDB does like it",
    "How to read it",
    "Source",
]
NAMES = [*(probe.value for probe in Probe), "torn_write"]


def page(name: str) -> str:
    return (PAGES / f"{name.replace('_', '-')}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_a_probe_has_its_page(name: str) -> None:
    text = page(name)
    assert text.startswith(f"# {name}: ")
    assert re.findall(r"^## (.*)$", text, re.MULTILINE) == SECTIONS
    for section in re.split(r"^## .*$", text, flags=re.MULTILINE)[1:]:
        assert len(section.split()) > 10
    assert "| parameter | values | usual |" in text


def test_no_page_is_left_over() -> None:
    expected = {f"{name.replace('_', '-')}.md" for name in NAMES} | {"trust.md", "README.md"}
    assert {path.name for path in PAGES.iterdir()} == expected
    index = (PAGES / "README.md").read_text(encoding="utf-8")
    assert all(f"({file})" in index for file in expected - {"README.md"})


def test_links_lead_somewhere() -> None:
    for path in PAGES.iterdir():
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert target.startswith("https://") or (PAGES / target).is_file(), (path.name, target)


OPTIONS = {
    Probe.RANDOM_READ: ["set", "touch"],
    Probe.REDO_SYNC: ["sync", "log", "binlog"],
    Probe.PAGE_FLUSH: ["doublewrite", "batch_pages"],
    Probe.MIXED: ["part", "flush_per_s", "doublewrite", "sync"],
    Probe.POINT_SELECT: ["protocol", "working_set"],
    Probe.PK_UPDATE: ["protocol", "working_set"],
    Probe.OLTP: ["statements"],
}


@pytest.mark.parametrize("probe", OPTIONS)
def test_all_options_of_a_setting_are_parameters_of_their_page(probe: Probe) -> None:
    parameters = page(probe).split("## ")[2]
    for option in OPTIONS[probe]:
        assert option in CHOICES
        assert f"`{option}`" in parameters


def test_the_page_on_trust_tells_the_thresholds_that_hold() -> None:
    text = page("trust")
    for mark, part in documented().items():
        assert f"<!-- {mark} -->\n{part}\n<!-- /{mark} -->" in text, "`make docs` writes it anew"


@pytest.mark.parametrize(
    ("rows", "checks"),
    [(ARRIVAL, point.CHECKS), (ACROSS, review.CHECKS)],
    ids=["arrival", "across"],
)
def test_each_check_of_trust_has_its_line(
    rows: tuple[Check, ...], checks: tuple[Callable[..., object], ...]
) -> None:
    told = [name for row in rows for name in row.checks]
    assert sorted(told) == sorted(check.__name__ for check in checks)


def test_thresholds_stand_in_the_lines() -> None:
    """A line says what holds: each of these figures is a constant that a check uses."""
    text = page("trust")
    for said in (
        "below 5 µs",
        "more than 1,000 random reads/s",
        "below 8 µs",
        "Below 20 µs",
        "below 2 ms",
        "above 85 %",
        "gave 10 %",
        "SATA 600 MB/s",
        "NVMe 30.3 GB/s",
        "1.5 times as fast as random data",
        "3 times as fast as the large one",
        "more than 10 % of what the device did",
    ):
        assert said in text, said
