"""A target on one page: what limits it, what to change, what is open, what settles most."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, auto
from itertools import groupby

from advisor.case import Case
from advisor.judging.agenda import agenda, changes_asked
from advisor.judging.decided import Decided, decided, left_to_probes
from advisor.judging.over_draws import how_likely
from advisor.outcomes import Confidence, Judgement, NotJudged, Recommendation
from advisor.plan.change_plan import ChangePlan
from advisor.run import RunKind, RunState
from advisor.wording.advice.evidence_card import CONFIDENCE, change_of, deed, sureness
from advisor.wording.advice.gains import EYE, gain_of, saves
from advisor.wording.advice.limiting import limit_and_more
from advisor.wording.advice.nothing_to_change import left_open, nothing_to_change
from advisor.wording.advice.open_question import in_short, turning
from advisor.wording.advice.plan import NEEDS, plan_gain, saved_by
from advisor.wording.watch.beside import beside_others
from app.controllers.run import Run
from app.presenters.texts.groups import LOOKS, RuleGroup, group_of
from app.presenters.texts.phrases import NEWER_FILES, beside_server, threads_text
from app.runtime.translation import tr, tr_n
from probes.figures import THIN, counted, duration_us, percent, rate
from probes.inventory.facts import Inventory, Role
from probes.kinds.words import options
from probes.points import PAGE_BYTES, Curve, Point, Probe, Setting, Trust
from probes.watch.watched import Requests

MOST_CHANGES, MOST_OPEN = 5, 4
WORTH = 0.05
"""From this share of a query's time on, what is known to be gained comes before more measuring."""


class Settles(Enum):
    """What would settle most of what is not known: the page has one button for it."""

    WATCH = auto()
    PROBE = auto()
    DECIDE = auto()
    LAB = auto()
    PLAN = auto()
    RUN = auto()
    TEXTS = auto()


LABELS = {
    Settles.WATCH: "Watch the server",
    Settles.PROBE: "Measure the drive",
    Settles.DECIDE: "Measure what is open",
    Settles.LAB: "Ask the lab…",
    Settles.PLAN: "See the plan",
    Settles.RUN: "See the run",
    Settles.TEXTS: NEWER_FILES,
}
"""What the button says."""


ADDRESS_DECIDES = "Newer files decide more, and an address to watch it by decides most."

NOTHING_YET = (
    "Not measured or watched yet. A watch, without load, shows what limits a running server; "
    "measuring shows what the drive gives."
)


@dataclass(frozen=True, slots=True)
class HomeChange:
    """A change worth making, or what to keep an eye on: what, its gain, what it takes, and why.

    ``on_demand`` is a reason that stands behind the row: it says what to set to what.
    """

    rule: str
    what: str
    gain: str
    why: str
    icon: str = "lightbulb"
    tone: str = "accent"
    on_demand: bool = False


@dataclass(frozen=True, slots=True)
class HomeQuestion:
    """What is open: ``answers`` with what settles it; ``why`` stands behind the row.

    ``title`` is the setting whose values are the answers, or else the rule's.
    """

    rule: str
    title: str
    answers: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """The answers of the page; ``count`` says how many questions were decided, and what of others.

    ``limit_more`` is what goes with the limit, beside the headline. ``open_text`` is "" where
    all that is open is shown, or ``why`` says it.
    """

    limit: str
    changes: tuple[HomeChange, ...]
    more: int
    nothing: str
    open: tuple[HomeQuestion, ...]
    open_text: str
    count: str
    settles: Settles
    why: str
    limit_more: str = ""


def home(run: Run, case: Case, judgement: Judgement, *, reachable: bool = True) -> Home:
    """What a judged run says of its target; ``reachable`` is whether more can be measured there."""
    lists = agenda(judgement)
    lines = lists.lines if lists.changes else ()
    first = tuple(dict.fromkeys((*lists.risks, *lines, *changes_asked(judgement))))
    shown = tuple(map(_change, first[:MOST_CHANGES]))
    found = decided(judgement, case, run.state)
    settles, why = _settles(run, case, judgement) if reachable else _by_texts(judgement)
    limit, more = limit_and_more(judgement, case)
    asked = tuple(map(_question, judgement.worth_asking[:MOST_OPEN]))
    return Home(
        limit,
        shown,
        max(0, len(first) - MOST_CHANGES),
        "" if shown else nothing_to_change(judgement, case, run.state),
        asked,
        _open_text(judgement)
        if settles is not Settles.DECIDE and len(asked) < len(judgement.open)
        else "",
        _counted(found, len(lists.fine), len(judgement.open)),
        settles,
        f"{beside_others(judgement, case)} {why}".strip(),
        more,
    )


