"""Pages of Markdown with what was found, kept beside this folder; every figure in build/bench/."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.shared.process import run

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "benchmarks"
RAW = ROOT / "build" / "bench"
"""Every run's figures, as JSON; no part of the source tree."""


@dataclass(frozen=True)
class Bar:
    """A figure that has to stay at or below (or at or above) a limit."""

    name: str
    found: float
    limit: float
    at_least: bool = False

    @property
    def met(self) -> bool:
        """Whether it does."""
        return self.found >= self.limit if self.at_least else self.found <= self.limit


def status(bars: Iterable[Bar]) -> int:
    """The exit status: 1 where a bar is missed."""
    return 0 if all(bar.met for bar in bars) else 1


def machine() -> dict[str, str]:
    """What the figures depend on."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return {
        "processor": f"{next(names, platform.machine())}, {os.cpu_count()} logical",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "kernel": f"{platform.system()} {platform.release()}",
        "fio": run(["fio", "--version"]).output.strip(),
        "sysbench": run(["sysbench", "--version"]).output.split(" (")[0].strip(),
        "date": datetime.now(UTC).strftime("%Y-%m-%d"),
    }


def where(facts: Mapping[str, str]) -> str:
    """The machine in a line."""
    return ", ".join(facts[name] for name in ("processor", "memory", "kernel", "date"))


def table(header: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> list[str]:
    """Lines of a table; the first ``words`` columns hold words, the others figures."""
    rules = ["---"] * words + ["---:"] * (len(header) - words)
    return [f"| {' | '.join(map(str, row))} |" for row in (header, rules, *rows)]


def bars_table(bars: Iterable[Bar]) -> list[str]:
    """Each bar with what was found."""
    rows = (
        (
            bar.name,
            f"{bar.found:.3f}",
            f"{'≥' if bar.at_least else '≤'} {bar.limit:g}",
            "yes" if bar.met else "**no**",
        )
        for bar in bars
    )
    return table(("bar", "found", "limit", "met"), rows)


def page(title: str, subject: str, lines: Iterable[str], more: Mapping[str, str] = {}) -> str:
    """A whole page: what wrote it and where, then ``lines``; ``more`` is said of the run."""
    facts = machine() | dict(more)
    head = [f"# {title}", "", f"Written by `make bench SUBJECT={subject}`.", ""]
    return "\n".join(
        [*head, *(f"- {name}: {said}" for name, said in facts.items()), "", *lines, ""]
    )


def keep(name: str, text: str) -> None:
    """Print a page, and write it as ``name``.md."""
    print(text)
    (PAGES / f"{name}.md").write_text(text, encoding="utf-8")


def save_raw(name: str, document: Mapping[str, object], bars: Iterable[Bar] = ()) -> None:
    """Write every figure of a benchmark into build/bench/, with the machine."""
    RAW.mkdir(parents=True, exist_ok=True)
    said = [asdict(bar) | {"met": bar.met} for bar in bars]
    whole = {"machine": machine(), "bars": said, **document}
    (RAW / f"{name}.json").write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def sum_up(subject: str, sentence: str) -> None:
    """Print the result of a benchmark without a page, and keep the latest: a line of SUMMARY.md."""
    print(sentence)
    file, begins = PAGES / "SUMMARY.md", f"- `make bench SUBJECT={subject}`:"
    lines = file.read_text(encoding="utf-8").splitlines()
    kept = [line for line in lines if not line.startswith(begins)]
    file.write_text("\n".join([*kept, f"{begins} {sentence} ({where(machine())})", ""]), "utf-8")
