"""A server travels as it is known: what watched it, its curves, its trials, labs and pins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from advisor.report.report import Report, gather, read_case
from advisor.run import RunKind, RunState, Voice, voice_of
from advisor.runs.collected import COLLECTION
from advisor.runs.importing import take_case
from advisor.runs.sample import take_sample
from advisor.runs.sent import server_texts
from advisor.runs.sent.asked import ServerTexts
from advisor.runs.sent.server_texts import take_server
from advisor.store import casefile
from advisor.store.store import Store
from advisor.target_names import SAMPLE
from advisor.tried import Pinned
from probes.collection.read import CollectedServer
from probes.errors import UsageError
from probes.texts.typed import Typed
from tests.advisor.store.foreign_files import tamper
from tests.advisor.trial.records import trial_record
from tests.present import present

WATCHED, CHECKED = 1, 2


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store.open(tmp_path / "here" / "leadline.sqlite3") as store:
        list(take_sample(store))
        yield store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "shop.leadline"


def today(store: Store, target: str = SAMPLE) -> Voice:
    return present(voice_of(store.runs(target)))


def asked(report: Report) -> list[tuple[str, str, str]]:
    return [(each.rule, each.proposed, each.saw) for each in report.judgement.recommendations]


def tried(store: Store) -> int:
    """A trial of the sample's server that is over; its number."""
    spec, raw = store.run_target(WATCHED), store.raw_inventory(WATCHED)
    run_id = store.start_run(spec, raw, store.plan(WATCHED), RunKind.TRIAL)
    record = trial_record()
    store.add_trial(run_id, record)
    for pair in record.pairs:
        store.add_trial_pair(run_id, pair)
    store.end_run(run_id, RunState.DONE)
    return run_id


def test_who_opens_a_servers_case_sees_what_the_server_shows(store: Store, file: Path) -> None:
    voice = today(store)
    assert voice == Voice(WATCHED, CHECKED)
    casefile.export(store, voice, file)
    here, there = gather(store, voice), read_case(file)
    assert there.case == here.case
    assert there.judgement == here.judgement
    assert (there.run, there.curves, there.plan) == (here.run, here.curves, here.plan)
    # The watch by itself advises otherwise: the curves decide.
    assert asked(gather(store, Voice(WATCHED))) != asked(there)


def test_what_was_tried_and_what_is_pinned_goes_along(store: Store, file: Path) -> None:
    trial = tried(store)
    store.keep_pin(SAMPLE, Pinned("innodb_flush_method", "as the vendor asks", "2999-12"))
    casefile.export(store, today(store), file)
    here, there = gather(store, today(store)), read_case(file)
    assert there.case.tried == here.case.tried != ()
    assert there.case.pins == here.case.pins != ()
    assert there.judgement == here.judgement
    assert [record for _, record in there.trials] == [store.trial(trial)]
    with Store.open_copy(file) as copy:
        # What the machine answered at a trial stays at home.
        assert not copy.raw_inventory(trial).answers


def test_a_run_by_its_number_goes_without_the_other(store: Store, file: Path) -> None:
    casefile.export(store, Voice(CHECKED), file)
    assert read_case(file).judgement == gather(store, Voice(CHECKED)).judgement


def test_a_servers_case_that_is_imported_is_that_server(store: Store, file: Path) -> None:
    tried(store)
    casefile.export(store, today(store), file)
    kept = take_case(store, file, "shop")
    voice = today(store, "shop")
    assert kept.run_id == voice.curves_id
    assert kept.imported.points == tuple(store.points(CHECKED))
    assert asked(gather(store, voice)) == asked(gather(store, today(store)))
    assert len(store.trials_of("shop")) == 1


def test_runs_that_are_no_single_server_are_no_case(store: Store, file: Path) -> None:
    casefile.export(store, today(store), file)
    tamper(file, "UPDATE runs SET target = 'another' WHERE id = 2")
    with pytest.raises(UsageError, match="no case file"):
        read_case(file)


def test_a_case_and_an_archive_are_what_newer_files_of_a_server_may_be(
    store: Store, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    casefile.export(store, today(store), file)
    (kept,) = take_server(store, ServerTexts(" db9 ", (file,), "", Typed()))
    assert kept.name == "db9"
    assert [run.id for run in store.runs("db9")] == sorted((kept.run_id, *kept.beside))[::-1]
    assert len(kept.beside) == 1
    archive = tmp_path / "db7-collect.tar.gz"
    archive.write_bytes(b"")
    collected = CollectedServer("db7", "0.9.0", store.raw_inventory(WATCHED))
    monkeypatch.setattr(server_texts, "is_collection", lambda path: path == archive)
    monkeypatch.setattr("advisor.runs.collected.read_checked", lambda _file: collected)
    (kept,) = take_server(store, ServerTexts("db9", (archive,), "", Typed()))
    assert (kept.name, kept.imported.kind) == ("db9", COLLECTION)
    with pytest.raises(UsageError):
        list(take_server(store, ServerTexts("", (archive,), "", Typed())))
