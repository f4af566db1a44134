"""Writes what was found: JSON for each benchmark, one page of Markdown for all."""

from __future__ import annotations

import json
import os
import platform
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from outcome import Measured, Outcome, middle
from process import run

HERE = Path(__file__).resolve().parent


def machine() -> dict[str, str]:
    """What the figures depend on."""
    return {
        "processor": f"{_processor()}, {os.cpu_count()} logical",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "kernel": f"{platform.system()} {platform.release()}",
        "fio": run(["fio", "--version"]).output.strip(),
        "sysbench": run(["sysbench", "--version"]).output.split(" (")[0].strip(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def _processor() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.machine()


def save(outcome: Outcome, facts: dict[str, str]) -> None:
    """Keep one benchmark's figures in results/."""
    folder = HERE / "results"
    folder.mkdir(exist_ok=True)
    text = json.dumps({"machine": facts} | outcome.document(), indent=1)
    (folder / f"{outcome.name}.json").write_text(text + "\n", encoding="utf-8")


def page(
    outcomes: list[Outcome],
    facts: dict[str, str],
    *,
    title: str = "The agent beside fio and sysbench",
    command: str = "make bench",
) -> str:
    """RESULTS.md, or another page of the same form."""
    lines = [
        f"# {title}",
        "",
        f"Written by `{command}`; every run's figures are in [results/](results/).",
        "",
    ]
    lines += [f"- {name}: {value}" for name, value in facts.items()]
    for outcome in outcomes:
        lines += ["", f"## {outcome.title}", "", *_section(outcome)]
    return "\n".join(lines) + "\n"


def put_in(text: str, outcome: Outcome, facts: dict[str, str]) -> str:
    """A page with one benchmark's section written anew, and said on which machine that was.

    A page that has no such section gets it at its end.
    """
    heading = f"## {outcome.title}\n"
    before, found, after = text.partition(heading)
    rest = after[after.index("\n## ") :] if found and "\n## " in after else ""
    where = ", ".join(facts[name] for name in ("processor", "memory", "kernel", "fio", "date"))
    section = "\n".join([heading, f"On {where}.", "", *_section(outcome)])
    return f"{before if found else before + chr(10)}{section}\n{rest}"


def _section(outcome: Outcome) -> list[str]:
    lines = [outcome.method, "", *_table(outcome.rows)]
    lines += ["", "| bar | found | limit | met |", "| --- | ---: | ---: | --- |"]
    for bar in outcome.bars:
        sign = "≥" if bar.at_least else "≤"
        met = "yes" if bar.met else "**no**"
        lines.append(f"| {bar.name} | {bar.ratio:.3f} | {sign} {bar.limit} | {met} |")
    return [*lines, "", *outcome.notes] if outcome.notes else lines


def _table(rows: list[Measured]) -> list[str]:
    lines = [
        "| setting | program | rate/s | median latency, µs | user, µs/op | system, µs/op |",
        "| --- | --- | ---: | ---: | ---: | ---: |",
    ]
    settings = dict.fromkeys(row.setting for row in rows)
    programs = sorted({row.program for row in rows})
    for setting, program in product(settings, programs):
        some = [row for row in rows if (row.setting, row.program) == (setting, program)]
        latency = (
            "" if some[0].p50_us is None else f"{middle(some, lambda row: row.p50_us or 0):.1f}"
        )
        rate = middle(some, lambda row: row.rate_per_s)
        lines.append(
            f"| {setting} | {program} | {rate:,.0f} | {latency} "
            f"| {middle(some, lambda row: row.user_us):.3f} "
            f"| {middle(some, lambda row: row.system_us):.3f} |"
        )
    return lines
