"""A disk that gets full under the store: the run has failed, whenever that happens."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from advisor.run import RunState
from advisor.runs.recording import Recorder, recorded
from advisor.store.lives import SPARE_BYTES
from advisor.store.store import Store
from probes.errors import Cancelled, ProbeError, StoreError
from probes.events import PointDone
from tests.advisor.store.builders import PLAN, POINT, RAW, SAMPLES, SPEC

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount a small filesystem")

FULL = "the disk is full"


@pytest.fixture(params=["tmpfs", "ext4"])
def small(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """A filesystem of 8 MiB."""
    folder = tmp_path / "small"
    folder.mkdir()
    commands = [["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(folder)]]
    if request.param == "ext4":
        image = tmp_path / "image"
        image.touch()
        os.truncate(image, 8 << 20)
        commands = [
            ["mkfs.ext4", "-q", "-F", "-m", "0", str(image)],
            ["mount", "-o", "loop", str(image), str(folder)],
        ]
    for command in commands:
        try:
            subprocess.run(command, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no small filesystem can be mounted: {error}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


@pytest.fixture
def store(small: Path) -> Iterator[Store]:
    with Store.open(small / "leadline.sqlite3") as opened:
        yield opened


def fill(folder: Path) -> None:
    """Leave not a byte."""
    with (folder / "other").open("ab", buffering=0) as other, suppress(OSError):
        for size in (65536, 512, 1):
            with suppress(OSError):
                while True:
                    other.write(bytes(size))


def reopened(small: Path) -> tuple[RunState, str, int]:
    """What the next start finds, once there is room again."""
    (small / "other").unlink(missing_ok=True)
    with Store.open(small / "leadline.sqlite3") as store:
        (run,) = store.runs()
        return run.state, run.reason, run.points


def keep_points(recorder: Recorder, most: int) -> None:
    for _ in range(most):
        recorder.keep(PointDone(POINT, SAMPLES * 100))


def test_in_the_middle_of_a_run(store: Store, small: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(StoreError, match=FULL) as fault, recorded(store, run_id) as recorder:
        keep_points(recorder, 3)
        fill(small)
        keep_points(recorder, 2000)
    assert (store.run(run_id).state, store.run(run_id).reason) == (
        RunState.FAILED,
        fault.value.sentence,
    )
    kept = store.run(run_id).points
    assert kept >= 3
    store.close()
    assert reopened(small) == (RunState.FAILED, fault.value.sentence, kept)
    assert list((small / "leadline.sqlite3.running").iterdir()) == []


def test_at_the_end_of_a_run(store: Store, small: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(StoreError, match=FULL), recorded(store, run_id) as recorder:
        keep_points(recorder, 3)
        fill(small)
    store.close()
    state, reason, points = reopened(small)
    assert (state, points) == (RunState.FAILED, 3)
    assert FULL in reason


@pytest.mark.parametrize(
    ("fault", "state"),
    [(ProbeError("The drive failed."), RunState.FAILED), (Cancelled(), RunState.CANCELLED)],
)
def test_what_ended_the_run_is_what_is_told(
    store: Store, small: Path, fault: ProbeError, state: RunState
) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(type(fault)), recorded(store, run_id):
        fill(small)
        raise fault
    store.close()
    assert reopened(small)[0] is state


def test_a_store_that_has_gone_hides_no_fault(store: Store, small: Path) -> None:
    run_id = store.start_run(SPEC, RAW, PLAN)
    with pytest.raises(ProbeError, match="The drive failed"), recorded(store, run_id):
        (spare,) = (small / "leadline.sqlite3.running").glob("*.spare")
        assert spare.stat().st_size == SPARE_BYTES
        spare.unlink()
        fill(small)
        raise ProbeError("The drive failed.")
    store.close()
    assert reopened(small)[0] is RunState.INTERRUPTED


def test_before_a_run(store: Store, small: Path) -> None:
    fill(small)
    with pytest.raises(StoreError, match="can't be written"):
        store.start_run(SPEC, RAW, PLAN)
    assert list(small.glob("*.running/*")) == []
    (small / "other").unlink()
    assert store.start_run(SPEC, RAW, PLAN) == 1
