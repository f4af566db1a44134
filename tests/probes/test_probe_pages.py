"""Every probe has its page, with all that a page must tell."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from probes.points import Probe, Setting
from probes.trust import across, arrival, foreign
from probes.trust.across import (
    compression,
    impossible_latency,
    moving_parts,
    small_set,
    undurable_sync,
)
from probes.trust.arrival import busy_cpu, stolen_time
from probes.trust.buses import CEILING_BYTES_PER_S

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
    assert Setting.__doc__
    for option in OPTIONS[probe]:
        assert f"``{option}``" in Setting.__doc__
        assert f"`{option}`" in parameters


def test_the_page_on_trust_tells_the_thresholds_that_hold() -> None:
    text = page("trust")
    for said in (
        f"below {impossible_latency.LEAST_US:.0f} µs",
        f"more than {moving_parts.MOST_READS_PER_S:,.0f} random reads/s",
        f"below {undurable_sync.NO_DRIVE_US:.0f} µs",
        f"below {undurable_sync.PROTECTED_US:.0f} µs",
        f"below {undurable_sync.TURNING_US / 1000:.0f} ms",
        f"above {busy_cpu.BUSIEST:.0%}".replace("%", " %"),
        f"gave {stolen_time.MUCH:.0%}".replace("%", " %"),
        f"SATA {CEILING_BYTES_PER_S['sata'] / 1e6:.0f} MB/s",
        f"NVMe {CEILING_BYTES_PER_S['nvme'] / 1e9:.1f} GB/s",
        f"| {compression.FACTOR} times as fast as random data",
    ):
        assert said.lower() in text.lower(), said
    assert small_set.FACTOR == 3.0
    assert foreign.SHARE == 0.1


def test_the_page_on_trust_has_a_line_for_each_check() -> None:
    checks = [
        path
        for package in (arrival, across)
        for path in Path(package.__file__).parent.glob("*.py")
        if path.stem not in ("__init__", "seen", "beside")
    ]
    rows = re.findall(r"^\| (?!check|---)", page("trust"), re.MULTILINE)
    assert len(rows) == len(checks)
