"""Option files of real servers: what only they know comes out as advice, and no secret does."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import pytest
from markupsafe import escape

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.outcomes import NotJudged, Recommendation, Verdict
from advisor.plan.planning import make_plan
from advisor.report.forms.plan_formats import FORMATS
from advisor.report.json.report import to_json
from advisor.report.report import Report, read_case
from advisor.run import RunState, Voice
from advisor.store import casefile
from advisor.store.store import Store
from advisor.upgrade.lens import lens
from advisor.upgrade.releases import later_series
from advisor.variables.catalogue import SETTINGS, fate, span
from advisor.variables.entry import Fate
from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.facts import RawInventory
from probes.inventory.read import read
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.version import ServerVersion
from tests.advisor.report.builders import to_html, to_markdown
from tests.advisor.store.builders import PLAN, SPEC
from tests.prompts import Unasked
from tests.servers.eleven import RunningServer, ServerBuild, chosen

SECRET = "hunter2"
HOSTILE = "<script>alert(1)"


def raw_of(server: RunningServer) -> RawInventory:
    """The whole inventory of a server, as a check takes it."""
    place = MySQLAddress(socket=server.socket, user="root")
    token = CancelToken()
    with (
        closing(LocalTarget()) as here,
        connect(place, via=here, prompts=Unasked(), token=token, password="") as session,
    ):
        asking = ask(here, session, directory="", window_s=0.0, token=token)
        while True:
            try:
                next(asking)
            except StopIteration as end:
                raw: RawInventory = end.value
                return raw


def gone_line(version: ServerVersion) -> str:
    """A line for a setting that the version lacks and starts with all the same."""
    absent = [name for name in sorted(SETTINGS) if span(version, name) is None]
    plain = [name for name in absent if fate(version, name) is Fate.IGNORED]
    loose = [name for name in absent if fate(version, name) is Fate.REFUSED]
    name = plain[0] if plain else f"loose_{loose[0]}"
    return f"{name.replace('_', '-')} = 1"


def told(raw: RawInventory) -> dict[str, Recommendation]:
    found = judge(Case("test", read(raw))).recommendations
    return {one.rule: one for one in found if isinstance(one, Recommendation)}


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_what_only_the_option_files_know_is_advised_on(build: ServerBuild, tmp_path: Path) -> None:
    gone = gone_line(build.version)
    folder = tmp_path / HOSTILE
    folder.mkdir()
    main, more = tmp_path / "my.cnf", folder / "more.cnf"
    main.write_text(
        f"[client]\npassword = {SECRET}\n[mysqld]\ninnodb_io_capacity = 50 # {SECRET}\n{gone}\n"
        f"loose_report_passw = {SECRET}\nloose_innodb_bufer_pool_size = 1G\n"
        "innodb_read_ahead_threshold = 30\nloose-innodb-read-ahead-threshold = '40'\n"
        f"!includedir {folder}\n"
    )
    more.write_text("[server]\ninnodb_old_blocks_time = 500\ninnodb_fast_shutdown = 2\n")
    with build.start(cnf_path=main) as server:
        assert server.variables()["innodb_io_capacity"] == "100"
        assert server.variables()["innodb_read_ahead_threshold"] == "40"
        raw = raw_of(server)

    assert SECRET not in repr(raw)
    assert not [one for one in read(raw).missing if one.fact.startswith("mysql.option_files")]
    advice = told(raw)
    assert advice["lines.gone"].verdict is Verdict.RECOMMEND
    assert f"{gone} ({main}, line 5)" in advice["lines.gone"].saw
    assert advice["lines.gone"].apply.cnf == f"# take out of {main}, line 5: {gone}"
    assert f"innodb_io_capacity = 50 ({main}, line 4)" in advice["lines.altered"].saw
    assert "innodb_io_capacity is 100 at least" in advice["lines.altered"].effect
    assert advice["lines.twice"].saw.startswith(
        f"The server uses loose-innodb-read-ahead-threshold = '40' ({main}, line 9); "
        f"innodb_read_ahead_threshold = 30 ({main}, line 8) has no effect"
    )
    assert advice["lines.harmful"].apply.cnf == (
        f"# take out of {more}, line 3: innodb_fast_shutdown = 2"
    )

    case = Case("test", read(raw))
    plan = make_plan(case, [advice[f"lines.{name}"] for name in ("gone", "twice", "harmful")])
    assert not plan.left_out
    for name, export in FORMATS.items():
        text = export.apply(plan) + export.undo(plan)
        assert SECRET not in text
        if name == "ansible":
            assert f"{main}, line 5" in text
        elif name not in {"rds", "azure", "gcloud"}:
            assert f"{main}, line 5" in text.replace("`", ""), name
    for later in later_series(build.version)[:1]:
        assert f"{main}, line 5" in {each.line.place for each in lens(case, later).lines}
    report = travelled(raw, tmp_path)
    assert {one.rule: one for one in report.judgement.recommendations}["lines.gone"].saw == (
        advice["lines.gone"].saw
    )
    for text in (to_html(report, plan), to_markdown(report, plan), to_json(report, plan)):
        assert SECRET not in text
        assert "line 5" in text
    assert HOSTILE not in to_html(report, plan)
    assert str(escape(f"{more}, line 3")) in to_html(report, plan)


def travelled(raw: RawInventory, folder: Path) -> Report:
    """The run as it is read elsewhere, from the one file that it went there in."""
    file = folder / "for you.leadline"
    with Store.open(folder / "store" / "leadline.sqlite3") as store:
        run_id = store.start_run(SPEC, raw, PLAN)
        store.end_run(run_id, RunState.DONE)
        casefile.export(store, Voice(run_id), file)
    assert SECRET.encode() not in file.read_bytes()
    return read_case(file)


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_line_that_waits_for_the_next_start_is_seen(build: ServerBuild, tmp_path: Path) -> None:
    main = tmp_path / "my.cnf"
    main.write_text("[mysqld]\ninnodb_io_capacity = 300\n")
    with build.start(cnf_path=main) as server:
        main.write_text("[mysqld]\ninnodb_io_capacity = 700\n")
        # A server that has run for an hour can't be had here, so the file comes from later.
        later = time.time() + 3600
        os.utime(main, (later, later))
        advice = told(raw_of(server))
    assert advice["lines.altered"].saw.startswith("One line is in a file")
    assert "innodb_io_capacity = 700" in advice["lines.altered"].saw


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_without_option_files_has_no_such_lines(build: ServerBuild) -> None:
    with build.start() as server:
        raw = raw_of(server)
        outcomes = judge(Case("test", read(raw)))
    advice = told(raw)
    assert not [one for one in outcomes.not_judged if _is_of_files(one)]
    for name in ("gone", "twice", "altered"):
        assert advice[f"lines.{name}"].verdict is Verdict.FINE
    assert "none: the server was started with --no-defaults" in repr(advice["lines.gone"].evidence)


def _is_of_files(one: NotJudged) -> bool:
    return one.rule in {"lines.gone", "lines.twice", "lines.altered"}
