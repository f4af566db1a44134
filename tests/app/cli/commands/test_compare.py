"""Runs and references side by side on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.store.store import Store
from tests.advisor.compare.contenders import reads
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.advisor.store.builders import IMPORTED, PLAN, RAW, SPEC
from tests.app.cli.forked import Done

Leadline = Callable[..., Done]


@pytest.fixture
def kept(home: Path) -> list[int]:
    """Two runs of one curve, the second twice as fast, an import, and a run without points."""
    found = []
    with Store.open() as store:
        for factor in (1, 2):
            run_id = store.start_run(SPEC, replace(RAW, answers={}), PLAN, kind="probe")
            for point in reads({1: 1000.0 * factor, 8: 6000.0 * factor}):
                store.add_point(run_id, point, ())
            store.set_condition(run_id, "filesystem", "ext4")
            store.end_run(run_id, RunState.DONE)
            found.append(run_id)
        found.append(store.add_import(IMPORTED, "lab"))
        empty = store.start_run(SPEC, replace(RAW, answers={}), PLAN)
        store.end_run(empty, RunState.FAILED)
        found.append(empty)
    return found


def test_two_runs_are_compared(leadline: Leadline, kept: list[int]) -> None:
    done = leadline("runs", "compare", str(kept[0]), str(kept[1]))
    assert done.code == 0
    assert "run 1 (db7)" in done.stdout
    assert "B by 2.00× (1.94–2.06)" in done.stdout
    assert "filesystems differ" not in done.stdout


def test_a_run_is_compared_with_an_import_and_a_reference(
    leadline: Leadline, kept: list[int]
) -> None:
    done = leadline("runs", "compare", str(kept[0]), str(kept[2]), "callaghan-flash-2010", "--json")
    content = json.loads(done.stdout)
    assert [each["run"] for each in content["contenders"]] == [kept[0], kept[2], None]
    (read,) = [each for each in content["curves"] if each["block_size_bytes"] == 16384]
    assert [level["threads"] for level in read["levels"]] == [1, 8, 16, 64]
    assert read["levels"][0]["ratios"][2]["value"] == pytest.approx(6.069)


def test_it_is_written_to_a_file(leadline: Leadline, kept: list[int], tmp_path: Path) -> None:
    file = tmp_path / "side by side.txt"
    done = leadline("runs", "compare", "1", "2", "-o", str(file))
    assert (done.code, done.stdout) == (0, "")
    assert "By role" in file.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("names", "code", "sentence"),
    [
        (("1",), 2, "1 can't be compared."),
        (("1", "99"), 2, "There is no run 99."),
        (("1", "4"), 2, "Run 4 has no points."),
        (("1", "callaghan-flash"), 2, "Is it callaghan-flash-2010?"),
        (("1", "-1"), 2, "No such option"),
        (("1", "²"), 2, "There is no run or reference '²'."),
        (("1",) * 13, 2, "13 can't be compared: 12 at most fit into one comparison."),
        (("1+3", "2"), 2, "Runs 1 and 3 are no repeats of one drive: target differs."),
        (("1+99", "2"), 2, "There is no run 99."),
        (("1+", "2"), 2, "There is no run or reference '1+'."),
        ((), 2, "Nothing was named to compare"),
    ],
)
def test_what_cannot_be_compared(
    leadline: Leadline, kept: list[int], names: tuple[str, ...], code: int, sentence: str
) -> None:
    done = leadline("runs", "compare", *names)
    assert (done.code, done.stdout) == (code, "")
    assert sentence in done.stderr


def test_references_are_listed(leadline: Leadline) -> None:
    done = leadline("runs", "references")
    assert "callaghan-flash-2010" in done.stdout
    assert "2010, M. Callaghan, How many IOPs can InnoDB do?" in done.stdout
    content = json.loads(leadline("runs", "references", "--json").stdout)
    assert {"key", "name", "source", "points"} == content[0].keys()
    assert len(content) == 30
    some = json.loads(leadline("runs", "references", "--search", "Flash", "--json").stdout)
    assert {each["key"] for each in some} < {each["key"] for each in content}
    assert all("flash" in f"{each['key']} {each['name']}".casefold() for each in some)


def test_runs_say_their_kind(leadline: Leadline, kept: list[int]) -> None:
    lines = leadline("runs").stdout.splitlines()
    assert lines[2].split()[:3] == [str(kept[2]), "lab", "import"]
    assert json.loads(leadline("runs", "--json").stdout)[0]["kind"] == "check"


def test_repeats_are_one_contender_with_one_point_a_setting(
    leadline: Leadline, kept: list[int]
) -> None:
    content = json.loads(leadline("compare", "1+2", "callaghan-flash-2010", "--json").stdout)
    both, _ = content["contenders"]
    assert (both["key"], both["runs"], both["run"]) == ("1+2", [1, 2], 1)
    (read,) = [each for each in content["curves"] if each["block_size_bytes"] == 16384]
    (single,) = [level for level in read["levels"] if level["threads"] == 1]
    assert single["points"][0]["rate_per_s"] == pytest.approx(2**0.5 * 1000, rel=0.01)


def test_a_project_is_compared_drive_by_drive_at_their_prices(
    leadline: Leadline, kept: list[int]
) -> None:
    for run_id, name in ((1, "Drive A"), (2, "Drive B")):
        leadline("runs", "name", str(run_id), name)
    leadline("runs", "project", "1", "2", "4", "client X")
    priced = ("--price", "1=120", "--price", "2=80")
    content = json.loads(leadline("compare", "--project", "client X", *priced, "--json").stdout)
    assert [each["name"] for each in content["contenders"]] == ["Drive A", "Drive B"]
    assert [each["price"] for each in content["contenders"]] == [120, 80]
    assert content["roles"][0]["price_per_thousand"] == [pytest.approx(120), pytest.approx(40)]
    shown = leadline("compare", "--project", "client X", *priced).stdout
    assert "Price per 1,000 operations a second" in shown
    leadline("runs", "name", "2", "Drive A")
    content = json.loads(
        leadline("compare", "--project", "client X", "callaghan-flash-2010", "--json").stdout
    )
    assert [each["key"] for each in content["contenders"]] == ["callaghan-flash-2010", "1+2"]
    assert leadline("compare", "--project", "client Y").code == 2
    refused = leadline("compare", "1", "2", "--price", "3=80")
    assert refused.code == 2
    assert "Price one of 1, 2." in refused.stderr


def test_what_is_named_twice_is_not_compared_with_itself(
    leadline: Leadline, kept: list[int]
) -> None:
    for names in (("1", "1"), ("1+2", "2"), ("callaghan-flash-2010", "callaghan-flash-2010")):
        done = leadline("compare", *names)
        assert done.code == 2
        assert "is named twice. Name each once." in " ".join(done.stderr.split())


def test_files_with_curves_are_compared_and_priced_by_their_names(
    leadline: Leadline, kept: list[int], tmp_path: Path
) -> None:
    for name, rates in (("card.csv", (1000, 4000)), ("offer.csv", (3000, 15000))):
        rows = zip((1, 8), rates, strict=True)
        lines = "".join(f"{threads},{rate}\n" for threads, rate in rows)
        (tmp_path / name).write_text("threads,rate_per_s\n" + lines)
    card, offer = str(tmp_path / "card.csv"), str(tmp_path / "offer.csv")
    done = leadline("compare", "1", card, offer, "--price", f"{card}=0.5", "--json")
    assert (done.code, done.stderr) == (0, "")
    content = json.loads(done.stdout)
    assert [each["key"] for each in content["contenders"]] == ["1", card, offer]
    assert [each["price"] for each in content["contenders"]] == [None, 0.5, None]
    (read,) = [each for each in content["curves"] if each["block_size_bytes"] == 16384]
    assert read["levels"][0]["ratios"][2]["value"] == pytest.approx(3.0)
    twice = leadline("compare", card, card)
    assert "card.csv is named twice" in " ".join(twice.stderr.split())
    lacking = leadline("compare", card, str(tmp_path / "none.csv"))
    assert (lacking.code, lacking.stdout) == (2, "")
    assert "No such file" in lacking.stderr
    dotted = "callaghan-updates-2013-mysql5.6-fixed-iobound-1table"
    assert leadline("compare", dotted, "callaghan-flash-2010").code == 0


def test_a_report_is_written_for_a_client(
    leadline: Leadline, kept: list[int], tmp_path: Path
) -> None:
    names = (str(kept[0]), str(kept[1]), "--price", f"{kept[1]}=0.5")
    # A file of such a name is a report, however it is asked for.
    for ending, asked in ((".html", "--report"), (".pdf", "-o"), (".md", "--report")):
        file = tmp_path / f"drives{ending}"
        done = leadline(
            "compare", *names, asked, str(file), "--client", "Example Shop", "--evidence"
        )
        assert (done.code, done.stdout) == (0, f"Written to {file}.\n")
    page = (tmp_path / "drives.html").read_text("utf-8")
    assert "<dd>Example Shop</dd>" in page
    assert "B (run 2, db7) is best" in page
    assert "B (run 2, db7) is best" in (tmp_path / "drives.md").read_text("utf-8")
    assert f"leadline compare {kept[0]} {kept[1]} --price {kept[1]}=0.5" in page
    outline = Pdf((tmp_path / "drives.pdf").read_bytes()).outline()
    assert [text for level, text, _ in outline if level == 1][:2] == ["What to decide", "By role"]
    wrong = leadline("compare", *names, "--report", str(tmp_path / "drives.txt"))
    assert wrong.code == 2
    assert "End its name in .html, .pdf or .md." in wrong.stderr
    assert not (tmp_path / "drives.txt").exists()


@pytest.mark.parametrize("length", [255, 256, 300, 4097, 100_000])
def test_a_name_longer_than_any_file_s_is_told(leadline: Leadline, length: int) -> None:
    for name in ("x" * length, "x" * length + ".csv"):
        done = leadline("compare", name, "reference")
        assert done.code == (2 if len(name) == length else 1), done
        assert "Internal error" not in done.stderr
