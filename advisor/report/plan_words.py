"""A plan of changes in words: its groups and steps as people say them."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from advisor.forecasts.settings import left_apart
from advisor.gain import FLOOR
from advisor.plan.change_plan import GROUP_TITLES, Action, ChangePlan, Group
from advisor.report.agenda import share_said
from advisor.report.variable_text import said
from advisor.steps import HostCommand, Needs, Procedure, RemoveLine, SetVariable
from probes.figures import THIN, counted, duration_us, listed, percent, times
from probes.ranges import Range

TIMES_FROM = 1.5
"""Smaller factors are said as percent more: 1.02× is easily misread (our choice)."""

MINUS = "\N{MINUS SIGN}"

NEEDS = {
    Needs.NOTHING: "",
    Needs.DYNAMIC: "no restart",
    Needs.OS: "a change of the machine",
    Needs.RESTART: "a restart",
    Needs.REBOOT: "a reboot of the machine",
    Needs.REWRITE: "all data rewritten",
    Needs.REINIT: "a new data directory",
    Needs.MONEY: "a purchase",
}
"""What a change needs to take effect, as cards, texts and reports say it."""


def groups(plan: ChangePlan) -> Iterator[tuple[str, tuple[Action, ...]]]:
    """The groups that have anything to do, in their order, each by its title."""
    for group, title in GROUP_TITLES.items():
        if actions := plan.of(group):
            yield title, actions


def headline(plan: ChangePlan) -> str:
    """How much is to be done, and what that takes and brings."""
    return " ".join(filter(None, (*plan.about[:1], work(plan), outlook(plan))))


def work(plan: ChangePlan) -> str:
    """How much is to be done, in a sentence."""
    if not plan.actions:
        return "The plan is empty: nothing was chosen that could be changed."
    counts = ", ".join(
        f"{len(actions)} {title[0].lower()}{title[1:]}"
        for title, actions in groups(plan)
        if title != GROUP_TITLES[Group.LOOK]
    )
    then = "; then a look at the server under load" if plan.of(Group.LOOK) else ""
    changes = f"{counted(len(plan.changes), 'step')}: {counts}" if counts else "No step"
    return f"{changes}{then}."


def outlook(plan: ChangePlan) -> str:
    """What the model expects of the plan, in some sentences; "" where it has no forecast."""
    return " ".join(filter(None, (expected(plan), late(plan), left_apart(_apart(plan)))))


def expected(plan: ChangePlan) -> str:
    """What the model expects of the plan as a whole, in a sentence; "" where it has no forecast.

    The range of times is that of measurements, which scatter: it is wider than that of the gains.
    """
    found = plan.forecast
    if found is None:
        return ""
    shorter = f"; a query takes {share_said(found.saves)} less time"
    may = found.times.low <= 1 <= found.times.high
    return (
        f"Forecast of the plan: {_times_said(found.times)}"
        f"{shorter if found.saves.value >= FLOOR else ''}."
        f"{' One measurement alone may show nothing.' if may else ''}"
    )


def _times_said(much: Range) -> str:
    """``1.80× today's queries``, or ``5 % more queries``."""
    if much.value >= TIMES_FROM:
        said, low, high = f"{times(much.value)} today's queries", times(much.low), times(much.high)
    else:
        change = much.value - 1
        said = f"{percent(abs(change))} {'fewer' if change < 0 else 'more'} queries"
        low, high = (
            f"{100 * (each - 1):+.0f}".replace("-", MINUS) for each in (much.low, much.high)
        )
        high += f"{THIN}%"
    return f"{said} ({low} to {high} in nine of ten measurements)"


def late(plan: ChangePlan) -> str:
    """Within which time most queries would be done, in a sentence; "" where nobody can tell."""
    found = None if plan.forecast is None else plan.forecast.p95
    if found is None:
        return ""
    return (
        f"95 of 100 queries would be done within {found.then_us.said(duration_us)}, today within "
        f"{duration_us(found.now_us)}."
    )


def _apart(plan: ChangePlan) -> tuple[str, ...]:
    return () if plan.forecast is None else plan.forecast.apart


def followed(plan: ChangePlan, recommended: Collection[str]) -> str:
    """What a plan holds beyond what ``recommended`` rules ask for, in a sentence; "" for nothing.

    It names settings that come with the others, and the look that is due then.
    """
    settings = [
        _set(step) for action, step in plan.settings() if not set(action.rules) & set(recommended)
    ]
    said = f"With them in one plan: {listed(settings)}." if settings else ""
    look = "After it, watch the server again under load." if plan.of(Group.LOOK) else ""
    return f"{said} {look}".strip()


def what(action: Action) -> str:
    """What one step does, on a line."""
    match action.step:
        case SetVariable() as step:
            return _set(step)
        case RemoveLine() as step:
            where = f" from {step.place}" if step.origin else ""
            return f"Delete {step.line}{where}"
        case HostCommand() | Procedure() as step:
            return step.what


def details(action: Action) -> tuple[str, ...]:
    """The lines below it: a command with what keeps it, steps by hand, notes."""
    step = action.step
    if isinstance(step, HostCommand):
        kept = (f"{step.keep_file}: {step.keep_line}",) if step.keep_file else ()
        return (step.run, *kept, *action.notes)
    return remarks(action)


def remarks(action: Action) -> tuple[str, ...]:
    """The same beside what is typed: steps by hand, and notes."""
    steps = action.step.steps if isinstance(action.step, Procedure) else ()
    return (*(f"{n}. {each}" for n, each in enumerate(steps, 1)), *action.notes)


def beside(action: Action, recommended: Collection[str]) -> str:
    """Why a step is there that no recommended rule asks for; "" for any other."""
    if not isinstance(action.step, SetVariable) or set(action.rules) & set(recommended):
        return ""
    return "Comes with the other changes: judged after them, it asks for this."


def _set(step: SetVariable) -> str:
    now, value = said(step.name, step.standing.now), said(step.name, step.value)
    if step.standing.now == step.value:
        return f"{step.name} stays {now}"
    return f"{step.name}: {now} → {value}" if now else f"{step.name} = {value}"
