"""What a limit of the volume holds up: nothing that an idle drive takes as well."""

from __future__ import annotations

from typing import Any

import pytest

from advisor.gain import Wait
from advisor.judging.agenda import Part, part_of
from advisor.judging.engine import judge_by
from advisor.outcomes import Recommendation
from advisor.rulekit.facts import FactSource
from advisor.rulekit.registry import all_rules
from probes.figures import THIN
from tests.rules.casework import build

GP3: dict[str, Any] = {
    "version": "8.4.5",
    "host": {"cpus": 8, "platform": "Amazon EC2 (m6i.2xlarge)"},
    "drive": {"size_bytes": 322122547200},
    "reads_16k": [[1, 1620], [4, 3000], [16, 3010], [64, 3020]],
    "sync": {"fdatasync": 869},
}
"""An idle read takes 617 µs, an append with fdatasync 869."""


def relieved(rule: str, case: dict[str, Any]) -> dict[Wait, float]:
    """The most that a rule's advice takes of each wait."""
    (known,) = (each for each in all_rules() if each.id == rule)
    outcome = judge_by(known, FactSource(build(case)))
    assert isinstance(outcome, Recommendation), outcome
    return {each.wait: each.share.high for each in outcome.relieves}


def served(reads_us: float, syncs_us: float, per_s: float) -> dict[str, Any]:
    """What was watched: reads and syncs that take so long, and requests of the volume."""
    return {
        "files": [["data", "read", 243, reads_us], ["redo", "sync", 330, syncs_us]],
        "devices": [{"reads": [246, reads_us, 4e6], "writes": [per_s - 246, 1100, 23e6]}],
    }


def test_a_limit_that_is_not_reached_gains_what_waits_beyond_an_idle_drive() -> None:
    found = relieved("cloud.request-limit", GP3 | {"watched": served(640, 880, 2460)})
    assert found == {
        Wait.PAGE_READS: pytest.approx(1 - 617.3 / 640, abs=0.001),
        Wait.COMMITS: pytest.approx(1 - 869 / 880, abs=0.001),
    }
    slow = relieved("cloud.request-limit", GP3 | {"watched": served(6000, 8000, 2460)})
    assert slow == {wait: pytest.approx(0.82) for wait in (Wait.PAGE_READS, Wait.COMMITS)}


def test_a_limit_that_is_reached_gains_all_that_waits_beyond_it() -> None:
    found = relieved("cloud.request-limit", GP3 | {"watched": served(6000, 8000, 2900)})
    assert found[Wait.PAGE_READS] == pytest.approx(1 - 617.3 / 6000, abs=0.001)
    assert found[Wait.COMMITS] == pytest.approx(1 - 869 / 8000, abs=0.001)


def outcome_of(rule: str, watched: dict[str, Any]) -> Recommendation:
    (known,) = (each for each in all_rules() if each.id == rule)
    found = judge_by(known, FactSource(build(GP3 | {"watched": watched})))
    assert isinstance(found, Recommendation), found
    return found


def test_a_limit_of_which_some_is_left_has_a_line_where_peaks_are_near_or_reach_it() -> None:
    rule, used = "cloud.request-limit", served(640, 880, 2000)
    assert part_of(outcome_of(rule, used)) is Part.MINOR
    assert part_of(outcome_of(rule, served(640, 880, 2450))) is Part.WATCH
    calm, slow = [600] * 20, [3700, 4400, 4100]
    peaks = outcome_of(rule, used | {"courses": [["data", "read", 243, calm + slow]]})
    assert part_of(peaks) is Part.WATCH
    assert "reads took 3.7 to 4.4 ms in 3 of 23 seconds, 600 µs in the rest" in plain(peaks.effect)
    few = outcome_of(rule, used | {"courses": [["data", "read", 243, calm + slow[:2]]]})
    assert part_of(few) is Part.MINOR


def plain(text: str) -> str:
    return text.replace(THIN, " ")


@pytest.mark.parametrize(
    ("per_s", "reads_us", "most"),
    [(492, 900, 0.0), (492, 2000, 0.5), (492, 9000, 0.82), (560, 900, 1)],
)
def test_where_nobody_measured_an_idle_drive_it_is_taken_for_a_millisecond(
    per_s: float, reads_us: float, most: float
) -> None:
    case = {
        "version": "8.0.40",
        "vendor": "Amazon RDS",
        "told": {"machine_class": "db.m6g.large", "volume_requests_per_s": 600},
        "rates": {"Innodb_data_reads": per_s, "Innodb_data_writes": 0},
        "watched": {"files": [["data", "read", 243, reads_us], ["redo", "sync", 40, 900]]},
    }
    found = relieved("cloud.request-limit", case)
    assert found.get(Wait.PAGE_READS, 0.0) == pytest.approx(most)
    assert (Wait.COMMITS in found) is (most == 1.0)


def test_what_a_nearer_limit_holds_up_is_not_this_ones() -> None:
    large = {
        "files": [["data", "read", 1100, 6600]],
        "devices": [{"reads": [1820, 6500, 112e6], "writes": [200, 5000, 16e6]}],
    }
    case = GP3 | {"watched": large}
    assert relieved("cloud.request-limit", case) == {}


@pytest.mark.parametrize(
    ("reads_us", "waits"),
    [(22000, {Wait.COMMITS, Wait.PAGE_READS}), (900, {Wait.COMMITS})],
)
def test_reads_from_a_service_volume_at_its_limit_wait_as_its_syncs_do(
    reads_us: float, waits: set[Wait]
) -> None:
    case = {
        "version": "8.0.40",
        "vendor": "Amazon RDS",
        "rates": {"Innodb_data_reads": 335, "Innodb_data_writes": 200},
        "watched": {"files": [["data", "read", 334, reads_us], ["redo", "sync", 40, 22500]]},
    }
    assert relieved("durability.redo-sync", case).keys() == waits
