"""All changes together: planned, looked at as if they were done, until nothing new comes.

What is chosen of a judgement is planned, the case is made as it would be after the plan, and judged
again; what then comes joins the plan. So a pool, the way its files are opened, the redo log that it
can use and the flushing of the drive come in one round.

The rounds judge the figures as they are, not over draws of them: whether a change holds over what
the figures may truly be was decided before, for all that is chosen here. What follows of it hangs
on settings, which are exact. A question that the draws left open stays out of every round.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from advisor.case import Case
from advisor.forecasts.outlook import forecast_of
from advisor.judging.agenda import changes_asked
from advisor.judging.draws.safe_end import number_of
from advisor.judging.engine import judge as judge_figures
from advisor.judging.memory_first import memory_risks
from advisor.judging.over_draws import LEAST
from advisor.model.network.forecast import DRAWS
from advisor.outcomes import Allowed, Judgement, Recommendation
from advisor.plan.change_plan import Action, ChangePlan, Group, LeftOut
from advisor.plan.planning import can_be_planned, make_plan
from advisor.plan.target import same
from advisor.ranking import is_offered
from advisor.rulekit.registry import all_rules
from advisor.steps import HostCommand, Needs, Procedure, RemoveLine, SetVariable, Step
from advisor.target_config.carried_out import OWN_FILE, carried_out, load_forgotten
from advisor.target_config.look import look
from advisor.target_config.offers import offered
from advisor.target_config.unsettled import unsettled_by
from advisor.variables.standing import Standing

MOST_ROUNDS = 6
"""What has not come to rest by then goes round in a circle. Our choice; real cases take two."""


@dataclass(frozen=True, slots=True)
class TargetConfiguration:
    """What a server is to become.

    ``plan`` holds all of it in order; ``chosen`` is the advice behind it, with what followed.
    ``after`` is the case as it would be then. ``rounds`` is how often it was judged again,
    ``settled`` whether the last time brought nothing new.
    """

    plan: ChangePlan
    chosen: tuple[Recommendation, ...]
    after: Case
    rounds: int
    settled: bool


def configure(
    case: Case,
    judgement: Judgement,
    chosen: Sequence[Recommendation],
    *,
    alone: bool = False,
    without: Collection[str] = (),
    draws: int = DRAWS,
) -> TargetConfiguration:
    """Compute the configuration that ``chosen`` of a case's judgement leads to.

    What the judgement recommends and was not chosen stays out, and the rules of ``without`` in
    every round. With ``alone`` so does all that follows. The model forecasts what comes of it,
    whose band is drawn ``draws`` times.
    """
    made = _configured(case, judgement, chosen, alone=alone, without=without)
    forecast = forecast_of(case, judgement, made.plan, draws)
    known = {*without, *(one.rule for one in chosen)}
    left = () if alone else offered(judgement, known)
    return replace(made, plan=replace(made.plan, forecast=forecast, offered=left))


def _configured(
    case: Case,
    judgement: Judgement,
    chosen: Sequence[Recommendation],
    *,
    alone: bool,
    without: Collection[str],
) -> TargetConfiguration:
    plan = make_plan(case, chosen)
    mysql = case.inventory.mysql
    knows = mysql is not None and mysql.version.is_known and not mysql.sandbox
    if alone or not knows or not plan.actions:
        return TargetConfiguration(plan, tuple(chosen), carried_out(case, plan), 0, True)
    before = judgement.of_figures or judge_figures(case)
    kept_out = _kept_out(before, judgement, chosen) | frozenset(without)
    asked, symptoms = _without_symptoms(chosen)
    after = {rule.id: rule.waits_for for rule in all_rules()}
    plan = make_plan(case, asked, after)
    for number in range(1, MOST_ROUNDS + 1):
        # What is rebuilt was decided by the load that was seen; a plan that changes it shows less.
        anew = [
            one
            for one in _following(case, plan, before)
            if one.rule not in kept_out and one.needs not in {Needs.REWRITE, Needs.REINIT}
        ]
        joined = _joined(asked, [_from_the_start(one, case) for one in anew])
        if joined == asked:
            plan = _naming(plan, symptoms, joined)
            return _ended(case, judgement, plan, asked, number, without=without)
        asked = joined
        plan = _in_order(make_plan(case, asked, after), {one.rule for one in chosen})
    return _ended(case, judgement, plan, asked, MOST_ROUNDS, settled=False, without=without)


def _without_symptoms(
    chosen: Sequence[Recommendation],
) -> tuple[list[Recommendation], list[LeftOut]]:
    """Take apart what may be gone with its cause: it comes back where a round asks for it again."""
    rules = {rule.id: rule for rule in all_rules()}
    wanted = {one.rule for one in chosen}
    asked, symptoms = [], []
    for one in chosen:
        of = rules[one.rule].symptom_of if one.rule in rules else ()
        cause = next((rule for rule in of if rule in wanted), "")
        if cause:
            because = f"It may be gone with what {cause} changes: watch again then."
            symptoms.append(LeftOut(one.rule, one.setting or one.title, because))
        else:
            asked.append(one)
    return asked, symptoms


def _naming(
    plan: ChangePlan, symptoms: Sequence[LeftOut], asked: Sequence[Recommendation]
) -> ChangePlan:
    """The plan, with the symptoms that no round has asked for again."""
    rules = {one.rule for one in asked}
    left = tuple(one for one in symptoms if one.rule not in rules)
    return replace(plan, left_out=(*plan.left_out, *left))


def target_plan(
    case: Case, judgement: Judgement, chosen: Sequence[Recommendation], draws: int = DRAWS
) -> ChangePlan:
    """The plan of the configuration that ``chosen`` of a case's judgement leads to."""
    return configure(case, judgement, chosen, draws=draws).plan


