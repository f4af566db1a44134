"""Thousands of random but coherent cases: every rule answers, and what it proposes is possible.

Each case is judged, planned whole and in part, and judged again as if the plan were carried out,
and held to what every answer keeps (``invariants``); then once more under a load that adds up. A
case that fails is named by its number: ``coherent_case(1234)`` makes it again, or
``case_at_work(1234)``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context

import pytest

from advisor.case import Case
from advisor.judging.agenda import changes_asked
from advisor.judging.engine import judge, judge_by
from advisor.outcomes import Judgement, NotApplicable, NotJudged, Recommendation, Verdict
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.durability import DURABILITY, less_safe
from advisor.plan.target import same
from advisor.plan.writing import persistable
from advisor.ranking import is_bought, is_free, is_sure, is_vague, rank
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.steps import Needs, RemoveLine, SetVariable, Step
from advisor.target_config.carried_out import carried_out as target_case
from advisor.target_config.carried_out import load_forgotten
from advisor.target_config.configuration import TargetConfiguration, configure
from advisor.variables.catalogue import SETTINGS, span
from advisor.variables.defaults import Machine, default
from advisor.variables.entry import State
from advisor.variables.standing import Standing
from advisor.why import RuleFailed
from advisor.wording.advice.why import sentence
from advisor.workload.pool.room import OVERHEAD
from probes.version import ServerVersion
from tests.rules.at_work import at_work
from tests.rules.casework import build
from tests.rules.coherence import coherent
from tests.rules.invariants import answer_to, broken
from tests.rules.random_cases.coherent import OPEN_FILES, case_at_work, coherent_case
from tests.rules.random_cases.coherent_machine import Spec
from tests.rules.test_rules import well_said

CASES = int(os.environ.get("SWEEP", "20"))
AT_A_TIME = 15
FEW = 100
"""So many are not worth processes of their own, each of which loads all rules first."""
ASSIGNMENT = re.compile(r"^(?:SET (?:PERSIST|GLOBAL) )?(\w+) = '?([^\s']+?)'?;?$", re.MULTILINE)
UNSYNCED = {"O_DIRECT_NO_FSYNC", "NOSYNC", "LITTLESYNC"}
"""Methods that leave data files unsynced: where O_DIRECT is no good, fsync is the way back."""
OWN_FILE = "/etc/mysql/conf.d/zz-leadline.cnf"
RULES = {rule.id: rule for rule in all_rules()}
FOUND = (
    *(11, 22, 24, 25, 27, 30, 33, 34, 51, 55, 60, 64, 70, 73, 75, 128, 131, 149),
    *(29, 179, 182, 193, 199, 241, 291, 340, 355, 375, 424, 457, 531),
    *(541, 881, 961, 1056, 1127, 1138, 1171, 1222, 1355, 1364, 1382, 1610, 1863),
    *(573, 683, 740, 749, 771, 860, 938, 1132, 1265, 1352, 1378, 1450, 1533, 1695, 1757, 1835),
    *(1912, 2061, 2593, 2777, 3300, 3307, 3321, 3796, 4033, 4688),
    *(2068, 2070, 2124, 2197, 2305, 2343, 2455, 2588, 2727, 2891, 4301),
)
"""Cases that larger sweeps have found faults with."""


@pytest.mark.timeout(3600)  # all that it takes is processor time, and others may have that
def test_coherent_cases() -> None:
    if CASES <= FEW:
        assert checked(range(CASES)) == CASES
        return
    chunks = [range(at, min(at + AT_A_TIME, CASES)) for at in range(0, CASES, AT_A_TIME)]
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        assert sum(pool.map(checked, chunks)) == CASES


@pytest.mark.parametrize("number", FOUND)
def test_what_larger_sweeps_found(number: int) -> None:
    assert checked([number]) == 1


def checked(numbers: Sequence[int]) -> int:
    """Check these cases, and count them."""
    for number in numbers:
        for made in (coherent_case, _at_work):
            version, spec = made(number)
            try:
                check(number, version, spec)
            except Exception as error:
                error.add_note(f"{made.__name__} {number}, {version}")
                raise
    return len(numbers)


def _at_work(number: int) -> tuple[ServerVersion, Spec]:
    """The case under a load, with the watch of it."""
    version, spec = case_at_work(number)
    coherent(spec, f"case {number} at work")
    return version, at_work(spec)


def check(number: int, version: ServerVersion, spec: Spec) -> None:
    """Hold one case's judgement and plan to all that every case must keep."""
    case = build(spec)
    judgement = judge(case)
    every_rule_answers(judgement)
    answer = answer_to(case, judgement)
    assert not broken(answer)
    for outcome in judgement.recommendations:
        well_said(outcome)
        possible(version, spec, outcome)
        keeps_durability(spec, outcome)
        stays_below_the_drive(spec, outcome)
    proposed = [one for one in judgement.recommendations if one.verdict is Verdict.RECOMMEND]
    no_line_is_set_and_deleted(proposed)
    # People follow all of it, or the one that they like.
    alone = [proposed[number % len(proposed)]] if len(proposed) > 1 else []
    for chosen in filter(None, (proposed, alone)):
        alike = chosen == changes_asked(judgement)
        made = answer.made if alike else configure(case, judgement, chosen)
        comes_to_rest(made)
        plan = made.plan
        can_be_done(version, plan)
        if plan.actions and not spec["sandbox"]:
            after = carried_out(version, spec, plan)
            # What was counted under the old pool or log says nothing of the load with the new one.
            looked_at = load_forgotten(build(after), plan)
            is_content(looked_at, Done.of(version, after, plan))


