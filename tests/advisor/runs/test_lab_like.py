"""A lab with a load like a watched one, and one with sysbench's, on real throwaway servers."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from advisor.lab.asked import Asked, varied
from advisor.lab.like import connections, load_like
from advisor.lab.looked import near
from advisor.lab.record import Record
from advisor.report.json.lab import to_json
from advisor.runs.lab import fitting, session
from advisor.runs.lab.events import LabFinished
from advisor.runs.lab.request import LabRequest
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.lab import beside
from probes.lab.variant import LabLoad, LoadKind
from probes.targets.address import TargetSpec
from probes.targets.silent import Silent
from tests.advisor.lab.test_like import OLTP

MIB = 1 << 20
VARIANTS = varied(["innodb_doublewrite=ON,OFF"], (), ())


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seconds of warming are moments here."""
    for module, name in (
        (fitting, "SETTLE_S"),
        (fitting, "COUNTED_S"),
        (fitting, "LIKE_WARM_S"),
        (beside, "WARM_TURN_S"),
    ):
        monkeypatch.setattr(module, name, 0.2)


def result(store: Store, disk: Path, asked: Asked) -> tuple[Record, int]:
    request = LabRequest(TargetSpec(), lambda _: asked, directories=(str(disk),))
    events = list(session.lab(store, request, Silent(), CancelToken()))
    finished = events[-1]
    assert isinstance(finished, LabFinished)
    return store.lab(finished.run_id), finished.run_id


def test_a_load_like_a_watched_one_is_fitted_and_told(store: Store, disk: Path) -> None:
    pool_bytes = 16 * MIB
    asked = Asked(
        VARIANTS,
        load_like(OLTP, pool_bytes),
        levels=(connections(OLTP),),
        pool_bytes=pool_bytes,
        redo_bytes=16 * MIB,
        budget_s=1.0,
        turn_s=0.5,
        settle_s=0.1,
        like=OLTP,
    )
    record, run_id = result(store, disk, asked)
    assert record.fitted is not None
    assert record.fitted.kind is LoadKind.MIX
    told = {each.name: each for each in near(record)}
    # How many of each kind of statement there are needs no fitting.
    assert told["commits"].near
    assert told["changes"].near
    like = json.loads(to_json(record, run_id))["like"]
    assert like["source"] == OLTP.source
    assert like["scale"] == pool_bytes / OLTP.pool_bytes
    assert like["per_query"]["p95_us"]["watch"] is None
    assert like["per_query"]["p95_us"]["lab"] > 0


@pytest.mark.skipif(shutil.which("sysbench") is None, reason="sysbench is not installed")
def test_a_load_without_a_histogram_has_no_percentile(store: Store, disk: Path) -> None:
    asked = Asked(
        VARIANTS,
        LabLoad(LoadKind.SYSBENCH, data_bytes=16 * MIB, script="oltp_point_select"),
        levels=(2,),
        pool_bytes=16 * MIB,
        redo_bytes=16 * MIB,
        budget_s=1.0,
        turn_s=0.5,
        settle_s=0.1,
    )
    record, run_id = result(store, disk, asked)
    assert sum(each.turn.transactions for each in record.turns) > 0
    level = json.loads(to_json(record, run_id))["levels"][0]
    assert level["base"]["transactions_per_s"] > 0
    assert level["base"]["p95_us"] is None
    assert [each["p95_times"] for each in level["effects"]] == [None]
