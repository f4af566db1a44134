"""The lists of a report's first screen: risks, what to change or to watch, what is open.

What is proposed is shown whole; the reason for it is cut at a word where room is short.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from advisor.gain import Wait
from advisor.judging.agenda import Agenda
from advisor.outcomes import NotJudged, Recommendation, Verdict
from advisor.ranking import is_urgent
from advisor.report.document.blocks import (
    Block,
    Framed,
    Paragraph,
    Style,
    TextSpan,
    beside,
    text,
)
from advisor.report.terminal.run import section
from advisor.steps import Needs
from advisor.variables.naming import value_text
from advisor.wording.advice.evidence_card import (
    CONFIDENCE,
    change_of,
    change_or_deed,
    deed,
    sureness,
    value_of,
)
from advisor.wording.advice.gains import EYE, figure_of, gain_of
from advisor.wording.advice.open_question import in_short, open_sentences, turning
from advisor.wording.advice.plan import NEEDS

WIDTH = 100
"""Characters of a line."""

BRINGS, MATTERS = "Change, what brings most first", "Change, what matters most first"
BOTH = "Change or watch, what matters most first"
"""The heading of what to change, in the order of what it brings or with what is urgent before that,
and of that with what to keep an eye on between it."""

PLAN = "In the plan"
"""The heading of what comes with the changes, where all of these stand among the risks."""

ENDS_EARLY = 0.75
"""Where whole sentences fill less of their room, the next one is cut at a word."""

_LEAST_REASON = 40
_HEAD = WIDTH - len("1.   ")


@dataclass(frozen=True, slots=True)
class Room:
    """How much of each list is shown, and how long a sentence may get.

    ``answers`` is whether those of an open question are, ``to_do`` whether what to watch is shown
    with what to do about it.
    """

    sentence: int
    character: int
    risks: int
    changes: int
    watched: int
    open: int
    answers: bool = True
    to_do: bool = False


def risks(found: Sequence[Recommendation], room: Room) -> list[Block]:
    """The risks to data, first of all."""
    return _shown("Risks", [_risk(each, room) for each in found], room.risks)


def agenda_lines(lists: Agenda, room: Room, follows: Sequence[str]) -> list[Block]:
    """What to change and what to watch in one list, then what comes with it; or one of them."""
    if not lists.changes:
        eye = [_eye(each, room) for each in lists.watch]
        return [
            *section(PLAN, _comes(follows, room)),
            *_shown(EYE.capitalize(), eye, room.watched),
        ]
    shown = _fitting(lists, room)
    lines = [_Line(at + 1, each, _gain(each, shown[:at])) for at, each in enumerate(shown)]
    parts = [part for line in lines for part in _blocks(line, room)]
    parts += _more(len(lists.lines) - len(shown))
    return section(_heading(shown), parts + _comes(follows, room))


def _heading(shown: Sequence[Recommendation]) -> str:
    if any(each.verdict is not Verdict.RECOMMEND for each in shown):
        return BOTH
    return MATTERS if any(map(is_urgent, shown)) else BRINGS


def _comes(follows: Sequence[str], room: Room) -> list[Block]:
    """What comes with the changes, each in a line of its own."""
    return [text(cut(each, room.sentence)) for each in follows if each]


def open_questions(found: Sequence[NotJudged], room: Room) -> list[Block]:
    """What is open, each with what it turns on."""
    shown = [part for each in found[: room.open] for part in _question(each, room)]
    return section("Open", [*shown, *_more(len(found) - room.open)])


def cut(sentences: str, most: int) -> str:
    """The text as far as it fits: whole sentences where these fill the room, else words."""
    if len(sentences) <= most:
        return sentences
    whole, end, _ = sentences[:most].rpartition(". ")
    return whole + "." if end and len(whole) >= ENDS_EARLY * most else at_a_word(sentences, most)


def at_a_word(sentence: str, most: int) -> str:
    """The text up to the last word that fits."""
    return textwrap.shorten(sentence, most, placeholder=" …") if len(sentence) > most else sentence


def _shown(title: str, parts: Sequence[Block], shown: int) -> list[Block]:
    return section(title, [*parts[:shown], *_more(len(parts) - shown)])


def _more(left: int) -> list[Block]:
    return [beside(f"  and {left} more")] if left > 0 else []


def _risk(advice: Recommendation, room: Room) -> Block:
    return text(_with_reason(f"• {_at_risk(advice)}. ", f"{advice.saw} {advice.effect}", room))


def _at_risk(advice: Recommendation) -> str:
    """The change, or the setting as it is, beside the safe value where there is one."""
    if not advice.setting or not (advice.proposed or advice.now):
        return advice.title
    if advice.verdict is Verdict.RECOMMEND:
        return change_of(advice)
    now, safe = (value_text(advice.setting, each) for each in (advice.now, advice.proposed))
    return f"{advice.setting} is {now}{f'; {safe} is safe' if safe else ''}"


def _with_reason(what: str, reason: str, room: Room) -> str:
    """What is said whole, then as much of the reason as there is room for."""
    return f"{what}{cut(reason, max(_LEAST_REASON, room.sentence - len(what)))}"


def _fitting(lists: Agenda, room: Room) -> list[Recommendation]:
    """Of the one list as much as there is room for, in its order."""
    changes, watched = lists.changes[: room.changes], lists.watch[: room.watched]
    return [each for each in lists.lines if each in changes or each in watched]


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of the list; ``gain`` is what it brings, in a few words, "" where nobody knows."""

    number: int
    advice: Recommendation
    gain: str


