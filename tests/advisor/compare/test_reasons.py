"""What forbids a comparison is said, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import pytest

from advisor.compare import compare
from advisor.compare.contender import Contender
from advisor.compare.reference import library
from probes.figures import THIN
from probes.points import SERVER_LOAD, Point, Probe, Trust
from tests.advisor.compare.contenders import contender, rated, reads

READS = reads({1: 1000})


def said(*contenders: Contender) -> dict[str, str]:
    return {each.aspect: each.sentence.replace(THIN, " ") for each in compare(contenders).reasons}


def test_alike_contenders_have_no_reason() -> None:
    assert said(contender("a", *READS), contender("b", *READS)) == {}


def test_what_weighs_most_is_told_first_and_what_is_not_known_last() -> None:
    loaded = tuple(replace(each, details={SERVER_LOAD: 1.0}) for each in READS)
    sides = (
        contender("a", *loaded, filesystem=""),
        contender("b", *READS, file_bytes=str(1 << 34)),
    )
    found = compare(sides).reasons
    assert [each.aspect for each in found] == ["server_load", "file_bytes", "filesystem"]
    assert [each.unknown for each in found] == [False, False, True]


def test_drives_on_one_disk_are_told() -> None:
    sides = [
        replace(contender(name, *READS), drives=drives)
        for name, drives in (
            ("a", ("db7 sda",)),
            ("b", ("db7 sda", "db7 sdb")),
            ("c", ("db8 sda",)),
        )
    ]
    assert said(*sides) == {
        "same_disk": "a and b are on the same disk: a difference between them is not the drive's."
    }


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("filesystem", "xfs", "The filesystems differ: ext4 – a; xfs – b."),
        ("filesystem", "", "The filesystem is not known of: b."),
        (
            "file_bytes",
            str(28 << 30),
            "The files' sizes differ: 1 GiB – a; 28 GiB – b. Caches hold more of a smaller file.",
        ),
        (
            "fill_share",
            "0.91",
            "The filesystems are filled differently: 40 % – a; 91 % – b."
            " A flash drive that is nearly full writes more slowly.",
        ),
        ("engine_version", "0.3.0", "Versions of agent differ: 0.2.0 – a; 0.3.0 – b."),
        (
            "engine",
            "fio",
            "Different programs measured: agent – a; fio – b."
            " Each counts and waits in its own way.",
        ),
    ],
)
def test_a_condition_that_differs_is_told(name: str, value: str, sentence: str) -> None:
    a, b = contender("a", *READS), contender("b", *READS, **{name: value})
    assert said(a, b) == {name: sentence}


def test_small_differences_are_none() -> None:
    near = {"file_bytes": str(int(1.2 * (1 << 30))), "fill_share": "0.5"}
    assert said(contender("a", *READS), contender("b", *READS, **near)) == {}


def test_a_condition_that_is_no_number_counts_as_unknown() -> None:
    found = said(contender("a", *READS), contender("b", *READS, file_bytes="plenty"))
    assert found == {"file_bytes": "The size of the files is not known of: b."}


def test_block_sizes_without_a_common_one_are_told() -> None:
    other = (rated(Probe.RANDOM_READ, 1, 900, block=8192),)
    assert said(contender("a", *READS), contender("b", *other)) == {
        "block_size": "The block sizes of random reads differ: 16 KiB – a; 8 KiB – b."
    }
    both = (*READS, *other)
    assert said(contender("a", *both), contender("b", *other)) == {}


def test_one_file_against_many_is_told() -> None:
    def writes(files: int) -> Point:
        return rated(Probe.RANDOM_WRITE, 1, 900, files=files)

    assert said(contender("a", writes(1)), contender("b", writes(16))) == {
        "files": "The files of random writes differ: one – a; many – b."
        " Direct writes to one file may come one after the other."
    }


def test_points_that_are_not_trusted_are_counted() -> None:
    doubtful = replace(READS[0], trust=Trust.DOUBTFUL)
    assert said(contender("a", *READS), contender("b", doubtful)) == {
        "doubtful": "Doubtful: 1 of 1 point – b. Compare with care."
    }
    many = [contender(name, doubtful, rated(Probe.RANDOM_READ, 2, 900)) for name in "cde"]
    assert said(*many) == {
        "doubtful": "Doubtful: 1 of 2 points – c and d and e. Compare with care."
    }


def test_a_reference_says_what_nobody_knows_of_it() -> None:
    (flash,) = [each for each in library() if each.key == "callaghan-flash-2010"]
    found = said(contender("a", *READS), flash)
    assert found.keys() == {"filesystem", "file_bytes", "fill_share", "engine"}
    assert "sysbench – 2010, Callaghan's PCIe flash" in found["engine"]


def in_memory(kind: str, name: str, *, rate: float = 1000.0) -> Contender:
    one = rated(Probe.RANDOM_READ, 1, rate)
    return contender(name, replace(one, details={"buffers": kind}))


def test_memory_of_another_kind_is_told() -> None:
    told = said(in_memory("ordinary", "a"), in_memory("huge", "b"))
    assert told["buffers"] == (
        "The memory that blocks lie in differs: ordinary pages – a; huge pages – b. In ordinary"
        " pages a block is a request in up to one piece for each 4 KiB, in huge pages always in"
        " one."
    )
    assert "buffers" not in said(in_memory("huge", "a"), in_memory("huge", "b"))


def test_an_older_agents_huge_pages_are_never_compared_silently() -> None:
    older = contender("a", rated(Probe.RANDOM_READ, 1, 1000.0))
    told = said(older, in_memory("ordinary", "b"))
    assert (
        "huge pages (as agents had them that do not say so) – a; ordinary pages – b"
        in (told["buffers"])
    )
    assert "buffers" not in said(older, in_memory("huge", "b"))


def test_points_that_compare_both_kinds_are_held_against_their_own() -> None:
    both = [
        replace(rated(Probe.RANDOM_READ, 64, 1000.0, buffers=kind), details={"buffers": kind})
        for kind in ("ordinary", "huge")
    ]
    one, two = in_memory("ordinary", "a"), in_memory("ordinary", "b")
    sides = [replace(each, points=(*each.points, *both)) for each in (one, two)]
    assert "buffers" not in said(*sides)


def _transactions(made_of: str, rate: float = 900.0, threads: int = 8) -> Point:
    if not made_of:
        return rated(Probe.OLTP, threads, rate, block=0, statements="both")
    return rated(Probe.OLTP, threads, rate, block=0, statements="both", per_transaction=made_of)


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        (
            "14_reads_and_4_writes",
            "13_reads_and_13_writes",
            "14 reads and 4 writes – a; 13 reads and 13 writes – b",
        ),
        ("14_reads_and_4_writes", "", "nobody says how many statements each had – b"),
        ("1_read_and_1_write", "2_reads_and_1_write", "1 read and 1 write – a; 2 reads and 1"),
        ("14_reads_and_4_writes", "14_reads_and_4_writes", ""),
    ],
)
def test_transactions_that_differ_are_named(one: str, other: str, told: str) -> None:
    found = said(contender("a", _transactions(one)), contender("b", _transactions(other)))
    assert told in found.get("transactions", "")
    assert ("transactions" in found) is bool(told)


@pytest.mark.parametrize(
    ("deep", "many", "told"),
    [
        (8, 1, "1 job with 8 requests each – a; 8 jobs with 1 request each – b"),
        (4, 2, "2 jobs with 4 requests each – a; 4 jobs with 2 requests each – b"),
        (8, None, ""),
        (8, 8, ""),
    ],
)
def test_as_many_in_flight_in_two_ways_are_named(deep: int, many: int | None, told: str) -> None:
    def side(name: str, depth: int | None) -> Contender:
        (point,) = reads({8: 1000})
        details = {} if depth is None else {"io_depth": depth}
        return contender(name, replace(point, details=details))

    found = said(side("a", deep), side("b", many))
    assert told in found.get("in_flight", "")
    assert ("in_flight" in found) is bool(told)
