"""The reference of the servers' variables, a page for each category, made from their sheets."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from advisor.variables.entry import Span, ValueKind
from advisor.variables.naming import span_text
from advisor.variables.sheets import SHEETS, Sheet
from advisor.wording.advice.variables import (
    FAMILIES,
    change_text,
    default_text,
    line_text,
    state_text,
    values_text,
)

FOLDER = "reference/variables"
_TITLES = {
    "AHI": "Adaptive hash index",
    "DDL": "Index builds",
    "auto": "Automatic sizing",
    "binlog": "Binary log",
    "io threads": "I/O threads",
    "layout": "Files and pages",
    "tmp": "Temporary tables",
}
_ABOUT = """\
What each version of MySQL (5.5 to 9.7) and MariaDB (10.2 to 11.8) does with a setting, in our own
words. "Run on" names the servers that a test holds the figures against; versions without one follow
the manual and their neighbours. `leadline variables NAME` prints the same.
"""


def pages() -> dict[str, str]:
    """Each category's page by its place on the site, with the list of all variables."""
    sheets = sorted(SHEETS.values(), key=lambda sheet: (_title(sheet), sheet.name))
    index = f"# Server variables\n\n{len(sheets)} variables. {_ABOUT}"
    made = {}
    for title, members in groupby(sheets, _title):
        place = f"{title.lower().replace(' ', '-').replace('/', '-')}.md"
        found = list(members)
        rows = "\n".join(
            f"| [`{each.name}`]({place}#{_anchor(each)}) | {each.summary} |" for each in found
        )
        index += f"\n## {title}\n\n| variable | what it is |\n| --- | --- |\n{rows}\n"
        made[f"{FOLDER}/{place}"] = "\n".join((f"# {title}", "", *map(_section, found)))
    return {f"{FOLDER}/index.md": index, **made}


def _title(sheet: Sheet) -> str:
    return _TITLES.get(sheet.category, sheet.category.capitalize())


def _anchor(sheet: Sheet) -> str:
    return sheet.name


def _section(sheet: Sheet) -> str:
    lines = [f"## {sheet.name}", "", sheet.summary, ""]
    if sheet.unit and sheet.kind is not ValueKind.SWITCH:
        lines += [f"Unit: {sheet.unit}.", ""]
    for flavour, family in FAMILIES.items():
        spans = [each for each in sheet.spans if each.flavour is flavour]
        lines += [f"**{family}**", ""]
        lines += [*_table(sheet, spans)] if spans else ["No version has it.", ""]
        said = [line_text(each) for each in sheet.lines if each.flavour is flavour]
        said += [
            f"{span_text(each.since, each.before)}: {each.text}"
            for each in sheet.notes
            if each.flavour is flavour
        ]
        lines += [*(f"- {_plain(each)}" for each in said), ""]
    return "\n".join(lines)


def _table(sheet: Sheet, spans: list[Span]) -> Iterator[str]:
    yield "| versions | default | values | a change takes | run on | |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for each in spans:
        cells = (
            span_text(each.since, each.before),
            default_text(each, sheet),
            values_text(each, sheet),
            change_text(each),
            ", ".join(each.measured) or "none",
            state_text(each),
        )
        yield f"| {' | '.join(map(_plain, cells))} |"
    yield ""


def _plain(text: str) -> str:
    """Text that Markdown prints as it is."""
    return "".join(f"\\{each}" if each in "|*_<[" else each for each in text)
