"""The list of runs says which have points beside the server's own load."""

from __future__ import annotations

from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.runs.recording import recorded
from advisor.store.store import Store
from probes.events import PointDone
from tests.advisor.store.builders import PLAN, RAW, SPEC
from tests.recorded_load import reads


@pytest.mark.parametrize(("name", "beside"), [("idle", False), ("busy", True)])
def test_a_run_is_listed_with_the_load_beside_it(name: str, beside: bool, tmp_path: Path) -> None:
    with Store.open(tmp_path / "runs.sqlite") as store:
        run_id = store.start_run(SPEC, RAW, PLAN)
        with recorded(store, run_id) as recorder:
            for point in reads(name):
                recorder.keep(PointDone(point, ()))
        (summary,) = store.runs()
        assert (summary.state, summary.points) == (RunState.DONE, 3)
        assert summary.beside_server is beside
