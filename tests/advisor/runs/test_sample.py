"""Case files taken into the store, and the sample that ships: the same runs, judged as ever."""

from __future__ import annotations

import gzip
from importlib.resources import files
from pathlib import Path

import pytest

from advisor.judging.over_draws import judge
from advisor.run import RunKind, RunLabel, RunState, Voice
from advisor.runs.importing import CASE, import_files, name_of_case, take_case
from advisor.runs.sample import take_sample
from advisor.store import casefile
from advisor.store.cases import load_case
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from probes.errors import UsageError
from probes.targets.address import TargetKind

MOST_BYTES = 300_000
"""Of what ships; a check of fifty points packs into half of that."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    opened = Store.open(tmp_path_factory.mktemp("sample") / "runs.sqlite3")
    list(take_sample(opened))
    return opened


def test_the_sample_is_a_watch_and_a_check_under_load(store: Store) -> None:
    check, watch = store.runs(SAMPLE)
    assert {check.kind, watch.kind} == {RunKind.CHECK, RunKind.WATCH}
    assert {check.state, watch.state} == {RunState.DONE}
    packed = files("resources").joinpath("sample").iterdir()
    assert sum(len(each.read_bytes()) for each in packed) < MOST_BYTES


def test_the_sample_is_advised_on(store: Store) -> None:
    for run in store.runs(SAMPLE):
        case = load_case(store, Voice(run.id))
        assert case.inventory.mysql is not None and case.inventory.watched is not None
        asked = {each.setting for each in judge(case).recommendations}
        assert "innodb_buffer_pool_size" in asked


def test_what_ships_is_judged_and_read_here_and_not_where_it_is_taken(tmp_path: Path) -> None:
    packed = sorted(files("resources").joinpath("sample").iterdir(), key=lambda each: each.name)
    with Store.open(tmp_path / "runs.sqlite3") as store:
        for each in packed:
            file = tmp_path / each.name.removesuffix(".gz")
            file.write_bytes(gzip.decompress(each.read_bytes()))
            assert take_case(store, file, "db7").name == "db7"
        assert len(store.runs("db7")) == len(packed) == 2


def test_the_sample_is_taken_once(store: Store) -> None:
    assert list(take_sample(store)) == []


def test_a_case_file_becomes_a_run_of_a_target_of_its_name(store: Store, tmp_path: Path) -> None:
    check = max(store.runs(SAMPLE), key=lambda run: run.points)
    store.label_run(check.id, RunLabel("before the move"))
    file = tmp_path / "shop.leadline"
    casefile.export(store, Voice(check.id), file)
    with Store.open(tmp_path / "elsewhere.sqlite3") as other:
        (kept,) = import_files(other, [file])
        (run,) = other.runs()
        assert (run.target, run.kind, run.points) == ("shop", check.kind, check.points)
        assert run.label.name == "before the move"
        assert other.plan(run.id) == store.plan(check.id)
        assert other.conditions(run.id) == store.conditions(check.id)
        assert other.raw_inventory(run.id).answers == store.raw_inventory(check.id).answers
        for theirs, ours in zip(other.points(run.id), store.points(check.id), strict=True):
            assert (theirs.setting, theirs.rate_per_s) == (ours.setting, ours.rate_per_s)
            assert other.samples(theirs.id or 0) == store.samples(ours.id or 0)
        assert other.run_target(run.id).kind is TargetKind.SSH
    assert kept.imported.kind == CASE  # type: ignore[union-attr]


def test_a_file_that_only_ends_like_a_case_is_refused(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "shop.leadline"
    file.write_text("no database")
    (refused,) = import_files(store, [file])
    assert isinstance(refused.error, UsageError)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("name", "target"), [("shop", "shop"), ("local", "case local"), ("12", "case 12")]
)
def test_a_case_gets_a_name_that_a_target_may_have(name: str, target: str) -> None:
    assert name_of_case(Path(f"{name}.leadline")) == target
