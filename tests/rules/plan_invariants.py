"""What list and plan must keep of every server, whatever its figures: for whole servers and sweeps.

``broken`` names what one case breaks. The plan is that of all that is worth planning.
"""

from __future__ import annotations

from collections.abc import Iterator

from advisor.case import Case
from advisor.facts.known import status, variable
from advisor.outcomes import Judgement, Recommendation, Verdict
from advisor.plan.change_plan import ChangePlan, Group
from advisor.plan.target import same
from advisor.rulekit.facts import Facts, FactSource
from advisor.steps import SetVariable
from advisor.target_config.carried_out import unsettled_by
from advisor.target_config.configuration import TargetConfiguration, configure, worth_planning
from advisor.workload.flush_load import NEEDS, USES, WRITING, flush_load, hardly_writes

POOL, LIMITS = "innodb_buffer_pool_size", ("innodb_io_capacity", "innodb_io_capacity_max")
PACE = frozenset(
    {
        "flushing.adaptive-flushing-lwm",
        "flushing.avg-loops",
        "flushing.flush-neighbors",
        "flushing.idle-flush-pct",
        "flushing.io-capacity",
        "flushing.io-capacity-max",
        "flushing.max-dirty-pages-pct",
        "flushing.max-dirty-pages-pct-lwm",
        "doublewrite.pages",
        "doublewrite.batches",
    }
)
"""Rules on how fast pages are written, and how: nothing to a server that writes hardly any."""

GROWTH = 1.5
"""The pool holds the data and at most half as much again, to a whole step of the server's."""

STEP_BYTES = 4 << 30


def broken(case: Case, judgement: Judgement) -> list[str]:
    """What this case breaks, a sentence each; empty where all is kept."""
    chosen = worth_planning(judgement)
    made = configure(case, judgement, chosen)
    found = [
        *_two_values(judgement, made),
        *_waits_in_vain(case, judgement, made),
        *_pool_beyond_data(case, made),
        *_paces_what_is_not_written(case, judgement, made),
        *lowered_unseen(made.after, judgement, made.plan),
    ]
    return list(dict.fromkeys(found))


def _set_by(plan: ChangePlan) -> dict[str, SetVariable]:
    groups = (Group.ONLINE, Group.RESTART, Group.REBUILD)
    return {step.name: step for _, step in plan.settings(*groups)}


def _agrees(one: Recommendation, value: str) -> bool:
    if same(one.proposed, value):
        return True
    within = one.allowed
    numbers = within and value.isdigit()
    return bool(numbers and within and float(within.low) <= float(value) <= float(within.high))


def _two_values(judgement: Judgement, made: TargetConfiguration) -> Iterator[str]:
    """The list and the plan never have two values of one setting."""
    planned = _set_by(made.plan)
    for one in judgement.recommendations:
        step = planned.get(one.setting)
        if step is None or one.verdict is Verdict.FINE or not one.proposed:
            continue
        if not _agrees(one, step.value):
            yield f"two values: {one.setting} {one.now} -> {one.proposed}, planned {step.value}"


def _waits_in_vain(case: Case, judgement: Judgement, made: TargetConfiguration) -> Iterator[str]:
    """What is held back waits for what is planned, and is planned, named by the look, or left."""
    mysql = case.inventory.mysql
    if mysql is None or mysql.sandbox:
        return
    doing = [action for action in made.plan.actions if action.group is not Group.LOOK]
    asked = {rule for action in doing for rule in action.rules}
    looked = {rule for action in made.plan.of(Group.LOOK) for rule in action.rules}
    left = {each.rule for each in made.plan.left_out}
    for one in judgement.recommendations:
        if not one.waits_for or one.verdict is not Verdict.WATCH:
            continue
        if one.waits_for not in asked | looked | left:
            yield f"waits in vain: {one.rule} for {one.waits_for}"
        elif one.rule not in asked | looked | left:
            yield f"forgotten: {one.rule}, which waits for {one.waits_for}"


def _pool_beyond_data(case: Case, made: TargetConfiguration) -> Iterator[str]:
    """No pool is made larger than the data and its growth, where the data's size is known."""
    mysql, step = case.inventory.mysql, _set_by(made.plan).get(POOL)
    data = None if mysql is None else mysql.innodb_files_bytes
    if step is None or not data or int(step.value) <= int(step.standing.text):
        return
    # The least step that a server counts in may be larger than a small database.
    if int(step.value) > max(GROWTH * data + STEP_BYTES, 1 << 30):
        yield f"pool: {step.value} for {data} of data"


def _paces_what_is_not_written(
    case: Case, judgement: Judgement, made: TargetConfiguration
) -> Iterator[str]:
    """A server that writes nothing gets no advice on how fast it writes."""
    mysql = case.inventory.mysql
    names = ("mysql.version", *(each.name for each in WRITING))
    facts = Facts(FactSource(case), names, about_server=True)
    if mysql is None or mysql.sandbox or not hardly_writes(facts):
        return
    written = facts.get(status("Innodb_pages_written"))
    for one in judgement.recommendations:
        if one.rule in PACE and one.verdict is Verdict.RECOMMEND:
            yield f"paces {written:.0f} pages/s: {one.rule} {one.now} -> {one.proposed}"
    for action in made.plan.actions:
        if action.group is not Group.LOOK and not PACE.isdisjoint(action.rules):
            yield f"paces {written:.0f} pages/s by plan: {', '.join(action.rules)}"


def lowered_unseen(after: Case, judgement: Judgement, plan: ChangePlan) -> Iterator[str]:
    """What the list did not lower stays, but for limits above what the drive flushes at all."""
    if not unsettled_by(plan).writes:
        return
    asked = [one for one in judgement.recommendations if one.verdict is Verdict.RECOMMEND]
    told = {step.name for one in asked for step in one.steps if isinstance(step, SetVariable)}
    for step in _set_by(plan).values():
        if step.name in told or not (step.value.isdigit() and step.standing.text.isdigit()):
            continue
        if int(step.value) >= int(step.standing.text):
            continue
        if step.name in LIMITS and int(step.value) >= _least(after):
            continue
        yield f"lowered unseen: {step.name} {step.standing.text} -> {step.value}"


def _least(case: Case) -> float:
    """Half of what the drive flushes with the plan's doublewrite, for each instance.

    A limit is a round figure, and a whole multiple of the plan, below that.
    """
    names = tuple(each.name for each in (*NEEDS, *USES, *map(variable, LIMITS)))
    load = flush_load(Facts(FactSource(case), names, about_server=True))
    return 0.5 * load.budget_per_s / load.ways
