"""What is said of a judgement that recommends no change, and of what is still open."""

from __future__ import annotations

from advisor.case import Case
from advisor.facts.machine.kernel import NOT_REPORTED
from advisor.judging.agenda import agenda
from advisor.judging.decided import Decided, decided, kept_by_its_service
from advisor.judging.limit import limit_of, without_rule
from advisor.outcomes import Judgement
from advisor.run import RunState
from advisor.undecided import Doubted, Mostly
from advisor.variables.managed import service_of
from advisor.why import Lacks
from advisor.wording.advice.decided import because
from advisor.wording.advice.waits import named, remedy
from probes.figures import count, counted, seconds


def nothing_to_change(
    judgement: Judgement, case: Case, state: RunState = RunState.DONE, *, doubt_shown: bool = False
) -> str:
    """What is said of a judgement that recommends no change, in a few sentences.

    With ``doubt_shown`` stands above it already why points are doubtful.
    """
    found = decided(judgement, case, state)
    above = doubt_shown and isinstance(found.why, Doubted)
    why = "the points are doubtful, as said above" if above else open_because(found)
    sentence = _nothing_to_change(found, why, judgement, _no_change(judgement, case))
    return f"{sentence} {kept_sentence(judgement, case)}".strip()


def open_because(found: Decided) -> str:
    """Why most of the others are open, without a full stop; "" where nothing is."""
    return "" if found.why is None else because(found.why)


def kept_sentence(judgement: Judgement, case: Case) -> str:
    """How many rules have nothing to ask at a managed service, and why; "" elsewhere."""
    mysql = case.inventory.mysql
    service = None if mysql is None else service_of(mysql.version)
    number = kept_by_its_service(judgement)
    if service is None or not number:
        return ""
    do = "rule does" if number == 1 else "rules do"
    return f"{service.name}: {number} {do} not apply, as {service.keeps}."


def _nothing_to_change(found: Decided, why: str, judgement: Judgement, none: str) -> str:
    lists = agenda(judgement)
    eye = f" {counted(len(lists.watch), 'thing')} to keep an eye on." if lists.watch else ""
    if not found.applicable:
        return "No rule applies to what was looked at."
    of = f"of the {count(found.applicable)} rules that apply"
    if found.enough:
        not_all = f" Why not all: {why}." if why and not _idle(found) else ""
        but = "apart from the risks, " if lists.risks else ""
        return f"{count(found.judged)} {of} were judged, and {but}{none}.{not_all}{eye}"
    few = f"Only {count(found.judged)}" if found.judged else "None"
    return f"{few} {of} could be judged: {why}.{eye}"


def _idle(found: Decided) -> bool:
    """Whether why most of the others are open is nothing that a reader could act on."""
    most = found.why.why if isinstance(found.why, Mostly) else None
    return isinstance(most, Lacks) and most.absence == NOT_REPORTED


def _no_change(judgement: Judgement, case: Case) -> str:
    """That nothing is to be changed, beside what limits the server: that it can't be, or not so."""
    limit = limit_of(judgement, case)
    if limit is not None and without_rule(judgement, limit):
        return f"none of them shortens {named(limit)}: {remedy(limit, case)}"
    if limit is not None and limit.named:
        return f"none of them shortens {named(limit)} by a change"
    return "nothing needs a change"


def left_open(judgement: Judgement) -> str:
    """How many questions are open, and how long it takes to close them: ``3 open (40 s close 2)``.

    Points are measured one after the other; one watch closes all that turn on the server's own
    work. "" where nothing is open.
    """
    open_ = judgement.open
    watched = [each.closes_s for each in open_ if each.closes_s and each.by_watching]
    measured = [each.closes_s for each in open_ if each.closes_s and not each.by_watching]
    ways = [
        f"about {seconds(took_s)} {how} closes {_which(number, len(open_))}"
        for took_s, how, number in (
            (sum(measured), "more measuring", len(measured)),
            (max(watched, default=0.0), "of watching", len(watched)),
        )
        if number
    ]
    open_rules = f"{len(open_)} open" if open_ else ""
    return f"{open_rules} ({', '.join(ways)})" if ways else open_rules


def _which(closed: int, open_: int) -> str:
    if closed < open_:
        return str(closed)
    return "it" if open_ == 1 else "all"
