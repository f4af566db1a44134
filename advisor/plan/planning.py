"""From chosen recommendations to one plan: checked, without conflicts, in the right order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from advisor.case import Case
from advisor.outcomes import Outcome, Recommendation, Verdict
from advisor.plan import relations
from advisor.plan.back_to_default import BackToDefault, back_to_default
from advisor.plan.change_plan import Action, ChangePlan, Group, LeftOut
from advisor.plan.checks import fault
from advisor.plan.container_place import container_place
from advisor.plan.notes import notes
from advisor.plan.target import PlanTarget, same, target_of, whole
from advisor.ranking import is_offered, rank
from advisor.steps import HostCommand, Needs, Procedure, RemoveLine, SetVariable, Step
from probes.version import ServerVersion

_GROUPS = {
    Needs.NOTHING: Group.MACHINE,
    Needs.OS: Group.MACHINE,
    Needs.REBOOT: Group.MACHINE,
    Needs.REWRITE: Group.REWRITE,
    Needs.MONEY: Group.MACHINE,
    Needs.DYNAMIC: Group.ONLINE,
    Needs.RESTART: Group.RESTART,
    Needs.REINIT: Group.REBUILD,
}


MUCH_LARGER = 0.25
"""The share of the memory that a pool must grow by to be worth waiting for a restart (our
choice)."""


FILLED_ONCE = "It waits for the restart of the other changes, so that it is filled only once."


@dataclass(slots=True)
class _Draft:
    """A plan in the making: the advice in it, what matters most first, and what was left out."""

    target: PlanTarget | None
    taken: list[Recommendation] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)

    def leave_out(self, one: Recommendation, because: str) -> None:
        self.taken = [other for other in self.taken if other is not one]
        self.left_out.append(LeftOut(one.rule, one.setting or one.title, because))

    def settings(self) -> dict[str, tuple[SetVariable, str]]:
        """The variables that are set, each with the rule that asks for it first."""
        found: dict[str, tuple[SetVariable, str]] = {}
        for one in self.taken:
            for step in one.steps:
                if isinstance(step, SetVariable):
                    found.setdefault(step.name, (step, one.rule))
        return found

    def values(self) -> dict[str, str]:
        """The server's settings as they would be once the plan is done."""
        steps = {name: step for name, (step, _) in self.settings().items()}
        planned = {name: step.value for name, step in steps.items()}
        if self.target is None:
            return planned
        now = {name: standing.value for name, standing in self.target.standings.items()}
        return now | planned | relations.made_at_start(self.target, steps, now | planned)


def can_be_planned(outcome: Outcome) -> bool:
    """Whether an outcome asks for something that a plan can hold, or offers it."""
    if not isinstance(outcome, Recommendation):
        return False
    return is_offered(outcome) or (outcome.verdict is Verdict.RECOMMEND and bool(outcome.steps))


