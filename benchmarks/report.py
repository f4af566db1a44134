"""Writes what was found: pages of Markdown that are kept, and every figure in build/bench/."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import product
from pathlib import Path

from outcome import Measured, Outcome, middle
from process import run

HERE = Path(__file__).resolve().parent
RAW = HERE.parent / "build" / "bench"
"""Every run's figures, as JSON; no part of the source tree."""

SUMMARY = HERE / "SUMMARY.md"


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
    """Write one benchmark's figures into build/bench/."""
    save_raw(outcome.name, {"machine": facts} | outcome.document())


def save_raw(name: str, document: Mapping[str, object]) -> None:
    """Write every figure of a benchmark into build/bench/."""
    RAW.mkdir(parents=True, exist_ok=True)
    (RAW / f"{name}.json").write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


def sum_up(command: str, sentence: str, facts: Mapping[str, str]) -> None:
    """Keep the latest result of a benchmark that has no page of its own: a line of SUMMARY.md."""
    text = SUMMARY.read_text(encoding="utf-8")
    where = ", ".join(facts[name] for name in ("processor", "memory", "kernel", "date"))
    lines = [line for line in text.splitlines() if not line.startswith(f"- `{command}`:")]
    SUMMARY.write_text(
        "\n".join([*lines, f"- `{command}`: {sentence} ({where})"]) + "\n", encoding="utf-8"
    )


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
        f"Written by `{command}`; it leaves every run's figures in build/bench/.",
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
