"""The page of what Leadline says to eleven servers as they come, from their runs as documents."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from advisor.rulekit.registry import all_rules
from advisor.variables.naming import value_text
from probes.figures import size

Found = Mapping[str, Any]

REVIEW = tomllib.loads(Path(__file__).with_name("review.toml").read_text(encoding="utf-8"))
"""What people made of the advice, server by server."""

OF_THE_MACHINE = {"block", "cloud", "filesystem", "host", "placement"}
"""Families whose advice is the machine's: shown once, as all servers ran on the same."""

_DIRECTORY = re.compile(r"/\S*leadline-(test|tmp)-[\w.-]*\w(/data)?/?")


def page(found: Mapping[str, Found]) -> str:
    """The whole page; ``found`` are the documents of ``leadline advise --json`` by server."""
    lines = [
        "# Eleven servers as they come",
        "",
        *_made(next(iter(found.values()))),
        "",
        *_table(found),
        "",
        *_machine(found),
    ]
    called = _called(found)
    for name, document in found.items():
        lines += ["", f"## {called[name]}", *_server(name, document)]
    return "\n".join(lines) + "\n"


def _made(document: Found) -> Iterator[str]:
    host = document["inventory"]["host"]
    storage = next(one for one in document["inventory"]["storage"] if one["role"] == "data")
    yield (
        "Written by `make docs-servers` from real runs, one for each server: `leadline check` with "
        "the quick plan, on a server in its default configuration with a fresh data directory, "
        "over a unix socket. While its counters were watched, four sessions read, updated, sorted "
        "and inserted rows of a table of some 300 MiB. This page has the "
        "advice alone; the report of a run shows each recommendation with formula, evidence, risk, "
        "check and undo."
    )
    yield ""
    yield (
        f"All ran on one machine: {host['cpu']['threads']} processors and "
        f"{size(host['memory_bytes'])} of memory ({host['platform'] or 'no virtual machine'}), "
        f"{storage['filesystem']} on a virtual drive. So the drive's figures are alike, and the "
        "servers differ. Neither advice nor figures apply to other machines."
    )


def _table(found: Mapping[str, Found]) -> Iterator[str]:
    yield (
        "| server | decided | recommend | watch | fine | not judged | not applicable "
        "| recommended settings |"
    )
    yield "| --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |"
    called = _called(found)
    for name, document in found.items():
        decided = document["decided"]
        counts = [_of(document, verdict) for verdict in ("recommend", "watch", "fine")]
        silent = (len(document["not_judged"]), len(document["not_applicable"]))
        cells = (
            called[name],
            f"{decided['judged']} of {decided['applicable']}",
            *map(len, counts),
            *silent,
            ", ".join(f"`{name}`" for name in _settings(counts[0])),
        )
        yield f"| {' | '.join(map(str, cells))} |"


def _settings(advice: list[Found]) -> list[str]:
    return [each["setting"] for each in advice if _family(each) not in OF_THE_MACHINE]


def _machine(found: Mapping[str, Found]) -> Iterator[str]:
    """Advice on the machine, each rule's once, with how many servers' runs led to it."""
    by_rule: dict[str, list[Found]] = {}
    for document in found.values():
        for advice in _of(document, "recommend", "watch"):
            if _family(advice) in OF_THE_MACHINE:
                by_rule.setdefault(advice["rule"], []).append(advice)
    yield "## The machine"
    yield ""
    for some in by_rule.values():
        shown = next((one for one in some if one["verdict"] == "recommend"), some[0])
        yield f"{_item(shown)} ({len(some)} of {len(found)} runs)"
    yield from _review("machine")


def _server(name: str, document: Found) -> Iterator[str]:
    for verdict, title in (("recommend", "Recommended"), ("watch", "To watch")):
        own = [each for each in _of(document, verdict) if _family(each) not in OF_THE_MACHINE]
        if own:
            yield ""
            yield f"{title}:"
            yield ""
            yield from map(_item, own)
    left_out = document["change_plan"]["left_out"]
    if left_out:
        yield ""
        yield "Not in the plan that follows:"
        yield ""
        yield from (f"- `{one['what']}` ({one['rule']}): {one['because']}" for one in left_out)
    yield from _review(name)


def _review(name: str) -> Iterator[str]:
    sentences = REVIEW.get(name, [])
    if sentences:
        yield ""
        yield "As its DBA sees it:"
        yield ""
        yield from (f"- {sentence}" for sentence in sentences)


def _item(advice: Found) -> str:
    setting, rule = advice["setting"], advice["rule"]
    now, proposed = (_clean(value_text(setting, advice[key])) for key in ("now", "proposed"))
    change = f"{now} → {proposed}" if now and proposed else proposed
    if setting and change:
        change = f"`{setting}`: {change}"
    (source,) = (each.source for each in all_rules() if each.id == rule)
    link = f"[{rule}](../{source})"
    return f"- {link}: {change}{'. ' if change else ''}{_clean(advice['saw'])}"


def _of(document: Found, *verdicts: str) -> list[Found]:
    return [each for each in document["recommendations"] if each["verdict"] in verdicts]


def _family(advice: Found) -> str:
    return str(advice["rule"]).partition(".")[0]


def _called(found: Mapping[str, Found]) -> dict[str, str]:
    """What each server is called: its version, with its package where two have the same."""
    versions = {name: _version(document) for name, document in found.items()}
    same = Counter(versions.values())
    return {
        name: f"{version} (package of {name.partition('-')[2]})" if same[version] > 1 else version
        for name, version in versions.items()
    }


def _version(document: Found) -> str:
    return str(document["inventory"]["mysql"]["version"]["name"])


def _clean(text: str) -> str:
    """No directory of the machine that this was made on."""
    return _DIRECTORY.sub("the data directory", text)
