"""A report's first screen: what this server is, what limits it, what to change, what is open.

At most 40 lines of 100 characters. Everything else is in the whole report.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from advisor.case import Case
from advisor.judging.agenda import Agenda, agenda, changes_asked
from advisor.judging.decided import decided
from advisor.ranking import NOT_FELT, stakes
from advisor.report.document.blocks import GAP, Block, ParagraphRole, beside, text
from advisor.report.forms.text import page
from advisor.report.inventory_rows import inventory_rows
from advisor.report.report import Report
from advisor.report.terminal.first_lists import (
    WIDTH,
    Room,
    agenda_lines,
    at_a_word,
    cut,
    open_questions,
    risks,
)
from advisor.report.terminal.next_commands import next_commands, settles
from advisor.report.terminal.run import in_sentences, section, which_run
from advisor.run import RunKind
from advisor.target_config.configuration import configure
from advisor.wording.advice.limiting import limiting
from advisor.wording.advice.nothing_to_change import left_open, nothing_to_change
from advisor.wording.advice.plan import followed, looked_at, one_restart
from advisor.wording.watch.beside import beside_others
from advisor.wording.watch.cost import cost_sentences
from advisor.wording.watch.file_rows import most_of_it
from advisor.wording.watch.rows import (
    at_work_sentence,
    cut_short,
    processors_sentence,
    queue_sentence,
)
from advisor.workload.processors_use import processors_use
from probes.figures import counted, listed
from probes.watch.watched import Watched

LINES = 40
"""What it fits on, of ``WIDTH`` characters."""

DECIDED = "Decided so far"
"""The heading of how things stand where nothing is to be changed."""

_ONE_LINE, _TWO_LINES, _FOUR_LINES = 92, 180, 370
_FACTS = ("machine", "server")

_ROOMS = (
    Room(_FOUR_LINES, 2, 3, 5, 3, 3, to_do=True),
    Room(_TWO_LINES, 2, 3, 5, 3, 3, to_do=True),
    Room(_FOUR_LINES, 2, 3, 5, 3, 3),
    Room(_TWO_LINES, 2, 3, 5, 3, 3),
    Room(_TWO_LINES, 1, 3, 5, 2, 2),
    Room(_ONE_LINE, 1, 3, 5, 2, 2),
    Room(_ONE_LINE, 1, 2, 5, 1, 1),
    Room(_ONE_LINE, 1, 3, 5, 2, 2, answers=False),
    Room(_ONE_LINE, 1, 2, 5, 1, 1, answers=False),
    Room(_ONE_LINE, 1, 2, 4, 1, 1, answers=False),
    Room(_ONE_LINE, 1, 2, 3, 1, 1, answers=False),
    Room(_ONE_LINE, 0, 1, 2, 1, 1, answers=False),
    Room(_ONE_LINE, 0, 1, 1, 0, 0, answers=False),
)
"""From the most to the least: the first that fits is taken."""


def first_screen(report: Report, below: Sequence[Block] = ()) -> tuple[Block, ...]:
    """The report in short; what stands ``below`` has its part of the room."""
    # An import was not judged.
    ends = None if report.run.kind is RunKind.IMPORT else _ends(report)
    for room in _ROOMS:
        judged = () if ends is None else _judged(report, room, *ends)
        shown = (*_which(report, room), *judged, *below)
        if page(shown, WIDTH).count("\n") <= LINES:
            break
    return shown


def _ends(report: Report) -> tuple[tuple[str, ...], str]:
    """What comes in one plan with the changes and what is expected of it; the last commands."""
    asked = changes_asked(report.judgement)
    made = configure(report.case, report.judgement, asked)
    ends = " ".join(filter(None, (looked_at(made.plan), one_restart(asked))))
    return (followed(made.plan, asked, made.chosen), ends), next_commands(report, made.plan)


def _which(report: Report, room: Room) -> Iterator[Block]:
    """Which run it was, how it ended, what was looked at, and the figures that matter most."""
    yield from which_run(report)
    for label, value in inventory_rows(report.case.inventory):
        if label in _FACTS:
            # Names of makers end in full stops (Dell Inc.): none of them ends a sentence.
            yield beside(at_a_word(value, WIDTH))
    watched = report.case.inventory.watched
    if report.is_watch_alone and watched is not None:
        # All of such a run is that look.
        yield from _looked(watched)
    if ended := cut_short(report.case.inventory):
        yield text(ended, ParagraphRole.LEAD)
    yield GAP
    limit = _limit(report)
    if limit:
        yield text(limit, ParagraphRole.LEAD)
    for sentence in _character(report, limit)[: room.character]:
        yield text(cut(sentence, _TWO_LINES))


def _looked(watched: Watched) -> Iterator[Block]:
    """What the look took, and which files the server's time went to."""
    if watched.own_cost is not None:
        for sentence in cost_sentences(watched.own_cost):
            yield beside(cut(sentence, _TWO_LINES))
    files = "" if watched.by_file is None else most_of_it(watched.by_file)
    if files:
        yield text(cut(files, _ONE_LINE))


