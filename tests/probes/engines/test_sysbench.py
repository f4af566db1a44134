"""sysbench as an engine: files, lookups, and a login that nobody else can read."""

from __future__ import annotations

import re
import shutil
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from probes.engines import sysbench_lookup
from probes.engines.find import find_engine
from probes.engines.sysbench import SysbenchEngine, read_report
from probes.events import PointDone, SampleTaken
from probes.mysql.login import ResolvedLogin
from probes.mysql.work import MySQLWork, WorkTable
from probes.points import EndedBy, Probe, Setting
from probes.statistics.histogram import read_histogram
from probes.targets.address import TlsMode
from probes.targets.listener import Listener
from probes.targets.target import Target
from tests.present import present
from tests.probes.engines.conftest import work_on
from tests.probes.engines.tools import plan_of, points, read, run, warnings
from tests.servers.mariadb import NATIVE, MariaDB

pytestmark = pytest.mark.skipif(
    shutil.which("sysbench") is None, reason="sysbench is not installed"
)

LOOKUP = Setting(Probe.POINT_SELECT, 2, options={"protocol": "prepared", "working_set": "cached"})


def engine(target: Target) -> SysbenchEngine:
    return SysbenchEngine(target, find_engine(target, "sysbench"))


def test_reads_with_all_percentiles_and_live_samples(local: Target, directory: Path) -> None:
    events = run(engine(local), plan_of(read(directory, files=2)))
    (done,) = (event for event in events if isinstance(event, PointDone))
    point = done.point
    live = [event.sample for event in events if isinstance(event, SampleTaken)]
    assert list(done.samples) == live
    assert len(live) >= 2
    assert (point.engine, point.setting) == ("sysbench", read(directory, files=2))
    assert point.direct is True
    assert point.ended_by is EndedBy.TIME
    histogram = read_histogram(point.histogram)
    assert histogram.total == pytest.approx(point.operations, rel=0.02)
    assert point.latency.p50_us <= point.latency.p99_us
    low, high = point.ci95_per_s
    assert low < point.rate_per_s < high


def test_writes_behind_ssh_are_never_synced_between(remote: Target, directory: Path) -> None:
    setting = Setting(Probe.RANDOM_WRITE, 2, 16384, 1, str(directory))
    events = run(engine(remote), plan_of(setting))
    (point,) = points(events)
    assert point.operations > 0
    assert any("compresses" in text for text in warnings(events))


@pytest.fixture
def work(mariadb: MariaDB) -> Iterator[MySQLWork]:
    made = work_on(mariadb)
    mariadb.sql("GRANT SELECT ON leadline_engine.* TO %s@'%%'", NATIVE[:1])
    yield replace(made, login=replace(made.login, user=NATIVE[0], password=NATIVE[1]))
    mariadb.sql("DROP DATABASE leadline_engine")


@pytest.mark.parametrize("protocol", ["prepared", "sql"])
def test_lookups_with_a_hard_password_that_no_process_list_shows(
    local: Target, work: MySQLWork, mariadb: MariaDB, protocol: str
) -> None:
    seen: list[str] = []
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.1):
            for place in Path("/proc").glob("[0-9]*/cmdline"):
                try:
                    seen.append(place.read_bytes().decode("utf-8", "replace"))
                except OSError:
                    continue

    before = _count(mariadb, protocol)
    watcher = threading.Thread(target=watch)
    watcher.start()
    setting = replace(LOOKUP, options={"protocol": protocol, "working_set": "cached"})
    try:
        (point,) = points(run(engine(local), plan_of(setting), mysql=work))
    finally:
        over.set()
        watcher.join()
    assert point.setting == setting
    assert point.operations > 100
    # What the server counts: as many, and of the protocol that was asked for.
    assert _count(mariadb, protocol) - before == pytest.approx(point.operations, rel=0.02)
    assert any("lookup.lua" in command for command in seen)
    assert not any(NATIVE[1] in command for command in seen)
    places = re.findall(r"[^\s\0]+/\.leadline-\w+", " ".join(seen))
    assert not any((Path(place) / sysbench_lookup.LOGIN_FILE).exists() for place in places)


