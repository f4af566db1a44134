"""A plan of changes in words: its groups and steps as people say them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from advisor.forecasts.knobs.knobs import left_apart
from advisor.gain import FLOOR
from advisor.outcomes import Recommendation
from advisor.plan.change_plan import GROUP_TITLES, Action, ChangePlan, Group
from advisor.plan.export.container import operator_field
from advisor.steps import Needs, Procedure, SetVariable
from advisor.variables.naming import change_text, value_text
from advisor.wording.advice.evidence_card import step_text
from advisor.wording.advice.gains import share_text
from advisor.wording.forecasts.more import more_or_fewer, queries_text
from probes.figures import counted, duration_us, listed, percent
from probes.kinds.words import inside

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


LEAST_SHOWN = 0.01
"""A plan that is forecast to bring less has no gain to show (our choice)."""


def groups(plan: ChangePlan) -> Iterator[tuple[str, tuple[Action, ...]]]:
    """The groups that have anything to do, in their order, each by its title."""
    for group, title in GROUP_TITLES.items():
        if actions := plan.of(group):
            yield title, actions


def headline(plan: ChangePlan) -> str:
    """How much is to be done, and what that takes and brings."""
    return " ".join(filter(None, (*plan.about[:1], work(plan), expected(plan), beside_it(plan))))


def work(plan: ChangePlan) -> str:
    """How much is to be done, in a sentence."""
    if not plan.actions:
        return "The plan is empty: nothing was chosen that could be changed."
    counts = ", ".join(f"{number} {when}" for when, number in _counts(plan))
    then = "; then a watch under load" if plan.of(Group.LOOK) else ""
    changes = f"{counted(len(plan.changes), 'step')}: {counts}" if counts else "No step"
    return f"{changes}{then}."


def to_make(plan: ChangePlan, number: int) -> str:
    """That a number of changes is to be made, and what that takes, in a sentence."""
    made = f"Make {counted(number, 'change')}"
    counts = _counts(plan)
    if not counts:
        return f"{made}."
    steps = len(plan.changes)
    if steps != number:
        made += f" in {counted(steps, 'step')}"
    ((when, _), *others) = counts
    if others:
        how = f": {', '.join(f'{each} {title}' for title, each in counts)}"
    else:
        how = f", {'all ' if steps > 1 else ''}{when}"
    then = "; then watch the server under load" if plan.of(Group.LOOK) else ""
    return f"{made}{how}{then}."


def _counts(plan: ChangePlan) -> list[tuple[str, int]]:
    """When steps that change anything are done, with how many."""
    return [
        (inside(title), len(actions))
        for title, actions in groups(plan)
        if title != GROUP_TITLES[Group.LOOK]
    ]


def beside_it(plan: ChangePlan) -> str:
    """What belongs to the forecast beside its figure; "" if nothing."""
    return " ".join(filter(None, (late(plan), left_apart(_apart(plan)))))


def expected(plan: ChangePlan, *, in_brief: bool = False) -> str:
    """What the model expects of the plan as a whole, in a sentence; "" where it has no forecast.

    The range of times is that of measurements, which scatter: it is wider than that of the gains.
    ``in_brief`` it leaves out what a query saves, which stands in a headline beside it, and what
    the range means.
    """
    found = plan.forecast
    if found is None:
        return ""
    brings = [queries_text(found.times), "" if in_brief else saved_by(plan)]
    if found.until_bought is not None:
        brings.append(f"until more is bought: {more_or_fewer(found.until_bought)}")
    may = not in_brief and found.times.low <= 1 <= found.times.high
    return (
        f"Forecast of the plan: {'; '.join(filter(None, brings))}."
        f"{' One measurement alone may show nothing.' if may else ''}"
    )


def plan_gain(plan: ChangePlan) -> str:
    """How many more queries the plan is expected to bring: ``+43 %``; "" where hardly any."""
    times = 1.0 if plan.forecast is None else plan.forecast.times.value
    return f"+{percent(times - 1)}" if times - 1 >= LEAST_SHOWN else ""


def saved_by(plan: ChangePlan) -> str:
    """What a plan takes of a query's time, as a part of a sentence; "" where hardly anything."""
    found = plan.forecast
    if found is None or found.saves.value < FLOOR:
        return ""
    return f"a query takes {share_text(found.saves)} less time"