def _limit(report: Report) -> str:
    """What limits the server now; "" where no query was at work."""
    time = report.judgement.time
    return "" if time is None else limiting(report.judgement, report.case)


def _character(report: Report, limit: str) -> list[str]:
    """Its figures but those that stand in ``limit``."""
    first = beside_others(report.judgement, report.case)
    known = {*_in_it(report.case, limit)} - {first} | {""}
    every = dict.fromkeys((first, *in_sentences(report)))
    return [sentence for sentence in every if sentence not in known]


def _in_it(case: Case, limit: str) -> Iterator[str]:
    """What the sentence on the limit has already: queries at work, how far processors are used."""
    watched, use = case.inventory.watched, processors_use(case)
    if watched is None or not limit:
        return
    yield at_work_sentence(watched)
    machine = watched.machine
    if use is None or machine is None or machine.server_cpu is None or use.text not in limit:
        return
    yield queue_sentence(watched)
    yield processors_sentence(machine, machine.server_cpu)


def _judged(report: Report, room: Room, follows: Sequence[str], commands: str) -> Iterator[Block]:
    """What the rules say, and the commands that lead on."""
    judgement = report.judgement
    lists = agenda(judgement)
    yield from risks(lists.risks, room)
    if not lists.changes:
        yield from section(DECIDED, [*_undecided(report)])
    yield from agenda_lines(lists, room, follows)
    yield from open_questions(judgement.worth_asking, room)
    yield GAP
    if shown := _housekeeping(lists):
        yield text(cut(shown, room.sentence))
    yield text(_count(report, lists, again=not lists.changes))
    yield beside(commands)


def _undecided(report: Report) -> Iterator[Block]:
    """How much was decided where nothing is to be changed, why not more, and what settles most."""
    judgement, state = report.judgement, report.run.state
    sentences = nothing_to_change(judgement, report.case, state, doubt_shown=True)
    yield text(cut(sentences, 2 * _TWO_LINES))
    if command := settles(report):
        yield text(f"What settles most: {command}.")


def _housekeeping(lists: Agenda) -> str:
    """Lines to delete and ends of support, in one line; "" where there are none."""
    shown = [each.saw for each in lists.minor if stakes(each) in NOT_FELT]
    return f"Housekeeping: {' '.join(shown)}" if shown else ""


def _count(report: Report, lists: Agenda, *, again: bool) -> str:
    """How much was decided, and how; ``again`` is where it was said above how much."""
    judgement = report.judgement
    found = decided(judgement, report.case, report.run.state)
    fine, open_ = len(lists.fine), len(judgement.open)
    lacking = found.applicable - found.judged - open_
    left = [left_open(judgement)] if open_ else []
    left += (
        [f"{lacking} {'lacks' if lacking == 1 else 'lack'} a fact that is needed"]
        if lacking
        else []
    )
    beside = listed(left) if left else ""
    minor = f" and {len(lists.minor)} minor" if lists.minor else ""
    if again:
        judged = f"Of the {found.judged} judged, {fine} are fine{minor}" if found.judged else ""
        return f"{'; '.join(filter(None, (judged, beside)))}."
    decided_ = (
        f"{found.judged} of {counted(found.applicable, 'question')} decided, {fine} of them fine "
        f"as they are{minor}"
    )
    return f"{'; '.join(filter(None, (decided_, beside)))}."
