"""fio's terse output, which leaves much to guess."""

from __future__ import annotations

import pytest

from probes.imports import ImportRefused
from probes.imports.fio_terse import GUESSED
from probes.points import Probe, Trust
from tests.probes.imports.conftest import Recordings


def test_reads_of_four_threads(recordings: Recordings) -> None:
    found = recordings.read("fio-read-v3.terse")
    (point,) = found.points
    assert (found.kind, found.engine_version) == ("fio-terse", "3.33")
    assert point.setting.probe is Probe.RANDOM_READ
    assert point.setting.threads == 4  # 26,158/s of 152 µs
    assert point.setting.block_size_bytes == 16384
    assert point.rate_per_s == 26158
    assert (point.latency.p50_us, point.latency.p95_us, point.latency.max_us) == (148, 195, 2231)
    assert point.latency.mean_us == pytest.approx(152.070815)
    assert point.trust is Trust.DOUBTFUL
    assert point.trust_reasons == (GUESSED,)


@pytest.mark.parametrize("version", ["v3", "v5"])
def test_a_mix_gives_reads_and_writes(recordings: Recordings, version: str) -> None:
    reads, writes = recordings.read(f"fio-mixed-{version}.terse").points
    assert reads.setting.options == writes.setting.options == {"mix": "50"}
    assert reads.setting.threads == writes.setting.threads == 2
    assert writes.setting.probe is Probe.RANDOM_WRITE
    assert 0.9 < writes.rate_per_s / reads.rate_per_s < 1.1
    assert 37 < writes.latency.mean_us < 2000


def test_lines_of_one_job_add_up(recordings: Recordings) -> None:
    line = recordings.text("fio-read-v3.terse")
    (point,) = recordings.of(line + line).points
    assert point.rate_per_s == 2 * 26158
    assert point.setting.threads == 8


def test_a_name_tells_that_it_was_sequential(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="no random reads"):
        recordings.changed("fio-read-v3.terse", (";rd;", ";seqread;"))


def test_a_cut_line_is_refused(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="cut off"):
        recordings.of(recordings.text("fio-read-v3.terse")[:300])
