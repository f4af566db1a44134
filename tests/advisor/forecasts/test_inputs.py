"""Which of a run's curves a forecast is made from."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.compare.contender import Contender
from advisor.compare.reference import library
from advisor.forecasts.server.inputs import drive_rates, server_rates
from probes.errors import UsageError
from probes.points import Probe, Setting
from tests.points import point


def reference(key: str) -> Contender:
    return next(each for each in library() if each.key == key)


def test_a_drive_is_its_random_reads_of_one_block_size() -> None:
    card = reference("callaghan-flash-2010")
    assert drive_rates(card).values.max() == 29_645
    assert drive_rates(card, 8192).values.max() == 43_296
    with pytest.raises(UsageError, match=r"no random reads of 4.KiB, only of 8.KiB, 16.KiB"):
        drive_rates(card, 4096)
    with pytest.raises(UsageError, match="has no random reads"):
        drive_rates(reference("callaghan-memory-2010-5147dev"))


def test_reads_of_other_files_are_not_the_drive() -> None:
    setting = Setting(Probe.RANDOM_READ, 1, 16384)
    small = replace(setting, options={"set": "small"})
    points = (
        *(point(replace(small, threads=each), 90_000.0) for each in (1, 2, 4)),
        *(point(replace(setting, threads=each), 5_000.0 * each) for each in (1, 2)),
    )
    made = Contender("made", "a test", {}, points)
    assert drive_rates(made).threads == (1, 2)


def test_a_server_is_its_lookups_in_memory() -> None:
    assert server_rates(reference("callaghan-memory-2010-5147dev")).values.max() == 39_325
    with pytest.raises(UsageError, match="no row lookups with all data in memory"):
        server_rates(reference("callaghan-flash-2010-5147dev"))