def planned_of(judgement: Judgement) -> list[Recommendation]:
    """All that a judgement recommends and a plan can hold."""
    found = judgement.recommendations
    return [one for one in found if can_be_planned(one) and not is_offered(one)]


def _ended(
    case: Case,
    judgement: Judgement,
    plan: ChangePlan,
    asked: Sequence[Recommendation],
    rounds: int,
    *,
    without: Collection[str],
    settled: bool = True,
) -> TargetConfiguration:
    if not settled:
        because = (
            f"Judged again {rounds} times, the advice still changed: watch again once it runs."
        )
        plan = replace(plan, left_out=(*plan.left_out, LeftOut("", "what follows", because)))
    after = carried_out(case, plan)
    unsettled = unsettled_by(case, plan)
    last = look(plan, judgement, {*without, *(one.rule for one in asked)}, unsettled)
    if unsettled.any or last.rules:
        plan = _with(plan, last)
    return TargetConfiguration(plan, tuple(asked), after, rounds, settled)


def _with(plan: ChangePlan, last: Action) -> ChangePlan:
    groups = list(Group)
    actions = sorted((*plan.actions, last), key=lambda one: groups.index(one.group))
    return replace(plan, actions=tuple(actions))


def _kept_out(
    before: Judgement, judgement: Judgement, chosen: Sequence[Recommendation]
) -> frozenset[str]:
    """Rules whose advice is not wanted, or not sure enough over what the figures may truly be.

    ``before`` judges the figures as they are, ``judgement`` over draws of them.
    """
    wanted = {one.rule for one in chosen}
    refused = {one.rule for one in planned_of(judgement)} - wanted
    unsure = {one.rule for one in planned_of(before)} - wanted
    # Advice that waits for other advice need not be sure yet: only where it is does it follow.
    waits = {
        one.rule
        for one in judgement.recommendations
        if one.waits_for and one.share < LEAST[one.needs]
    }
    # Whether memory is there to be taken, only a look after the plan shows.
    short = memory_risks(before.recommendations)
    taking = {rule.id for rule in all_rules() if rule.takes_memory} if short else set()
    open_ = {one.rule for one in judgement.open}
    return frozenset(refused | unsure | waits | taking | open_)


