"""Which memory blocks are read into: like the server's, and the other kind beside it."""

from __future__ import annotations

import pytest

from probes.inventory.facts import HostFacts, Inventory, MySQLFacts, Variable
from probes.inventory.kernel_facts import KernelFacts
from probes.inventory.server_process import ServerProcess
from probes.kinds.kind import Kind
from probes.plans.build.buffers import BufferChoice, choose_buffers
from probes.plans.build.builtin import make_plan
from probes.plans.describe import describe
from probes.plans.plan import Plan, PlanName
from probes.plans.spend.chooser import AdaptiveChooser, InOrder
from probes.plans.spend.expected import BETWEEN_S, longest_s
from probes.plans.wishes import Wishes
from probes.points import BUFFERS, Buffers, Probe
from probes.version import ServerVersion
from tests.points import point
from tests.probes.plans.drives import play

ORDINARY, HUGE = Buffers.ORDINARY, Buffers.HUGE
BOTH = BufferChoice(ORDINARY, "a reason", HUGE)


def inventory(
    mode: str | None = "madvise",
    process: ServerProcess | None = None,
    large_pages: str | None = None,
    free: int | None = None,
) -> Inventory:
    variables = {} if large_pages is None else {"large_pages": Variable("large_pages", large_pages)}
    mysql = MySQLFacts(ServerVersion.parse("8.0.36", ""), variables=variables)
    host = HostFacts(transparent_hugepages=mode, kernel_settings=KernelFacts(huge_pages_free=free))
    return Inventory("", host=host, mysql=mysql, server_process=process)


@pytest.mark.parametrize(
    ("found", "kind", "because"),
    [
        (inventory("madvise"), ORDINARY, "transparent huge pages are set to madvise"),
        (inventory("never"), ORDINARY, "transparent huge pages are set to never"),
        (inventory("always"), HUGE, "transparent huge pages are set to always"),
        (inventory(None), ORDINARY, "it is not known whether this kernel gives huge pages"),
        (
            inventory("always", ServerProcess(1, huge_share=0.02)),
            ORDINARY,
            "2\u202f% of the server's memory lies in huge pages",
        ),
        (
            inventory("always", ServerProcess(1, huge_share=0.93)),
            HUGE,
            "93\u202f% of the server's memory lies in huge pages",
        ),
        (
            inventory("never", ServerProcess(1, huge_share=0.0, reserved_huge_bytes=2 << 20)),
            HUGE,
            "the server's pool lies in huge pages that were set aside for it",
        ),
        (
            inventory("always", ServerProcess(1, huge_pages=False)),
            ORDINARY,
            "the server has turned transparent huge pages off for itself",
        ),
        (
            inventory("madvise", ServerProcess(1), "ON"),
            HUGE,
            "the server asks for large pages (large_pages = ON)",
        ),
        (
            inventory("madvise", ServerProcess(1, huge_share=0.0, reserved_huge_bytes=0), "ON"),
            ORDINARY,
            "0\u202f% of the server's memory lies in huge pages",
        ),
    ],
)
def test_buffers_are_like_the_servers(found: Inventory, kind: Buffers, because: str) -> None:
    choice = choose_buffers(found)
    assert (choice.kind, choice.because) == (kind, because)


def test_what_a_user_asks_for_goes_first() -> None:
    assert choose_buffers(inventory("madvise"), HUGE) == BufferChoice(
        HUGE, "as was asked for", ORDINARY
    )


@pytest.mark.parametrize(
    ("found", "other"),
    [
        (inventory("madvise"), HUGE),
        (inventory("always"), ORDINARY),
        (inventory("never"), None),
        (inventory("never", free=0), None),
        (inventory("never", free=64), HUGE),
        (Inventory(""), None),
    ],
)
def test_the_other_kind_is_one_that_can_be_had(found: Inventory, other: Buffers | None) -> None:
    assert choose_buffers(found).other is other


def plan_with(buffers: BufferChoice = BOTH, **wished: object) -> Plan:
    return make_plan(
        PlanName.QUICK,
        directory="/d",
        kinds=frozenset({Kind.STORAGE, Kind.REDO}),
        wishes=Wishes(**wished),  # type: ignore[arg-type]
        buffers=buffers,
    )


def comparing(plan: Plan) -> list[int]:
    return [at for at, step in enumerate(plan.steps) if BUFFERS in step.setting.options]


def test_both_kinds_are_measured_in_turns_before_anything_is_written() -> None:
    plan = plan_with()
    played = play(
        plan, AdaptiveChooser(plan), lambda _, setting: [point(setting, 100.0 * setting.threads)]
    )
    first, second = comparing(plan)
    turns = [index for index in played.asked if index in (first, second)]
    assert turns == [first, second, second, first]
    at = played.asked.index(first)
    assert played.asked[at : at + 4] == turns
    before = {plan.steps[index].setting.probe for index in played.asked[:at]}
    assert before == {Probe.RANDOM_READ}
    assert plan.steps[second].setting.options == {BUFFERS: "huge"}


def test_turns_count_in_the_longest_time() -> None:
    plan = plan_with()
    step = plan.steps[comparing(plan)[0]]
    once = step.warmup_s + step.seconds + BETWEEN_S
    alone = longest_s(plan_with(BufferChoice(ORDINARY, "a reason")))
    assert longest_s(plan) == pytest.approx(alone + 4 * once)


def test_every_level_has_each_kind_once() -> None:
    plan = plan_with(every_level=True)
    chooser = InOrder(plan)
    asked = [chooser.choose(()) for _ in plan.steps]
    assert len([index for index in asked if index in comparing(plan)]) == 2


@pytest.mark.parametrize(
    "plan",
    [
        plan_with(BufferChoice(ORDINARY, "a reason")),
        plan_with(threads=(1, 8)),
        plan_with(block_sizes=(4096,)),
        plan_with(engine="fio"),
    ],
    ids=["no other kind", "named threads", "named sizes", "an engine that has one kind"],
)
def test_nothing_is_compared(plan: Plan) -> None:
    assert comparing(plan) == []


def test_a_plan_says_where_blocks_lie_and_why() -> None:
    plan = plan_with()
    assert (plan.buffers, plan.buffers_because) == ("ordinary", "a reason")
    lines = describe(plan)
    assert "Blocks lie in ordinary pages of memory: a reason." in lines
    assert any("buffers in huge pages" in line for line in lines)
