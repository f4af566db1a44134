"""Each role has a winner where it can be told, and only there."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.compare import compare
from advisor.compare.contender import Contender
from advisor.compare.roles import RoleComparison
from probes.points import Probe, Trust
from tests.advisor.compare.contenders import contender, rated, reads

FAST = contender("fast", *reads({1: 4000, 8: 20_000, 64: 60_000}))
SLOW = contender("slow", *reads({1: 2000, 8: 19_900, 64: 30_000}))


def role(name: str, *contenders: Contender) -> RoleComparison:
    (found,) = [each for each in compare(contenders).roles if each.name == name]
    return found


def test_the_faster_wins_and_by_how_much() -> None:
    found = role("random_read_64", SLOW, FAST)
    assert found.winner == 1
    assert found.ahead is not None
    assert found.ahead.value == 2.0
    assert 1.9 < found.ahead.low < 2.0 < found.ahead.high < 2.1


def test_what_lies_within_the_intervals_is_too_close() -> None:
    found = role("random_read_8", FAST, SLOW)
    assert found.winner is None
    assert found.ahead is not None
    assert found.ahead.low < 1 < found.ahead.high


def test_the_second_best_counts_among_several() -> None:
    third = contender("third", *reads({64: 59_900}))
    assert role("random_read_64", SLOW, FAST).winner == 1
    found = role("random_read_64", SLOW, FAST, third)
    assert found.winner is None
    assert found.ahead is not None
    assert found.ahead.value == pytest.approx(60_000 / 59_900)


def test_a_winner_must_be_told_apart_from_every_other() -> None:
    sure = contender("sure", *reads({64: 50_000}, within=0.001))
    unsure = contender("unsure", *reads({64: 40_000}, within=0.6))
    assert role("random_read_64", FAST, sure).winner == 0
    found = role("random_read_64", FAST, sure, unsure)
    assert found.winner is None
    assert found.ahead is not None
    assert found.ahead.value == 1.5


def test_the_shorter_time_wins() -> None:
    found = role("read_latency", SLOW, FAST)
    assert found.winner == 1
    assert found.entries[0] is not None
    assert found.entries[0].figure.value == 500.0
    assert found.entries[0].figure.low == pytest.approx(500 / 1.02)
    assert found.ahead is not None
    assert found.ahead.value == 2.0


def test_a_level_that_all_have_is_taken_and_nothing_is_interpolated() -> None:
    other = contender("other", *reads({16: 25_000, 32: 26_000}))
    mine = contender("mine", *reads({4: 9000, 16: 24_000, 64: 60_000, 32: 50_000}))
    found = role("random_read_64", mine, other)
    assert [entry and entry.point.setting.threads for entry in found.entries] == [32, 32]
    assert found.winner == 0
    eight = role("random_read_8", mine, other)
    assert [entry and entry.point.setting.threads for entry in eight.entries] == [16, 16]


def test_levels_that_differ_are_not_compared() -> None:
    found = role(
        "random_read_64",
        contender("a", *reads({64: 60_000})),
        contender("b", *reads({32: 10_000})),
    )
    assert found.levels_differ
    assert found.winner is None
    assert found.ahead is None


def test_one_thread_is_like_no_other_number() -> None:
    found = role("random_read_1", FAST, contender("b", *reads({2: 8000})))
    assert found.entries[1] is None
    assert found.winner is None


def test_far_levels_are_not_available() -> None:
    found = role("random_read_64", FAST, contender("b", *reads({8: 8000, 256: 90_000})))
    assert found.entries[1] is None


def test_rejected_points_and_second_engines_stay_out() -> None:
    odd = contender(
        "odd",
        *reads({8: 20_000}),
        rated(Probe.RANDOM_READ, 64, 9e9, trust=Trust.REJECTED),
        rated(Probe.RANDOM_READ, 64, 9e9, engine="fio-3.33"),
    )
    assert role("random_read_64", SLOW, odd).entries[1] is None


def test_doubtful_entries_say_so() -> None:
    odd = contender("odd", rated(Probe.RANDOM_READ, 64, 60_000, trust=Trust.DOUBTFUL))
    found = role("random_read_64", SLOW, odd)
    assert found.winner == 1
    assert [entry and entry.doubtful for entry in found.entries] == [False, True]


def test_redo_is_compared_in_the_same_way_of_syncing() -> None:
    a = contender(
        "a",
        rated(Probe.REDO_SYNC, 1, 800, block=512, sync="fsync"),
        rated(Probe.REDO_SYNC, 1, 700, block=4096, sync="fsync"),
        rated(Probe.REDO_SYNC, 1, 900, block=4096, sync="fdatasync"),
        rated(Probe.REDO_SYNC, 1, 5, block=4096, sync="fdatasync", log="growing"),
    )
    b = contender("b", rated(Probe.REDO_SYNC, 1, 2100, block=4096, sync="fsync"))
    found = role("redo_latency", a, b)
    assert "fsync" in found.title
    assert found.winner == 1
    assert found.ahead is not None
    assert found.ahead.value == pytest.approx(3.0)
    both = contender("c", rated(Probe.REDO_SYNC, 1, 300, block=4096, sync="fdatasync"))
    assert "fdatasync" in role("redo_latency", a, both).title


def test_flushing_is_compared_at_its_best_with_doublewrite() -> None:
    def flushes(doublewrite: str, rates: dict[int, float]) -> list[object]:
        return [
            rated(Probe.PAGE_FLUSH, threads, rate, doublewrite=doublewrite)
            for threads, rate in rates.items()
        ]

    a = contender("a", *flushes("off", {1: 9000}), *flushes("on", {1: 3000, 4: 5000}))  # type: ignore[arg-type]
    b = contender("b", *flushes("on", {1: 8000, 4: 7000}))  # type: ignore[arg-type]
    found = role("flush_rate", a, b)
    assert "doublewrite on" in found.title
    assert [entry and entry.figure.value for entry in found.entries] == [5000, 8000]
    assert found.winner == 1


def test_temporary_files_are_long_writes_of_like_length() -> None:
    def long(name: str, rate: float, seconds: float, threads: int = 4) -> Contender:
        made = rated(Probe.STEADY_WRITE, threads, rate, block=1 << 20)
        return contender(name, replace(made, seconds=seconds, operations=int(rate * seconds)))

    slow, fast = long("slow", 200, 60), long("fast", 900, 60)
    found = role("temporary_write", slow, fast)
    assert found.title == "Temporary files: long writes of 1\u202fMiB in order"
    assert found.winner == 1
    # As many bytes in less time are as long a write; a short one ends within a cache.
    assert role("temporary_write", long("whole", 200, 60), long("quick", 900, 10)).winner == 1
    short = long("short", 3_000, 2)
    found = role("temporary_write", slow, fast, short)
    assert found.entries[2] is None
    assert found.winner == 1
    assert role("temporary_write", slow, long("other", 900, 60, threads=32)).winner is None


def test_reads_of_one_file_stand_for_many_but_writes_do_not() -> None:
    one = contender("one", *reads({64: 10_000}), rated(Probe.RANDOM_WRITE, 64, 100))
    many = contender(
        "many",
        rated(Probe.RANDOM_READ, 64, 20_000, files=16),
        rated(Probe.RANDOM_WRITE, 64, 900, files=16),
    )
    assert role("random_read_64", one, many).winner == 1
    writes = role("random_write_64", one, many)
    assert writes.winner is None
    assert [entry is None for entry in writes.entries] == [True, False]


def test_a_small_set_never_stands_for_the_drive() -> None:
    small = contender("small", *reads({64: 90_000}, set="small"))
    assert role("random_read_64", FAST, small).entries[1] is None


def test_what_nobody_measured_is_no_role() -> None:
    assert {each.name for each in compare((FAST, SLOW)).roles} == {
        "random_read_1",
        "random_read_8",
        "random_read_64",
        "read_latency",
    }


def test_words_and_sizes_that_an_import_brings_along_do_no_harm() -> None:
    a, b = (
        contender(
            name,
            rated(Probe.REDO_SYNC, 1, rate, block=0, sync="sync_file_range"),
            rated(Probe.PAGE_FLUSH, 1, rate, doublewrite="perhaps"),
        )
        for name, rate in (("a", 100.0), ("b", 300.0))
    )
    assert role("redo_latency", a, b).winner == 1
    assert role("flush_rate", a, b).winner == 1