def every_rule_answers(judgement: Judgement) -> None:
    silent: list[NotJudged | NotApplicable] = [*judgement.not_judged, *judgement.not_applicable]
    assert len(judgement.recommendations) + len(silent) == len(RULES)
    for one in silent:
        assert not isinstance(one.why, RuleFailed), (one.rule, one.why)
        because = sentence(one.why)
        assert because[0].isupper(), (one.rule, because)
        assert because.endswith("."), (one.rule, because)
    bought = any(map(is_bought, judgement.recommendations))
    alone = [
        one
        for one in judgement.recommendations
        if not one_change_with_another(one) and not (bought and is_free(one))
    ]
    for first, second in pairwise(alone):
        sure_first = is_sure(first) and is_vague(second)
        assert sure_first or rank(first) <= rank(second), (first.rule, second.rule)


def one_change_with_another(one: Recommendation) -> bool:
    """Whether it may follow the advice that it makes one change with."""
    return one.verdict is Verdict.RECOMMEND and bool(RULES[one.rule].part_of)


def possible(version: ServerVersion, spec: Spec, outcome: Recommendation) -> None:
    """Each line sets a variable that the server has, to a value that it takes, when it takes it."""
    for text in (outcome.apply.sql, outcome.apply.cnf):
        for name, value in ASSIGNMENT.findall(text):
            takes(version, name, value)
            if text is outcome.apply.sql:
                known = span(version, name)
                assert known is not None
                assert known.online, f"{name} can't be set while the server runs"
    for name, _ in ASSIGNMENT.findall(outcome.apply.sql):
        assert outcome.needs is Needs.DYNAMIC, (outcome.rule, outcome.needs, outcome.apply)
        kept = f"SET PERSIST {name} = " in outcome.apply.sql
        assert kept == persistable(version, name), (outcome.rule, name)
    if spec["sandbox"] and outcome.setting in SETTINGS:
        assert outcome.now == ""


def takes(version: ServerVersion, name: str, value: str) -> None:
    """Hold a value to what the catalogue knows of this server."""
    known = span(version, name)
    assert known is not None, f"it has no {name}"
    assert known.state is not State.IGNORED, f"it ignores {name}"
    if known.low is not None and value.isdigit():
        assert known.low <= int(value) <= (known.high or int(value)), (name, value)
    if known.words:
        # Servers before 5.6 take a switch in an option file as a number only.
        said = {"1": "ON", "0": "OFF"}.get(value, value)
        assert value in known.words or said in known.words, (name, value)