def contained(plan: ChangePlan) -> str:
    """Where settings go for a server in a container, in sentences; "" for any other."""
    place = plan.container
    if place is None:
        return ""
    kind = "pod" if place.is_pod else f"container of {place.facts.address.engine.value}"
    image = f" (image {place.facts.image})" if place.facts.image else ""
    where = f"a {'ConfigMap' if place.is_pod else 'file'} that is mounted at {place.file}"
    if field := operator_field(place):
        where = field
    elif place.variable:
        where = f"{place.variable} of its environment, or {where}"
    lost = (
        " The data lies in the container's own layer, which goes with the container: a volume keeps"
        " it."
        if place.volatile
        else ""
    )
    return (
        f"The server runs in a {kind}{image}: lines of an option file go into {where}, as "
        f"--container gives them. Changes of the machine are made on its host.{lost}"
    )


def late(plan: ChangePlan) -> str:
    """Within which time most queries would be done, in a sentence; "" where nobody can tell."""
    found = None if plan.forecast is None else plan.forecast.p95
    if found is None:
        return ""
    return (
        f"95 of 100 queries would be done within {found.then_us.text(duration_us)}, today within "
        f"{duration_us(found.now_us)}."
    )


def outweighed(plan: ChangePlan, chosen: Iterable[Recommendation]) -> str:
    """Why a plan brings less than one of its changes alone, in a sentence; "" where it does not.

    Gains and plan are of one network, so what is missing is what another of its steps costs.
    """
    best = max((one.gain.value for one in chosen if one.gain is not None), default=0.0)
    if plan.forecast is None or best - plan.forecast.saves.value < FLOOR:
        return ""
    return (
        "All steps together save less than the best of them alone: another step costs some of it."
    )


def _apart(plan: ChangePlan) -> tuple[str, ...]:
    return () if plan.forecast is None else plan.forecast.apart


def followed(
    plan: ChangePlan, asked: Collection[Recommendation], chosen: Iterable[Recommendation]
) -> str:
    """What a plan holds beyond the settings of ``asked``, in sentences; "" if nothing.

    It names settings that come with the others, each with what it comes with, and those that are
    asked for once the others are done, with what that brings. ``chosen`` is all the advice in the
    plan.
    """
    listed_settings = {one.setting for one in asked}
    beside = [
        (action, step) for action, step in plan.settings() if step.name not in listed_settings
    ]
    partners: dict[str, list[str]] = {}
    then = []
    for action, step in beside:
        partner = next((one for one in asked if one.rule in action.rules), None)
        later = next((one for one in chosen if one.rule in action.rules), None)
        if partner is not None or later is None:
            partners.setdefault("" if partner is None else partner.setting, []).append(_set(step))
        else:
            then.append(f"Judged after them: {_set(step)}. {later.effect.partition('. ')[0]}")
    with_them = [
        f"{listed(settings)}{f' (with {partner})' if partner else ''}"
        for partner, settings in partners.items()
    ]
    together = f"With them in one plan: {'; '.join(with_them)}." if with_them else ""
    after = [f"{each.rstrip('.')}." for each in then]
    return " ".join(filter(None, (together, *after)))


def looked_at(plan: ChangePlan) -> str:
    """The look that is due after a plan, and what is expected of it; "" where there is neither."""
    look = "Then watch the server again under load." if plan.of(Group.LOOK) else ""
    return f"{look} {expected(plan)}".strip()


def one_restart(asked: Iterable[Recommendation]) -> str:
    """That one restart does for all changes that need one, in a sentence; "" where one needs it."""
    several = sum(one.needs is Needs.RESTART for one in asked)
    return f"One restart is enough for the {several} that need it." if several > 1 else ""


def what(action: Action) -> str:
    """What one step does, on a line."""
    step = action.step
    return _set(step) if isinstance(step, SetVariable) else step_text(step)


def remarks(action: Action) -> tuple[str, ...]:
    """What stands beside what is typed: steps by hand, and notes."""
    steps = action.step.steps if isinstance(action.step, Procedure) else ()
    return (*(f"{n}. {each}" for n, each in enumerate(steps, 1)), *action.notes)


def beside(action: Action, recommended: Collection[str]) -> str:
    """Why a step is there that no recommended rule asks for; "" for any other."""
    if not isinstance(action.step, SetVariable) or set(action.rules) & set(recommended):
        return ""
    return "Comes with the other changes: judged after them, it asks for this."


def _set(step: SetVariable) -> str:
    now = step.standing.now
    if now == step.value:
        return f"{step.name} stays {value_text(step.name, now)}"
    return change_text(step.name, now, step.value)
