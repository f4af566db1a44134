"""Random machines: their rules answer, say what a shell takes, and are content once obeyed."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from advisor.judging.engine import judge_by
from advisor.outcomes import NotApplicable, NotJudged, Outcome, Recommendation, Verdict
from advisor.plan.export import shell
from advisor.plan.planning import make_plan
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from advisor.steps import HostCommand
from advisor.why import RuleFailed
from advisor.wording.advice.why import sentence
from tests.rules.casework import build
from tests.rules.test_rules import cases_of, well_said
from tests.waiting import HANG_S

FAMILIES = ("filesystem.", "block.", "host.")
RULES = [rule for rule in all_rules() if rule.id.startswith(FAMILIES)]
HOSTILE = "/srv/$(reboot) `id`\n'; rm -rf / #"
LAYERS = (
    {"name": "vg-data", "kind": "lvm", "detail": "thin"},
    {"name": "vg-data", "kind": "lvm"},
    {"name": "loop0", "kind": "loop", "direct": False},
    {"name": "md0", "kind": "md", "detail": "raid5 of 4", "chunk_bytes": 8192, "missing_disks": 1},
    {"name": "md0", "kind": "md", "detail": "raid6 of 4", "activity": "check", "missing_disks": 0},
    {"name": "luks", "kind": "crypt", "detail": "LUKS2", "logical_block_bytes": 512},
)
OPTIONS = (
    "relatime",
    "noatime",
    "discard",
    "nobarrier",
    "barrier=0",
    "data=journal",
    "data=writeback",
    "soft",
    "hard",
    "wsize=8192",
    "nodatacow",
)


def some(*values: Any) -> st.SearchStrategy[Any]:
    return st.sampled_from(values)


def sized(highest: int) -> st.SearchStrategy[int | None]:
    return st.one_of(st.none(), st.integers(0, highest))


HOST = st.fixed_dictionaries(
    {
        "cpus": some(None, 1, 2, 4, 16, 128),
        "numa_nodes": some(None, 1, 2, 8),
        "memory_gib": some(1, 16, 512),
        "memory_available_bytes": sized(16 << 30),
        "swap_bytes": some(None, 0, 8 << 30),
        "swap_used_bytes": sized(8 << 30),
        "swappiness": some(None, 0, 1, 10, 60, 200),
        "transparent_hugepages": some(None, "always", "madvise", "never"),
        "zone_reclaim": some(None, 0, 1, 7),
        "numa_balancing": some(None, 0, 1),
        "overcommit": some(None, 0, 1, 2),
        "overcommit_ratio": some(None, 0, 50, 95),
        "commit_limit_bytes": sized(16 << 30),
        "committed_bytes": sized(16 << 30),
        "dirty_background_bytes": sized(64 << 30),
        "dirty_background_ratio": some(None, 0, 10),
        "governor": some("", "powersave", "performance", "schedutil", "userspace"),
        "frequency_driver": some("", "acpi-cpufreq", "intel_pstate"),
        "clock_source": some("", "tsc", "hpet", "xen"),
        "clock_sources": some([], ["tsc", "hpet"], ["hpet"]),
        "memory_pressure": st.one_of(st.none(), st.floats(0, 1)),
        "zfs_cache_max_bytes": sized(64 << 30),
        "kernel": some("6.1.64", "6.3.1", "4.19.1", "5.14.0-427.el9", "6.18.44", "odd"),
    }
)
DRIVE = st.fixed_dictionaries(
    {
        "filesystem": some("ext3", "ext4", "xfs", "btrfs", "zfs", "nfs4", "tmpfs", "overlay", ""),
        "bus": some("nvme", "virtio", "sata", "sas", ""),
        "rotational": some(None, True, False),
        "scheduler": some("", "none", "bfq", "cfq", "mq-deadline"),
        "discard": some(None, True, False),
        "queue_depth": some(None, 1, 2, 32),
        "nr_requests": some(None, 8, 64, 1023),
        "read_ahead_bytes": some(None, 0, 131072, 8388608),
        "hardware_queues": some(None, 1, 16),
        "own_write_cache": some("", "write back", "write through"),
        "write_cache": some("", "write back", "write through"),
        "physical_block_bytes": some(None, 512, 4096),
        "interrupt_cpus": some([], ["0"] * 5, ["0", "1", "2", "3"]),
    }
)
STORAGE = st.fixed_dictionaries(
    {
        "path": some("/data", HOSTILE),
        "mount_point": some("/", "/srv", HOSTILE),
        "mount_source": some("/dev/sda1", "tank/mysql", HOSTILE),
        "mount_options": st.lists(some(*OPTIONS), unique=True).map(lambda chosen: ["rw", *chosen]),
        "size_bytes": some(None, 1 << 30, 1 << 40, 1 << 44),
        "free_bytes": sized(1 << 40),
        "reserved_bytes": sized(1 << 36),
        "block_bytes": some(None, 4096, 16384, 131072),
        "attributes": some(None, 0, 0x00800000),
        "layers": st.lists(some(*LAYERS), max_size=3),
        "partitions": some([], [{"name": "sda1", "start_bytes": 32256}]),
    }
)
CURVE = st.floats(50, 300_000).map(lambda rate: [[1, rate / 20], [32, rate], [64, rate * 1.01]])


@st.composite
def machines(draw: st.DrawFn) -> dict[str, Any]:
    spec: dict[str, Any] = {"host": draw(HOST), "drive": draw(DRIVE), "storage": draw(STORAGE)}
    if draw(st.booleans()):
        spec |= {"version": "8.0.33", "sandbox": draw(st.booleans())}
        spec["variables"] = {
            "innodb_buffer_pool_size": str(draw(st.integers(1 << 27, 1 << 39))),
            "innodb_page_size": draw(some("4096", "16384", "65536")),
        }
    for name in ("reads_4k", "reads_16k", "writes_many"):
        if draw(st.booleans()):
            spec[name] = draw(CURVE)
    return spec


def judged(spec: dict[str, Any]) -> dict[str, Outcome]:
    source = FactSource(build(spec))
    return {rule.id: judge_by(rule, source) for rule in RULES}


NEGLECTED: dict[str, Any] = {
    "version": "10.11.6-MariaDB",
    "variables": {"innodb_buffer_pool_size": str(96 << 30), "innodb_page_size": "16384"},
    "host": {
        "cpus": 32,
        "memory_gib": 128,
        "numa_nodes": 2,
        "numa_balancing": 1,
        "zone_reclaim": 1,
        "swappiness": 60,
        "swap_bytes": 8 << 30,
        "swap_used_bytes": 4 << 30,
        "transparent_hugepages": "always",
        "governor": "powersave",
        "frequency_driver": "acpi-cpufreq",
        "clock_source": "hpet",
        "clock_sources": ["tsc"],
        "dirty_background_bytes": 20 << 30,
        "dirty_background_ratio": 10,
        "overcommit": 2,
        "overcommit_ratio": 50,
        "commit_limit_bytes": 64 << 30,
        "committed_bytes": 63 << 30,
        "kernel": "6.1.64",
    },
    "drive": {
        "filesystem": "ext4",
        "bus": "sata",
        "scheduler": "bfq",
        "queue_depth": 1,
        "discard": True,
        "write_cache": "write through",
        "own_write_cache": "write back",
        "rotational": True,
        "read_ahead_bytes": 0,
    },
    "storage": {
        "mount_point": HOSTILE,
        "mount_source": "/dev/sda1",
        "mount_options": ["rw", "discard"],
        "size_bytes": 1 << 40,
        "free_bytes": 10 << 30,
        "reserved_bytes": 50 << 30,
    },
    "reads_16k": [[1, 3000, 300], [32, 9000], [64, 9100]],
    "writes_many": [[1, 1000], [64, 6400]],
}
"""Everything about it is wrong that a command can put right."""


def test_all_advice_on_a_neglected_machine_fits_into_one_plan() -> None:
    case = build(NEGLECTED)
    source = FactSource(case)
    outcomes = [judge_by(rule, source) for rule in RULES]
    chosen = [
        one
        for one in outcomes
        if isinstance(one, Recommendation) and one.verdict is Verdict.RECOMMEND
    ]
    plan = make_plan(case, chosen)
    assert len(chosen) >= 18
    assert plan.left_out == ()
    for script in (shell.apply(plan), shell.undo(plan)):
        checked = subprocess.run(
            ["sh", "-n"], input=script, check=False, capture_output=True, text=True, timeout=HANG_S
        )
        assert checked.returncode == 0, checked.stderr


sweep = settings(
    max_examples=int(os.environ.get("SWEEP", "60")),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=True,
)


@sweep
@given(machines())
def test_every_rule_answers_with_commands_that_a_shell_takes(spec: dict[str, Any]) -> None:
    for outcome in judged(spec).values():
        if isinstance(outcome, NotJudged | NotApplicable):
            assert not isinstance(outcome.why, RuleFailed), outcome
            assert re.fullmatch(r"[A-Z].*\.", sentence(outcome.why)), outcome
        if isinstance(outcome, Recommendation):
            well_said(outcome)
            harmless(outcome)


def harmless(outcome: Recommendation) -> None:
    """What comes from the machine stays one word of a command, or within a comment's line."""
    for step in outcome.steps:
        for command in (step.run, step.undo) if isinstance(step, HostCommand) else ():
            words = shlex.split(command)
            assert "rm" not in words, command
            assert words[0] in {"echo", "sysctl", "mount", "tune2fs", "zfs", "for"}, command
    text = outcome.apply.os
    for step in outcome.steps:
        if isinstance(step, HostCommand):
            text = text.replace(step.run, "", 1)
    assert all(line.startswith("#") or not line for line in text.splitlines()), text


