"""A comparison as text and as a document."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import resources
from typing import Any

import jsonschema

from advisor.compare import compare
from advisor.compare.comparison import Comparison
from advisor.compare.ratio import Estimate
from advisor.compare.reference import library
from advisor.report.forms.text import page
from advisor.report.json.comparison import to_json
from advisor.report.sections.comparison_report import compared
from advisor.wording.measured.comparison import rounded, spread
from probes.figures import THIN, duration_us
from probes.points import Probe
from tests.advisor.compare.contenders import contender, fast_and_slow, rated, reads

FAST, SLOW = fast_and_slow({1: 2000, 8: 19_900, 32: 30_000})


def rows(text: str) -> list[str]:
    return [" ".join(line.replace(THIN, " ").split()) for line in text.splitlines()]


def render(found: Comparison, width: int = 100) -> str:
    return page(compared(found), width)


def schema() -> dict[str, Any]:
    text = (resources.files("resources") / "schema" / "compare-1.json").read_text(encoding="utf-8")
    content: dict[str, Any] = json.loads(text)
    return content


def test_roles_name_the_best_and_by_how_much() -> None:
    said = rows(render(compare((FAST, SLOW)), width=140))
    assert "A fast fast, a test" in said
    assert (
        "Random reads of 16 KiB, 1 thread 4.00k/s ±2 % 2.00k/s ±2 % A by 2.00× (1.94–2.06)" in said
    )
    assert (
        "Random reads of 16 KiB, 8 threads 20.0k/s ±2 % 19.9k/s ±2 %"
        " too close to call, 1.01× (0.977–1.03)" in said
    )
    assert (
        "Random reads of 16 KiB, 32 or 64 threads 60.0k/s ±2 % @64 30.0k/s ±2 % @32"
        " not compared: other numbers of threads" in said
    )
    assert (
        "One commit of 4 KiB, mean time (fdatasync) 200 µs ±2 % 2 ms? ±2 %"
        " A by 10.0× (9.72–10.3)" in said
    )


def test_a_wide_interval_stands_by_its_ends_and_leaves_two_digits() -> None:
    wide = Estimate(21_300.0, 16_200.0, 26_400.0)
    assert f"{rounded(wide)}{spread(wide)}" == "21k (16–26k)"
    time = Estimate(5_690.0, 4_430.0, 7_000.0)
    assert spread(time, duration_us).replace(THIN, " ") == " (4.4–7.0 ms)"
    assert spread(Estimate(500.0, 100.0, 900.0)) == " unsure"
    assert f"{rounded(Estimate(512.3))}{spread(Estimate(512.3))}" == "512"


def test_levels_have_their_ratios() -> None:
    said = rows(render(compare((FAST, SLOW)), width=140))
    assert "Random read 16 KiB" in said
    assert "1 4.00k ±2 % 2.00k ±2 % B/A 0.500× (0.486–0.514)" in said
    assert "8 20.0k ±2 % 19.9k ±2 % B/A 0.995× (0.967–1.02)" in said


def test_what_forbids_to_compare_is_said_below() -> None:
    text = render(compare((FAST, SLOW)))
    assert "• The filesystems differ: ext4 – fast; xfs – slow." in text
    assert "– slow. Compare with care." in text
    assert "? doubtful" in text
    assert "delta method" in text
    assert max(map(len, text.splitlines())) <= 100


def test_caveats_of_references_are_said() -> None:
    (flash,) = [each for each in library() if each.key == "callaghan-flash-2010"]
    said = " ".join(rows(render(compare((FAST, flash)), width=140)))
    assert "each figure is one run of 60 seconds." in said
    assert "B/A 1.52×" in said


def test_nothing_in_common_is_said() -> None:
    other = contender("other", rated(Probe.MIXED, 1, 10, part="reads", flush_per_s="0"))
    text = render(compare((other, contender("b", rated(Probe.PK_UPDATE, 1, 10)))))
    assert "nothing in common" in text


def test_the_document_is_valid_and_says_null_for_the_unknown() -> None:
    jsonschema.Draft202012Validator.check_schema(schema())
    probes = schema()["properties"]["curves"]["items"]["properties"]["probe"]["enum"]
    assert probes == [probe.value for probe in Probe]
    (flash,) = [each for each in library() if each.key == "callaghan-flash-2010"]
    content = json.loads(to_json(compare((replace(FAST, run_id=7), SLOW, flash))))
    jsonschema.validate(content, schema())
    assert [each["run"] for each in content["contenders"]] == [7, None, None]
    (one,) = [each for each in content["roles"] if each["role"] == "random_read_1"]
    assert one["outcome"] == "won"
    assert one["winner"] == 2
    assert one["ahead"]["ci95"] == [None, None]
    assert one["entries"][2]["ci95"] == [None, None]
    (redo,) = [each for each in content["roles"] if each["role"] == "redo_latency"]
    assert redo["unit"] == "us"
    assert redo["entries"][2] is None
    assert redo["entries"][1]["trust"] == "doubtful"
    assert redo["winner"] == 0
    (read,) = [each for each in content["curves"] if each["probe"] == "random_read"]
    assert [level["threads"] for level in read["levels"]] == [1, 8, 32, 64]
    assert read["levels"][2]["points"][0] is None
    assert {each["aspect"] for each in content["reasons"]} >= {"filesystem", "engine", "doubtful"}


def test_of_many_drives_each_role_says_who_ties_and_ranks_them() -> None:
    drives = [
        contender(f"drive {number}", *reads({1: 4000.0 / (1 + number // 3)}))
        for number in range(12)
    ]
    text = render(compare(drives))
    said = rows(text)
    standing = (
        "Random reads of 16 KiB, 1 thread A, B and C tie, D, E and F 2.00× slower,"
        " G, H and I 3.00× slower, J, K and L 4.00× slower"
    )
    assert standing in " ".join(said)
    figures = [line for line in said if line.startswith("Random reads of 16 KiB, 1")]
    assert " ".join(figures).count("/s") == 12
    assert "1 4.00k 4.00k 4.00k 2.00k 2.00k 2.00k 1.33k 1.33k 1.33k 1.00k 1.00k 1.00k" in said
    assert max(map(len, text.splitlines())) <= 100
    jsonschema.validate(json.loads(to_json(compare(drives))), schema())


def test_tails_and_the_photo_stand_beside_the_rates() -> None:
    slow = replace(
        FAST,
        name="slow tails",
        points=tuple(
            replace(p, latency=replace(p.latency, p99_us=3100.0, p999_us=8400.0))
            for p in FAST.points
        ),
        conditions={**FAST.conditions, "cpu_steal": "0.124", "governor": "powersave"},
    )
    said = rows(render(compare((FAST, slow)), width=140))
    assert "Random reads of 16 KiB, 1 thread – 3.10 ms" in said
    assert "Random reads of 16 KiB, 1 thread – 8.40 ms" in said
    head = next(at for at, line in enumerate(said) if line.endswith(" B: slow tails"))
    assert [line for line in said[head + 1 :] if not set(line) <= set("─ ")][:4] == [
        "filesystem ext4, 40 % full ext4, 40 % full",
        "files 1 GiB 1 GiB",
        "processors governor powersave",
        "meanwhile 12 % taken by the host (steal)",
    ]


def test_curves_without_a_common_level_say_so() -> None:
    few = contender("few", *reads({1: 4000, 2: 8000}))
    many = contender("many", *reads({8: 20_000, 16: 30_000}))
    said = rows(render(compare((few, many)), width=140))
    assert any(line == "No level was measured by both." for line in said)
    more = contender("more", *reads({32: 40_000}))
    said = rows(render(compare((few, many, more)), width=140))
    assert any(line == "No level was measured by two of them." for line in said)
    letters = [contender(f"c{n}", *reads({n: 1000})) for n in range(1, 8)]
    assert "No level was measured by two of them." in rows(render(compare(letters)))
    assert "No level was measured" not in render(compare((FAST, SLOW)))