def keeps_durability(spec: Spec, outcome: Recommendation) -> None:
    """What a power cut may cost is never made worse; a file system may be as safe by itself."""
    if spec["drive"]["filesystem"] == "zfs":
        return
    for name, value in ASSIGNMENT.findall(f"{outcome.apply.sql}\n{outcome.apply.cnf}"):
        now = Standing(name, spec["variables"].get(name, ""))
        assert not less_safe(SetVariable(now, value, Needs.DYNAMIC)), (outcome.rule, now, value)
        if name == "innodb_flush_method":
            assert value == "O_DIRECT" or (value == "fsync" and now.value.upper() in UNSYNCED)


def stays_below_the_drive(spec: Spec, outcome: Recommendation) -> None:
    """No flushing is proposed above what the drive was seen to take, and the smallest default.

    A server that writes as much or more shows what its drive takes: at most twice its own writes
    are proposed then, to the next round figure.
    """
    rows = [row for name in ("writes_one", "writes_many") for row in spec.get(name, ())]
    seen = max([200.0, *(row[1] for row in rows)])
    own = spec.get("rates", {}).get("Innodb_pages_written", 0.0)
    seen = 3 * own if own >= seen else seen
    if outcome.setting in {"innodb_io_capacity", "innodb_io_capacity_max"} and outcome.proposed:
        assert int(outcome.proposed) <= seen, outcome.proposed


def no_line_is_set_and_deleted(proposed: Sequence[Recommendation]) -> None:
    steps = [step for one in proposed for step in one.steps]
    deleted = {step.name for step in steps if isinstance(step, RemoveLine)}
    assert deleted.isdisjoint(step.name for step in steps if isinstance(step, SetVariable))


def comes_to_rest(made: TargetConfiguration) -> None:
    """The rounds end, no line is both set and deleted, and none repeats a default."""
    assert made.settled, made.plan.left_out
    plan = made.plan
    written = {step.name: step for _, step in plan.written(Group.ONLINE, Group.RESTART)}
    deleted = {action.step.name for action in plan.actions if isinstance(action.step, RemoveLine)}
    assert written.keys().isdisjoint(deleted), written.keys() & deleted
    for step in written.values():
        known = span(plan.version, step.name) if plan.version is not None else None
        # Where nobody knows the line that says otherwise, another one has to override it.
        if known is None or known.formula or not step.standing.origin or step.name in DURABILITY:
            continue
        assert known.default is None or not same(known.default, step.value), step


def can_be_done(version: ServerVersion, plan: ChangePlan) -> None:
    """Each step of the plan is one that the server takes in its group."""
    for action, step in plan.settings():
        takes(version, step.name, step.value)
        takes(version, step.name, action.shows)
        assert not less_safe(step), step
        known = span(version, step.name)
        assert known is not None
        assert known.online or action.group is not Group.ONLINE, step


def carried_out(version: ServerVersion, spec: Spec, plan: ChangePlan) -> Spec:
    """The case as it would be once the plan is done: values, where they stand, lines."""
    values, origin = dict(spec["variables"]), dict(spec.get("origin", {}))
    lines = list(spec.get("options", ()))
    machine = machine_of(spec)
    for action in plan.of(Group.ONLINE, Group.RESTART):
        match action.step:
            case SetVariable() as step:
                values[step.name] = action.shows
                lines = [line for line in lines if written_name(line) != step.name]
                kept = action.group is Group.ONLINE and persistable(version, step.name)
                if origin:
                    stated = "PERSISTED" if kept else OWN_FILE
                    origin[step.name] = stated if action.written else "COMPILED"
                if action.written and not kept:
                    lines.append(f"{OWN_FILE}:1 {step.name} = {action.shows}")
            case RemoveLine() as step:
                lines = [line for line in lines if written_name(line) != step.name]
                if origin.get(step.name, "") != "COMPILED" and step.name in values:
                    origin |= {step.name: "COMPILED"} if origin else {}
                    usual = default(version, step.name, machine, values)
                    values[step.name] = values[step.name] if usual is None else usual
    done = spec | {"variables": values}
    after = target_case(build(spec), plan)
    if after.load_ahead:
        # What is written from now on nobody has counted yet: a second step follows from a look.
        done["load_ahead"] = after.load_ahead
        done["flushing_asked"] = after.flushing_asked
    done |= memory_after(spec, values)
    done |= {"origin": origin} if origin else {}
    return done | ({"options": lines} if "options" in spec else {})