def _following(case: Case, plan: ChangePlan, before: Judgement) -> list[Recommendation]:
    """What is recommended once a plan is done, and for its sake."""
    found = changes_asked(judge_figures(carried_out(case, plan)))
    known = {one.rule for one in before.recommendations if can_be_planned(one) or one.waits_for}
    if not unsettled_by(case, plan).any or all(one.rule in known for one in found):
        return found
    forgotten = judge_figures(load_forgotten(case, plan)).recommendations
    # What the plan itself holds back there would be recommended as well.
    for_want = {one.rule for one in forgotten if can_be_planned(one) or one.waits_for}
    return [one for one in found if one.rule in known or one.rule not in for_want]


def _from_the_start(one: Recommendation, case: Case) -> Recommendation:
    """The same advice with steps that begin at the server as it is; none for the plan's own."""
    steps = [_rebased(step, case) for step in one.steps]
    return replace(one, steps=tuple(step for step in steps if step is not None))


def _rebased(step: Step, case: Case) -> Step | None:
    mysql = case.inventory.mysql
    if isinstance(step, RemoveLine):
        return None if step.origin in {OWN_FILE, "COMPILED"} else step
    if not isinstance(step, SetVariable) or mysql is None:
        return step
    now = mysql.variables.get(step.name)
    if now is None:
        return step
    return replace(step, standing=Standing(step.name, now.value, now.origin))


def _joined(
    asked: Sequence[Recommendation], anew: Sequence[Recommendation]
) -> list[Recommendation]:
    """What was asked for, with what follows; a later value of a setting counts."""
    chosen = {one.setting: one.allowed for one in asked if one.allowed is not None}
    later = {
        step.name: step
        for one in anew
        for step in one.steps
        # The rounds judge the figures as measured; what their ranges allow was decided before.
        if isinstance(step, SetVariable) and not _allowed(step, chosen)
    }
    joined = [replace(one, steps=tuple(_later(step, later) for step in one.steps)) for one in asked]
    known = {one.rule: index for index, one in enumerate(joined)}
    for one in anew:
        index = known.get(one.rule)
        if index is None:
            if one.steps:
                joined.append(one)
            continue
        more = tuple(step for step in one.steps if _is_new(step, joined[index].steps))
        joined[index] = replace(joined[index], steps=(*joined[index].steps, *more))
    return joined


def _allowed(step: SetVariable, chosen: Mapping[str, Allowed]) -> bool:
    within = chosen.get(step.name)
    value = within and number_of(step.value)
    return bool(within and value and float(within.low) <= value <= float(within.high))


def _later(step: Step, later: Mapping[str, SetVariable]) -> Step:
    if not isinstance(step, SetVariable) or step.name not in later:
        return step
    value = later[step.name].value
    return step if same(step.value, value) else replace(step, value=value)


def _is_new(step: Step, known: Sequence[Step]) -> bool:
    match step:
        case SetVariable():
            return not any(isinstance(o, SetVariable) and o.name == step.name for o in known)
        case RemoveLine():
            same_line = (isinstance(o, RemoveLine) and o.identity == step.identity for o in known)
            return not any(same_line)
        case HostCommand() | Procedure():
            # The machine's own steps leave the case as it is, so they come again each round.
            return not any(type(o) is type(step) for o in known)


def _in_order(plan: ChangePlan, first: set[str]) -> ChangePlan:
    """What follows from something that takes a restart is set with that restart."""
    waits = {step.name for _, step in plan.settings(Group.RESTART)}
    reads = {
        rule.id: {name.removeprefix("mysql.variable.") for name in rule.needs + rule.uses}
        for rule in all_rules()
    }

    def moved(action: Action) -> Action:
        step = action.step
        if action.group is not Group.ONLINE or not isinstance(step, SetVariable):
            return action
        follows = all(
            rule not in first and not waits.isdisjoint(reads.get(rule, set()) - {step.name})
            for rule in action.rules
        )
        if not follows:
            return action
        return replace(action, group=Group.RESTART, step=replace(step, needs=Needs.RESTART))

    groups, own = list(Group), set(plan.actions)
    # What follows stands behind what it follows from.
    actions = sorted(
        map(moved, plan.actions), key=lambda one: (groups.index(one.group), one not in own)
    )
    return replace(plan, actions=tuple(actions))
