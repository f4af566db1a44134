"""Another drive under a live server, and its own by another name."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from advisor.compare.contender import Contender
from advisor.forecasts.knobs.knobs import turned
from advisor.forecasts.server.live import Live, live
from advisor.forecasts.what_if import Forecaster
from advisor.model.network.change import KEPT
from probes.points import Probe, Setting
from tests.advisor.forecasts.live_servers import COMMITS, on_a_slow_drive
from tests.points import point
from tests.present import present

READS = [[1, 700], [4, 2_600], [16, 7_000], [64, 9_500], [256, 9_800]]
SYNC_US, BINLOG_US = 400.0, 500.0
"""What both syncs of the server were watched to take."""


def server() -> Live:
    return live(on_a_slow_drive(reads_16k=READS, commits=COMMITS))


def drive(
    name: str,
    reads: Sequence[Sequence[float]],
    commits: Sequence[Sequence[float]] = (),
) -> Contender:
    settings = (
        *((Setting(Probe.RANDOM_READ, int(threads), 16384), rate) for threads, rate in reads),
        *(
            (Setting(Probe.REDO_SYNC, int(threads), 512, options={"sync": "fdatasync"}), rate)
            for threads, rate in commits
        ),
    )
    points = tuple(point(setting, rate, id=at) for at, (setting, rate) in enumerate(settings))
    return Contender(name, "a test", {}, points, key=name)


def test_its_own_drive_changes_nothing() -> None:
    here = server()
    change = turned(here, {}, drive("itself", READS, COMMITS))
    assert change.notes == ("itself is the server's own drive.",)
    found = Forecaster(here).ask(change)
    assert found.gain.value == pytest.approx(1.0)
    assert found.then.time == found.now.time
    same_log = turned(here, {}, None, drive("its log", READS, COMMITS))
    assert same_log.change.sync_us is None


def test_syncs_of_another_drive_take_half_of_what_the_server_adds_to_its_own() -> None:
    """One committer of its own drive took 400 us: the redo log's do, the binary log's 25 % more."""
    quick = [[threads, 4 * rate] for threads, rate in COMMITS]
    change = turned(server(), {}, drive("quick", READS[:-1], quick)).change
    sync_us = present(change.sync_us)
    one_us = 1e6 / COMMITS[0][1] / 4
    likely = one_us * (1 + (BINLOG_US / SYNC_US) ** KEPT)
    assert sync_us.value == pytest.approx(likely, rel=0.001)
    assert sync_us.low <= 2 * one_us < one_us * (1 + BINLOG_US / SYNC_US) <= sync_us.high


def test_without_a_curve_of_its_own_log_that_is_said() -> None:
    here = live(on_a_slow_drive(reads_16k=READS))
    found = turned(here, {}, drive("other", READS[:-1], COMMITS))
    assert any(
        "Commits were not measured on the server's own drive" in each for each in found.notes
    )


def test_commits_that_can_not_be_are_noted() -> None:
    odd = [[1, 800], [4, 12_900]]
    found = turned(server(), {}, drive("odd", READS[:-1], odd))
    assert any(
        each.startswith("On odd, 4 committers were measured at more than") for each in found.notes
    )
    caveats = live(on_a_slow_drive(commits=odd)).caveats
    assert any("On the server's own log, 4 committers" in each for each in caveats)