def _counted(found: Decided, fine: int, open_: int) -> str:
    """How many questions were decided, and why others are neither that nor open."""
    sentence = tr_n(
        "{judged} of 1 question decided, {fine} fine.",
        "{judged} of {n} questions decided, {fine} fine.",
        found.applicable,
        judged=found.judged,
        fine=fine,
    )
    silent = found.applicable - found.judged - open_
    if silent <= 0:
        return sentence
    lack = tr_n("1 lacks facts.", "{n} lack facts.", silent)
    return f"{sentence} {lack}"


def _question(one: NotJudged) -> HomeQuestion:
    """What may be done and what settles it; on what it turns stands behind that."""
    settings = {each.setting for each in one.answers} - {""}
    if len(settings) != 1:
        answers = f"{turning(one)} {in_short(one)}".rstrip()
        return HomeQuestion(one.rule, deed(one), answers)
    (setting,) = settings
    return HomeQuestion(one.rule, setting, in_short(one, named=False), turning(one))


def _doubt(one: Recommendation) -> str:
    """How sure it is, where that is less than it usually is."""
    sure = one.confidence is Confidence.HIGH and not how_likely(one.share)
    return "" if sure else sureness(one, CONFIDENCE)


def came_of(kind: RunKind) -> str:
    """What stands over the answer of a lab or a trial."""
    if kind is RunKind.LAB:
        return tr("What the lab has shown, on servers of its own")
    return tr("What the trial has shown on the live server")


def _first_sentence(text: str) -> str:
    return text.partition(". ")[0].rstrip(".") + "."


def _open_text(judgement: Judgement) -> str:
    return f"{left_open(judgement)}." if judgement.open else ""


def _change(one: Recommendation) -> HomeChange:
    group = group_of(one)
    watch = group is RuleGroup.WATCH
    what = change_of(one) if one.setting and not watch else deed(one)
    todo = EYE if watch else NEEDS[one.needs]
    beside = [gain_of(one), todo, _doubt(one)]
    look = LOOKS[group]
    gain, why = " · ".join(filter(None, beside)), _first_sentence(one.saw)
    on_demand = group is RuleGroup.CHANGE and bool(one.setting or saves(one))
    return HomeChange(one.rule, what, gain, why, look.icon, look.tone, on_demand)


def _by_texts(judgement: Judgement) -> tuple[Settles, str]:
    """The next step with a server that nobody can reach."""
    if changes_asked(judgement):
        return Settles.PLAN, ""
    return Settles.TEXTS, ADDRESS_DECIDES


def _settles(run: Run, case: Case, judgement: Judgement) -> tuple[Settles, str]:
    """The one thing that would settle most, and why."""
    inventory = case.inventory
    if run.state is not RunState.DONE:
        return Settles.PROBE, tr("This run ended early: a whole one decides the other questions.")
    server = inventory.mysql is not None and not inventory.mysql.sandbox
    if server and inventory.watched is None:
        return Settles.WATCH, tr("Its own work was not watched: gains are known only from that.")
    unmeasured = not case.points
    left = left_to_probes(judgement) if unmeasured else 0
    by_drive = tr_n(
        "What the drive can give would decide 1 more question.",
        "What the drive can give would decide {n} more questions.",
        left,
    )
    gains = [each.gain.value for each in agenda(judgement).changes if each.gain is not None]
    if max(gains, default=0.0) >= WORTH:
        return Settles.PLAN, by_drive if left else ""
    if unmeasured:
        lacking = tr("What the drive can give is not measured.")
        return Settles.PROBE, by_drive if left else lacking
    return _measured_all(judgement)


