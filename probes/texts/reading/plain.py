"""A pasted text without what a terminal, a container's log or a page put around it."""

from __future__ import annotations

import html
import re
from collections import Counter

from probes.texts.reading.pieces import ServerText

MOST_LINES = 400_000
LONGEST_LINE = 20_000
"""A line of the longest value of a variable has some 4,000 letters; the rest is cut off."""

_MOSTLY = 0.9
"""From this share of the lines on, a beginning that they share is no part of them (our choice)."""

_COLOURS = re.compile("[\x1b\ufffd]\\[[0-9;]{0,12}[mKJH]")
_OF_CONTAINER = re.compile(r"([\w][\w.-]{0,60}) *\| ?")
_QUOTED = re.compile(r"(?:> ?){1,5}")
_MARKUP = re.compile(r"<(?:table|tr|row|resultset|html|body)[\s>]", re.IGNORECASE)
_CELL = re.compile(r"<(?:td|th|field)\b[^<>]{0,2000}>", re.IGNORECASE)
_FIELD = re.compile(r'<field name="([\w@.]{1,80})"', re.IGNORECASE)
_ROW = re.compile(
    r"</(?:tr|row|p|div|li|h\d|title)\s*>|<br\s*/?>|<(?:tr|row|table|body)\b[^<>]{0,2000}>",
    re.IGNORECASE,
)
_UNSEEN = re.compile(r"<(?:script|style)\b", re.IGNORECASE)
_SEEN_AGAIN = re.compile(r"</(?:script|style)\s*>", re.IGNORECASE)
_HEADS = re.compile(r"# \w+(?:\t[\w ()]+)+")
_TAG = re.compile(r"<[^<>]{0,2000}>")


def without_comments(lines: list[str]) -> list[str]:
    """What MySQL Shell's diagnostics have of a query, without what they say about it.

    There a query's text, its time and its heads stand behind marks of comments. The time is kept:
    it is when the rows were true.
    """
    begin = next((at for at, line in enumerate(lines) if line.strip()), 0)
    first = lines[begin] if lines else ""
    if first != "# Query:":
        heads = _HEADS.fullmatch(first)
        return [*lines[:begin], first[2:], *lines[begin + 1 :]] if heads else lines
    kept, at = [], begin
    while at < len(lines) and lines[at].startswith("#"):
        line, at = lines[at], at + 1
        if line.startswith("# Started: "):
            kept.append(f"# {line.removeprefix('# Started: ')}")
        elif _HEADS.fullmatch(line):
            kept.append(line[2:])
    return [*kept, *lines[at:]]


def plain(text: ServerText) -> list[str]:
    """The lines of a text, at most ``MOST_LINES`` of them, without ends and what is around them."""
    content = text.content.lstrip("\ufeff")
    if _MARKUP.search(content[:20_000]):
        content = _without_markup(content)
    content = _COLOURS.sub("", content).replace("\r\n", "\n").replace("\r", "\n")
    lines = [
        line[:LONGEST_LINE].rstrip(" ") for line in content.split("\n", MOST_LINES)[:MOST_LINES]
    ]
    return _without_lead(_without_lead(lines, _QUOTED), _OF_CONTAINER)


def _without_lead(lines: list[str], lead: re.Pattern[str]) -> list[str]:
    """The lines without a mark that nearly all of them begin with, and that is the same in all."""
    written = [line for line in lines if line.strip()]
    found = [match for line in written if (match := lead.match(line))]
    if len(written) < 2 or len(found) < _MOSTLY * len(written):
        return lines
    if lead is _OF_CONTAINER:
        (name, times), *_ = Counter(match[1] for match in found).most_common(1)
        if times < _MOSTLY * len(written):
            return lines
        lead = re.compile(rf"{re.escape(name)} *\| ?")
    return [lead.sub("", line, count=1) if lead.match(line) else line for line in lines]


def _seen(content: str) -> str:
    """A page without its scripts and styles."""
    first, *others = _UNSEEN.split(content)
    return first + "".join(_SEEN_AGAIN.split(each, maxsplit=1)[-1] for each in others)


def _without_markup(content: str) -> str:
    """What a page shows: a line a row, a tab between cells."""
    content = re.sub(r"\s+", " ", _seen(content))
    heads = _FIELD.findall(content.partition("</row>")[0])
    if heads:
        # XML names the columns in each row, and has no row of heads.
        content = f"{chr(9).join(heads)}<br>{content}"
    content = _CELL.sub("\t", _ROW.sub("\n", content))
    content = html.unescape(_TAG.sub("", content))
    return re.sub(r"(?m)^[ \t]+", "", re.sub(r" *\t *", "\t", content))