def _gain(advice: Recommendation, before: Sequence[Recommendation]) -> str:
    """What it brings; that it is the same gain of the same wait as a line ``before`` it has.

    Several changes of one wait do not add up.
    """
    figure, waits = figure_of(advice), _waits(advice)
    for number, other in enumerate(before, 1):
        if figure and waits and waits == _waits(other) and figure == figure_of(other):
            return f"{figure} together with {number}"
    return gain_of(advice)


def _waits(advice: Recommendation) -> set[Wait]:
    return {each.wait for each in advice.relieves}


def _blocks(line: _Line, room: Room) -> Iterator[Block]:
    number, advice = line.number, line.advice
    if advice.verdict is not Verdict.RECOMMEND:
        gain = f" ({line.gain})" if figure_of(advice) else ""
        seen = _with_reason(f"{number}. {EYE.capitalize()}{gain}: ", advice.saw, room)
        yield text(f"{seen}{_to_do(advice, room)}")
        return
    value = value_of(advice)
    reason = _with_reason(f"{value} " if value else "", advice.saw, room)
    yield Framed((_head(line), text(reason)), numbered=True)


def _eye(advice: Recommendation, room: Room) -> Block:
    return text(f"{cut(f'• {advice.saw}', room.sentence)}{_to_do(advice, room)}")


def _to_do(advice: Recommendation, room: Room) -> str:
    """The first sentence on what to do about what is watched, after a space; "" without room."""
    first, end, _ = advice.effect.partition(". ")
    return f" {first}{end.strip()}" if room.to_do and first else ""


def _head(line: _Line) -> Paragraph:
    """The change, whole, and what is known of it."""
    advice = line.advice
    what = change_or_deed(advice)
    sure = sureness(advice, CONFIDENCE)
    notes = [each for each in (line.gain, NEEDS[advice.needs], sure) if each]
    if len(what) + len(_beside(notes)) > _HEAD and advice.needs is Needs.DYNAMIC:
        notes.remove(NEEDS[advice.needs])
    return Paragraph(
        (
            TextSpan(f"{line.number}. "),
            TextSpan(what, Style.STRONG),
            TextSpan(f"  {_beside(notes)}"),
        )
    )


def _beside(parts: Sequence[str]) -> str:
    return f"({', '.join(parts)})"


def _question(each: NotJudged, room: Room) -> Iterator[Block]:
    """What it turns on, then its answers with what each costs, and what settles it."""
    # What it turns on is said, if not to its end, even where the screen is full.
    turns = text(at_a_word(f"{deed(each)}. {turning(each)}", room.sentence - len("• ")))
    shown = open_sentences(each) if room.answers else ""
    short = shown if len(shown) <= room.sentence else in_short(each)
    below = (text(at_a_word(short, room.sentence)),) if short else ()
    yield Framed((turns, *below))