def _measured_all(judgement: Judgement) -> tuple[Settles, str]:
    """The next step where the server was watched and its drive measured."""
    if any(each.closes_s is not None for each in judgement.open):
        return Settles.DECIDE, _open_text(judgement)
    if changes_asked(judgement):
        return Settles.PLAN, tr("Nothing is left to measure: the next step is the change.")
    return Settles.PROBE, tr("Measure again when the load or the machine has changed.")


def plan_offer(plan: ChangePlan | None) -> str:
    """What the button to the plan says: with its gain, once that was forecast."""
    gain = "" if plan is None else plan_gain(plan)
    return tr("See the plan ({gain})", gain=gain) if gain else tr(LABELS[Settles.PLAN])


def headline(limit: str, plan: ChangePlan | None) -> str:
    """What limits, and what the plan changes of it once that was forecast."""
    saved = "" if plan is None else saved_by(plan)
    return f"{limit.removesuffix('.')}; with the plan {saved}." if saved else limit


def disk_lines(case: Case | None, inventory: Inventory) -> Mapping[str, tuple[str, ...]]:
    """By the name of a disk: what was measured on it, and what it did for the server."""
    lines: dict[str, list[str]] = {}
    probed = inventory.role(Role.PROBE) or inventory.role(Role.DATA)
    if case is not None and probed is not None:
        for disk in probed.disks:
            lines.setdefault(disk.name, []).extend(_character(case))
    machine = inventory.watched.machine if inventory.watched is not None else None
    for device in machine.devices if machine is not None else ():
        live = [tr("watched: busy {share}", share=percent(device.busy.value))]
        live += _live("reads", device.reads) + _live("writes", device.writes)
        lines.setdefault(device.name, []).append(", ".join(live))
    return {name: tuple(texts) for name, texts in lines.items()}


def _live(what: str, done: Requests) -> list[str]:
    if done.latency_us is None:
        return []
    each = duration_us(done.latency_us.value)
    return [tr("{rate} of {each}", rate=rate(done.per_s.value, what), each=each)]


def _character(case: Case) -> list[str]:
    """Peaks of what was measured on the drive, a line each."""
    peaks: list[tuple[Point, str]] = []
    for probe, what in ((Probe.RANDOM_READ, "reads"), (Probe.RANDOM_WRITE, "writes")):
        best = _peak(case.curves(probe))
        if best is not None:
            size = best.setting.block_size_bytes // 1024
            text = tr(
                "{rate} of {size} at {threads}",
                rate=rate(best.peak.rate_per_s, what),
                size=f"{size}{THIN}KiB",
                threads=threads_text(best.peak.setting),
            )
            peaks.append((best.peak, _special(best.setting, text)))
    # What both are to be taken with stands there once.
    alike = groupby(peaks, lambda each: (each[0].beside_server, each[0].trust))
    lines = []
    for _, group in alike:
        points, texts = zip(*group, strict=True)
        lines.append(_beside(points[0], tr(" and ").join(texts)))
    commits = [curve.points[0] for curve in case.curves(Probe.REDO_SYNC)]
    alone = [point for point in commits if point.setting.threads == 1]
    if alone:
        fastest = min(alone, key=lambda point: point.latency.p50_us)
        took = duration_us(fastest.latency.p50_us)
        text = tr("a commit's sync takes {time}", time=took)
        lines.append(_beside(fastest, _special(fastest.setting, text)))
    return lines


def _special(setting: Setting, text: str) -> str:
    """The figure, with what distinguishes it: of several ways the fastest is shown."""
    files = [counted(setting.files, "file")] if setting.files > 1 else []
    how = ", ".join([*files, *options(setting)])
    return tr("{figure} ({how})", figure=text, how=how) if how else text


def _beside(point: Point, text: str) -> str:
    """The figure, with what it is to be taken with."""
    if point.beside_server:
        text = beside_server(text)
    return tr("{figure}, doubtful", figure=text) if point.trust is Trust.DOUBTFUL else text


def _peak(curves: list[Curve]) -> Curve | None:
    """Of pages of 16 KiB where these were measured."""
    pages = [curve for curve in curves if curve.setting.block_size_bytes == PAGE_BYTES]
    return next(iter(pages or curves), None)