def memory_after(spec: Spec, values: dict[str, str]) -> Spec:
    """The machine with the memory that the pool takes or gives back, as a look would find it."""
    name, host = "innodb_buffer_pool_size", spec["host"]
    if "memory_available_bytes" not in host:
        return {}
    grown = int(values.get(name, "0")) - int(spec["variables"].get(name, "0"))
    left = max(0, int(host["memory_available_bytes"] - OVERHEAD * grown))
    changed: Spec = {"host": host | {"memory_available_bytes": left}}
    process = spec.get("process", {})
    if "resident_bytes" in process:
        held = max(0, int(process["resident_bytes"] + OVERHEAD * min(0.0, grown)))
        changed["process"] = process | {"resident_bytes": held}
    return changed


def machine_of(spec: Spec) -> Machine:
    return Machine(spec["host"]["cpus"], int(spec["host"]["memory_gib"] * 2**30), OPEN_FILES)


def written_name(line: str) -> str:
    """The name in ``/etc/my.cnf:3 name = value``."""
    return line.partition(" ")[2].partition("=")[0].strip().removeprefix("loose_")


@dataclass(frozen=True)
class Done:
    """What a plan has just set and taken out, on a server with these values."""

    version: ServerVersion
    values: dict[str, str]
    machine: Machine
    was_set: frozenset[str]
    was_removed: Mapping[str, str]

    @classmethod
    def of(cls, version: ServerVersion, spec: Spec, plan: ChangePlan) -> Done:
        steps = [action.step for action in plan.of(Group.ONLINE, Group.RESTART)]
        return cls(
            version,
            spec["variables"],
            machine_of(spec),
            frozenset(step.name for step in steps if isinstance(step, SetVariable) and moves(step)),
            {step.name: step.value for step in steps if isinstance(step, RemoveLine)},
        )

    def is_said_anew(self, step: Step) -> bool:
        """Whether a step changes what was set, brings back what was taken out, or takes it again.

        A line that says what the server does by itself may go later.
        """
        match step:
            case SetVariable():
                removed = self.was_removed.get(step.name)
                back = removed is not None and same(step.value, removed)
                return back or step.name in self.was_set
            case RemoveLine() if step.name in self.was_set:
                known = span(self.version, step.name)
                usual = default(self.version, step.name, self.machine, self.values)
                usual = usual or (known.default if known is not None else None)
                return usual is None or not same(usual, self.values[step.name])
            case RemoveLine():
                return step.name in self.was_removed
        return False


def moves(step: SetVariable) -> bool:
    """Whether the value becomes another: a plan also pins values that would else be derived."""
    return not same(step.value, step.standing.value)


def is_content(case: Case, done: Done) -> None:
    """Judged again, nothing new is said of what the plan has just changed."""
    names = done.was_set | set(done.was_removed)
    if not again(quickly_judged(case, names), done):
        return
    # Only all rules together know what waits for what.
    repeated = again(judge(case).recommendations, done)
    assert not repeated, [(one.rule, one.now, one.proposed, one.saw) for one in repeated]


def quickly_judged(case: Case, names: Iterable[str]) -> list[Recommendation]:
    """The outcomes of the rules that may speak of these settings: those that look at one."""
    source, wanted = FactSource(case), {f"mysql.variable.{name}" for name in names}
    rules = [
        rule
        for rule in RULES.values()
        if not wanted.isdisjoint(rule.needs + rule.uses) or rule.id.startswith("lines.")
    ]
    outcomes = [judge_by(rule, source) for rule in rules]
    return [one for one in outcomes if isinstance(one, Recommendation)]


def again(outcomes: Sequence[Recommendation], done: Done) -> list[Recommendation]:
    return [
        one
        for one in outcomes
        if one.verdict is Verdict.RECOMMEND and any(done.is_said_anew(step) for step in one.steps)
    ]