CHANGED = {
    "vm.swappiness": "swappiness",
    "transparent_hugepage": "transparent_hugepages",
    "vm.zone_reclaim_mode": "zone_reclaim",
    "kernel.numa_balancing": "numa_balancing",
    "scaling_governor": "governor",
    "clock source": "clock_source",
    "vm.dirty_background_bytes": "dirty_background_bytes",
    "zfs_arc_max": "zfs_cache_max_bytes",
    "I/O scheduler": "scheduler",
    "queue_depth": "queue_depth",
    "nr_requests": "nr_requests",
    "rotational": "rotational",
    "write_cache": "write_cache",
}
"""What a recommendation sets, by the field that the inventory reads it into."""


@sweep
@given(machines())
def test_a_machine_that_obeyed_hears_nothing_more(spec: dict[str, Any]) -> None:
    for outcome in judged(spec).values():
        if not isinstance(outcome, Recommendation) or outcome.setting not in CHANGED:
            continue
        if outcome.verdict is not Verdict.RECOMMEND:
            continue
        field = CHANGED[outcome.setting]
        place = "drive" if field in spec["drive"] else "host"
        value = int(outcome.proposed) if outcome.proposed.isdigit() else outcome.proposed
        value = bool(value) if field == "rotational" else value
        again = judged(spec | {place: spec[place] | {field: value}})[outcome.rule]
        assert getattr(again, "verdict", None) is not Verdict.RECOMMEND, (outcome, again)


@pytest.mark.parametrize("rule", RULES, ids=[rule.id for rule in RULES])
def test_a_recommendation_carries_its_whole_card(rule: Any) -> None:
    """What is advised or watched says how sure it is and why, where it holds, what errors cost."""
    for spec in cases_of(rule):
        outcome = judge_by(rule, FactSource(build(spec)))
        if not isinstance(outcome, Recommendation):
            continue
        assert outcome.because, spec["name"]
        if outcome.verdict is Verdict.FINE:
            continue
        assert outcome.valid, spec["name"]
        assert outcome.cost_of_error, spec["name"]
        if outcome.verdict is Verdict.RECOMMEND:
            assert outcome.setting and outcome.now, spec["name"]
            assert outcome.side_effects, spec["name"]
            assert outcome.verify or outcome.steps, spec["name"]