def _count(mariadb: MariaDB, protocol: str) -> int:
    name = "Com_stmt_execute" if protocol == "prepared" else "Com_select"
    rows = mariadb.sql("SHOW GLOBAL STATUS LIKE %s", (name,))
    return int(str(rows[0]["Value"]))


OWN = ResolvedLogin(socket="/s", listener=Listener("mysql", private=True), user="u", password="p")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"tables": {}}, "no table"),
        ({"tables": {"cached": WorkTable("t", "id", "c", 1, 1 << 40)}}, "random numbers"),
        ({"tables": {"cached": WorkTable("t", "id", "c", -5, 10)}}, "random numbers"),
        ({"login": ResolvedLogin(host="db")}, "TLS"),
        ({"login": ResolvedLogin(host="db", tls=TlsMode.UNVERIFIED)}, "TLS"),
        ({"login": ResolvedLogin(host="db", tls=TlsMode.DISABLED, over_ssh=True)}, "TLS"),
        ({"login": ResolvedLogin(host="127.0.0.1")}, "TLS"),
        ({"login": ResolvedLogin(host="127.0.0.1", over_ssh=True)}, ""),
        ({"login": ResolvedLogin(host="::1", over_ssh=True, tls=TlsMode.UNVERIFIED)}, "TLS"),
        ({"login": replace(OWN, password="both ' and \"")}, "option file"),
        ({"login": replace(OWN, password="two\nlines")}, "option file"),
        ({"login": ResolvedLogin(socket="/s", password="p")}, "another account listens on /s"),
        ({"login": replace(OWN, listener=Listener("eve", private=False))}, "the account eve"),
        ({"login": replace(OWN, found=True)}, "name it, by --mysql socket=/s"),
        ({"login": replace(OWN, found=True, password="")}, ""),
        ({}, ""),
    ],
)
def test_lookups_that_it_refuses(change: dict[str, Any], words: str) -> None:
    table = WorkTable("t", "id", "c", 1, 10)
    work = MySQLWork(OWN, "d", {"cached": table})
    because = sysbench_lookup.refuses(replace(work, **change), "cached")
    assert words in because
    assert bool(because) is bool(words)


def test_names_are_quoted_in_the_script() -> None:
    table = WorkTable("t`x", 'i"d', "c\\", 1, 10)
    work = MySQLWork(ResolvedLogin(socket="/s"), "d", {"cached": table})
    script = sysbench_lookup.script(work, table, "prepared")
    assert r'"SELECT `c\\` FROM `d`.`t``x` WHERE `i\"d` = ?"' in script


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (Setting(Probe.REDO_SYNC, 1, 512, options={"sync": "fsync"}), "redo sync"),
        (replace(LOOKUP, options={"protocol": "handler", "working_set": "cached"}), "HANDLER"),
        (read("/d", set="sparse"), "sparse"),
        (LOOKUP, ""),
    ],
)
def test_what_it_refuses(local: Target, setting: Setting, words: str) -> None:
    because = engine(local).refuses(setting)
    assert words in because
    assert bool(because) is bool(words)


@pytest.mark.parametrize(
    ("line", "rate", "p95_us"),
    [
        (
            "[ 2s ] reads: 10.00 MiB/s writes: 0.00 MiB/s fsyncs: 0.00/s latency (ms,95%): 0.218",
            640,
            218,
        ),
        (
            "[ 2s ] thds: 4 tps: 99.50 qps: 99.50 (r/w/o: 99.50/0.00/0.00) lat (ms,95%): 0.05"
            " err/s: 0.00 reconn/s: 0.00",
            99.5,
            50,
        ),
    ],
)
def test_reports_are_samples(line: str, rate: float, p95_us: int) -> None:
    sample = present(read_report(line, 16384))
    assert (sample.at_s, sample.rate_per_s) == (2.0, rate)
    assert sample.p95_us == pytest.approx(p95_us)
    assert read_report("Threads started!", 16384) is None
