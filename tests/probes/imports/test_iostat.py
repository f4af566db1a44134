"""iostat -x, of now and of long ago."""

from __future__ import annotations

import math

import pytest

from probes.imports import ImportRefused
from probes.imports.iostat import NO_TIMES, ONLY_ONE, SINCE_BOOT
from tests.present import present
from tests.probes.imports.conftest import Recordings


def test_text_of_today(recordings: Recordings) -> None:
    found = recordings.read("iostat-x.txt")
    assert (found.kind, found.points) == ("iostat", ())
    assert set(found.warnings) == {SINCE_BOOT, NO_TIMES}
    (sample,) = found.host_samples
    assert present(sample.host).device == "vda"
    assert present(sample.host).cpu_system == pytest.approx(0.0051)
    assert math.isnan(sample.rate_per_s)


def test_units(recordings: Recordings) -> None:
    found = recordings.read("iostat-xkz.txt")
    (sample,) = found.host_samples
    host = present(sample.host)
    assert ONLY_ONE in found.warnings
    assert (host.reads_per_s, host.writes_per_s) == (591, 5)
    assert host.read_bytes_per_s == 20732 * 1024
    assert host.read_await_us == pytest.approx(870)
    assert host.write_await_us == pytest.approx(200)
    assert host.queue == 0.51
    assert host.utilisation == pytest.approx(0.056)
    assert (host.cpu_user, host.cpu_iowait) == pytest.approx((0.1106, 0.0101))
    assert math.isnan(host.own_cpu)


def test_times_are_taken_from_the_reports(recordings: Recordings) -> None:
    found = recordings.read("iostat-xtd.txt")
    assert [sample.at_s for sample in found.host_samples] == [1.0]
    assert math.isnan(present(found.host_samples[0].host).cpu_user)  # -d: no processors


def test_sectors_decimal_commas_and_one_await(recordings: Recordings) -> None:
    found = recordings.read("iostat-old.txt")
    first, second = (present(sample.host) for sample in found.host_samples)
    assert (first.device, second.device) == ("sda", "dm-0")
    assert found.host_samples[0].at_s == 10.0
    assert first.read_bytes_per_s == 28800 * 512
    assert first.read_await_us == first.write_await_us == 6000
    assert first.cpu_user == pytest.approx(0.13)  # nice is user's, too
    assert first.utilisation == pytest.approx(0.96)


def test_json(recordings: Recordings) -> None:
    found = recordings.read("iostat.json")
    (sample,) = found.host_samples
    assert sample.at_s == 1.0
    assert present(sample.host).reads_per_s == 552
    assert present(sample.host).read_bytes_per_s == 24720 * 1024
    assert present(sample.host).cpu_user == pytest.approx(0.0707)
    assert found.conditions["processors"] == "2"


def test_a_cut_line_is_refused(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused, match="cut off"):
        recordings.of(recordings.text("iostat-xkz.txt").rstrip()[:-10])


def test_without_x_it_is_foreign(recordings: Recordings) -> None:
    with pytest.raises(ImportRefused):
        recordings.of("Device:  tps  kB_read/s  kB_wrtn/s\nsda  8.28  242.74  23.06\n")