def make_plan(
    case: Case,
    chosen: Sequence[Recommendation],
    after: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> ChangePlan:
    """Make the plan of ``chosen``, for the server and the machine of ``case``.

    Within a group, what a rule asks for stands behind what those ask for that it comes ``after``.

    Advice is taken whole or left out: half of it may be worse than none. Where two contradict each
    other, the one that matters more stays.
    """
    draft = _Draft(target_of(case))
    for one in sorted(chosen, key=rank):
        because = _refused(one, draft)
        draft.taken.append(one)
        if because:
            draft.leave_out(one, because)
    _hold_relations(draft)
    actions = _ordered(_actions(draft), after)
    target = draft.target
    return ChangePlan(
        case.target,
        None if target is None else target.version,
        tuple(actions),
        tuple(draft.left_out),
        sandbox=target is not None and target.sandbox,
        container=container_place(case),
    )


def _refused(one: Recommendation, draft: _Draft) -> str:
    """Say why a recommendation can't join what is in the plan, "" when it can."""
    if not can_be_planned(one):
        held = f" before what {one.waits_for} advises is done" if one.waits_for else ""
        return f"It recommends no change{held}."
    for step in one.steps:
        if because := fault(step, draft.target) or _conflict(step, draft):
            return because
    if all(_done_already(step) for step in one.steps):
        return "The server has that value already."
    return ""


def _done_already(step: Step) -> bool:
    return isinstance(step, SetVariable) and same(step.value, step.standing.value)


def _conflict(step: Step, draft: _Draft) -> str:
    if isinstance(step, SetVariable):
        other = draft.settings().get(step.name)
        if other is not None and not same(other[0].value, step.value):
            return f"{other[1]} matters more and sets {step.name} to {other[0].value}."
    if isinstance(step, HostCommand) and step.keep_line:
        for one in draft.taken:
            if any(_keeps_otherwise(step, other) for other in one.steps):
                return f"{one.rule} matters more and keeps another line in {step.keep_file}."
    return ""


def _keeps_otherwise(step: HostCommand, other: Step) -> bool:
    if not isinstance(other, HostCommand) or other.keep_file != step.keep_file:
        return False
    one_key, another = (
        line.partition("=")[0].strip() for line in (step.keep_line, other.keep_line)
    )
    return one_key == another and step.keep_line != other.keep_line


def _hold_relations(draft: _Draft) -> None:
    """Leave out, lightest first, what the server would cut or forget for another setting's sake."""
    while draft.target is not None:
        because, names = _unheld(draft.target.version, draft)
        guilty = [one for one in draft.taken if _sets_any(one, names)]
        if not guilty:
            return
        draft.leave_out(guilty[-1], because)


def _unheld(version: ServerVersion, draft: _Draft) -> tuple[str, tuple[str, ...]]:
    """Find settings that would not come out as planned, and say why."""
    values, settings = draft.values(), draft.settings()
    if found := relations.broken(version, values, settings):
        return found[1], (found[0].lower, found[0].upper)
    if because := relations.shrunk_instances(version, values, settings):
        return because, ("innodb_buffer_pool_instances",)
    if name := relations.idle(values, settings):
        return relations.idle_because(name), (name,)
    return "", ()


def _sets_any(one: Recommendation, names: Iterable[str]) -> bool:
    return any(isinstance(step, SetVariable) and step.name in names for step in one.steps)


def _actions(draft: _Draft) -> list[Action]:
    """The steps of all that is in, each once; what several rules ask for names them all."""
    rules: dict[Step, list[str]] = {}
    for one in draft.taken:
        for step in one.steps:
            if not _done_already(step):
                rules.setdefault(_merged(step, draft), []).append(one.rule)
    set_anew = draft.settings()
    actions: list[Action] = []
    for step, asking in rules.items():
        who = tuple(dict.fromkeys(asking))
        if isinstance(step, SetVariable):
            actions += _setting(step, who, draft)
        elif isinstance(step, RemoveLine) and step.name in set_anew:
            if _back(set_anew[step.name][0], draft) is None:
                because = f"The plan sets {step.name} again; its line is replaced."
                draft.left_out.append(LeftOut(who[0], f"delete {step.name}", because))
            else:
                actions.append(_action(step, who, draft))
        else:
            actions.append(_action(step, who, draft))
    return _each_line_once(actions) + _companions(draft)


def _setting(step: SetVariable, rules: tuple[str, ...], draft: _Draft) -> list[Action]:
    """What sets it; where a start sets the value on its own, what makes it do so."""
    back = _back(step, draft)
    if back is None:
        return [_action(step, rules, draft)]
    if not back.lines and not back.itself:
        because = f"{step.value} is the default: the next start brings it."
        draft.left_out.append(LeftOut(rules[0], step.name, because))
    itself = [_action(step, rules, draft, written=False)] if back.itself else []
    return [*itself, *(Action(Group.RESTART, line, rules) for line in back.lines)]


def _back(step: SetVariable, draft: _Draft) -> BackToDefault | None:
    if draft.target is None:
        return None
    made = replace(step, needs=relations.needs_of(draft.target, step))
    planned = {name: each.value for name, (each, _) in draft.settings().items()}
    return back_to_default(draft.target, made, planned)


def _each_line_once(actions: Sequence[Action]) -> list[Action]:
    """Two rules may know more or less of the same line: the first one is done."""
    found: dict[object, Action] = {}
    for number, action in enumerate(actions):
        step = action.step
        found.setdefault(step.identity if isinstance(step, RemoveLine) else number, action)
    return list(found.values())


def _merged(step: Step, draft: _Draft) -> Step:
    """One step for one variable, although two rules may have written its value differently."""
    return draft.settings()[step.name][0] if isinstance(step, SetVariable) else step


def _companions(draft: _Draft) -> list[Action]:
    settings = draft.settings()
    if draft.target is None:
        return []
    stated = [step for step, _ in settings.values() if _back(step, draft) is None]
    kept = relations.companions(draft.target, stated, draft.values())
    return [
        replace(
            _action(step, (settings[name][1],), draft),
            notes=(f"Kept as it is: a start would otherwise derive it again from {name}.",),
        )
        for name, step in kept
        # What goes back to its default is set by the plan, too.
        if step.name not in settings
    ]


def _action(step: Step, rules: tuple[str, ...], draft: _Draft, *, written: bool = True) -> Action:
    if not isinstance(step, SetVariable) or draft.target is None:
        return Action(_group(step), step, rules)
    version = draft.target.version
    asked, step = step, replace(step, needs=_needs(step, draft, draft.target))
    done = relations.by_hand(version, step)
    if not isinstance(done, SetVariable):
        return Action(_group(done), done, rules)
    shows = relations.becomes(version, step.name, draft.values() | {step.name: step.value})
    sentences = notes(version, step, shows, written=written)
    if step.needs is not relations.needs_of(draft.target, asked):
        sentences = (*sentences, FILLED_ONCE)
    return Action(_group(step), step, rules, shows, sentences, written)


def _needs(step: SetVariable, draft: _Draft, target: PlanTarget) -> Needs:
    """What a setting takes; a pool that becomes much larger, the restart that its companions take.

    So it is filled once, and never beside a page cache that holds the same pages.
    """
    needs = relations.needs_of(target, step)
    memory_bytes = target.machine.memory_bytes
    if needs is not Needs.DYNAMIC or step.name != relations.POOL or memory_bytes is None:
        return needs
    more = (whole(step.value) or 0) - (whole(step.standing.value) or 0)
    if more < MUCH_LARGER * memory_bytes:
        return needs
    settings = draft.settings()
    beside = (settings[name][0] for name in relations.WITH_POOL if name in settings)
    restarts = any(relations.needs_of(target, one) is Needs.RESTART for one in beside)
    return Needs.RESTART if restarts else needs


def _group(step: Step) -> Group:
    match step:
        case SetVariable() | Procedure():
            return _GROUPS[step.needs]
        case RemoveLine():
            kept = step.persisted
            return Group.ONLINE if kept and step.needs is Needs.NOTHING else _GROUPS[step.needs]
        case HostCommand():
            return Group.MACHINE


def _ordered(actions: Sequence[Action], after: Mapping[str, Collection[str]]) -> list[Action]:
    """By group, as they came, but nothing before what it comes after or would be cut by."""
    held_back = _with_their_ceiling(actions)
    found: list[Action] = []
    for group in Group:
        waiting = [action for action in held_back if action.group is group]
        while waiting:
            uncut = [one for one in waiting if not _waits(one, waiting)] or waiting
            free = next((one for one in uncut if not _follows(one, waiting, after)), uncut[0])
            waiting.remove(free)
            found.append(free)
    return found


def _follows(one: Action, among: Iterable[Action], after: Mapping[str, Collection[str]]) -> bool:
    first = {rule for own in one.rules for rule in after.get(own, ())}
    return any(not first.isdisjoint(other.rules) for other in among if other is not one)


def _waits(one: Action, among: Iterable[Action]) -> bool:
    return any(
        isinstance(one.step, SetVariable)
        and isinstance(other.step, SetVariable)
        and relations.goes_first(other.step, one.step)
        for other in among
        if other is not one
    )


def _with_their_ceiling(actions: Sequence[Action]) -> list[Action]:
    """Move what can be set online to the restart where the setting that goes first waits for it."""
    moved = list(actions)
    late = [action for action in moved if action.group is Group.RESTART]
    for index, action in enumerate(moved):
        if action.group is Group.ONLINE and _waits(action, late):
            step = action.step
            if isinstance(step, SetVariable):
                step = replace(step, needs=Needs.RESTART)
            moved[index] = replace(action, group=Group.RESTART, step=step)
    return moved
