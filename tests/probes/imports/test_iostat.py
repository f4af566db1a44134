"""iostat -x, of now and of long ago."""

from __future__ import annotations

import math

import pytest

from probes.imports import Imported, ImportRefused
from probes.imports.iostat import NO_TIMES, ONLY_ONE, ROUNDED, SINCE_BOOT
from probes.points import HostSample
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


def hosts(found: Imported) -> list[HostSample]:
    return [present(sample.host) for sample in found.host_samples]


def test_the_device_in_the_last_column(recordings: Recordings) -> None:
    (host,) = hosts(recordings.read("iostat-device-last.txt"))
    assert (host.device, host.reads_per_s, host.writes_per_s) == ("sda", 400, 100)
    assert (host.read_await_us, host.write_await_us) == (2500, 700)
    assert (host.queue, host.utilisation) == (1.07, 0.62)
    # 6.4M is to a tenth: 400 requests of 16.0k say more.
    assert host.read_bytes_per_s == 400 * 16 * 1024


def test_a_report_in_several_tables(recordings: Recordings) -> None:
    found = recordings.read("iostat-xht.txt")
    assert [sample.at_s for sample in found.host_samples] == [1.0, 2.0]
    first, second = hosts(found)
    assert (first.device, first.reads_per_s, first.writes_per_s) == ("vda", 8.91, 984.16)
    assert (second.read_await_us, second.write_await_us) == pytest.approx((80, 50))
    assert second.utilisation == pytest.approx(0.104)
    assert second.queue == 0.15
    assert second.cpu_user == pytest.approx(0.839)
    assert second.read_bytes_per_s == pytest.approx(331 * 5.7 * 1024)
    assert ROUNDED not in found.warnings


HEADS = "Device r/s w/s rkB/s wkB/s r_await w_await aqu-sz rareq-sz wareq-sz %util\n"


@pytest.mark.parametrize(
    ("row", "read_bytes", "busy"),
    [
        ("sdb 10.00 0.00 512.0B 0.0k 1.00 0.00 0.01 51.2B 0.0k 1.5%\n", 512, 0.015),
        ("sdb 20.00 0.00 640.0k 0.0k 1.00 0.00 0.02 32.0k 0.0k 12.0%\n", 640 * 1024, 0.12),
        ("sdb 3000.00 0.00 2.9G 0.0k 1.00 0.00 3.00 1.0M 0.0k 99.9%\n", 3000 << 20, 0.999),
        ("sdb 30,50 0,00 122,0 0,0 1,00 0,00 0,03 4,00 0,00 3,10\n", 122 * 1024, 0.031),
    ],
)
def test_units_after_figures(
    recordings: Recordings, row: str, read_bytes: float, busy: float
) -> None:
    (host,) = hosts(recordings.of(HEADS + row))
    assert host.read_bytes_per_s == pytest.approx(read_bytes)
    assert host.utilisation == pytest.approx(busy)


def test_bytes_that_were_rounded_are_told(recordings: Recordings) -> None:
    sized = HEADS.replace("kB/s", "MB/s") + "sda 4.00 0.00 0.02 0.00 1 0 0 4.00 0.00 1.00\n"
    found = recordings.of(sized)
    assert hosts(found)[0].read_bytes_per_s == 16384
    assert ROUNDED not in found.warnings
    old = "Device: r/s w/s rMB/s wMB/s avgrq-sz avgqu-sz await %util\n"
    found = recordings.of(old + "sda 0.80 0.00 0.00 0.00 8.00 0.00 1.00 0.10\n")
    assert ROUNDED in found.warnings


@pytest.mark.parametrize("name", ["iostat-without-x.txt", "iostat-without-x.json"])
def test_without_x_it_is_refused_by_its_name(recordings: Recordings, name: str) -> None:
    with pytest.raises(ImportRefused, match="iostat without -x: no latencies and no") as refused:
        recordings.read(name)
    assert "iostat -dxt 1" in refused.value.advice


@pytest.mark.parametrize(
    "text",
    [
        "Device:            tps    kB_read/s    kB_wrtn/s    kB_read    kB_wrtn\nsdb 1 2 3 4 5\n",
        "Device   tps   MB_read/s   MB_wrtn/s   MB_dscd/s\nnvme0n1 12.00 0.10 0.40 0.00\n",
        "      tps    kB_read/s    kB_wrtn/s Device\n     8.20       242.7k        23.0k sda\n",
        "mysql> \\! iostat\nDevice:  tps  Blk_read/s  Blk_wrtn/s\nsda  8.28  242.74  23.06\n",
    ],
)
def test_other_forms_without_x(recordings: Recordings, text: str) -> None:
    with pytest.raises(ImportRefused, match="iostat without -x"):
        recordings.of(text)


def test_what_is_not_told_is_not_busy(recordings: Recordings) -> None:
    disk = '{"disk_device": "sda", "r/s": 5.0, "w/s": 1.0, "r_await": 1.2, "w_await": 0.3}'
    document = f'{{"sysstat": {{"hosts": [{{"statistics": [{{"disk": [{disk}]}}]}}]}}}}'
    (host,) = hosts(recordings.of(document))
    assert math.isnan(host.utilisation)
    assert host.read_await_us == 1200


def test_a_report_without_requests_has_no_time_of_theirs(recordings: Recordings) -> None:
    busy, idle, few = hosts(recordings.read("iostat-without-requests.txt"))
    assert (busy.read_await_us, few.read_await_us) == (2000, 20_000)
    assert math.isnan(idle.read_await_us)
    assert math.isnan(busy.write_await_us)
    short = "Device tps kB/s rqm/s await areq-sz aqu-sz %util\n"
    found = recordings.of(short + "sda 1 4 0 1 4 0 1\n" + short + "sda 0 0 0 0 0 0 0\n")
    assert math.isnan(hosts(found)[0].write_await_us)


PLAIN_ROWS = (
    "Device r/s w/s r_await w_await aqu-sz %util\n"
    "sda 1.00 1.00 1.00 1.00 0.00 0.10\n\n"
    "Device r/s w/s r_await w_await aqu-sz %util\n"
    "sda 90.00 20.00 4.00 1.00 0.38 31.00\n"
)


@pytest.mark.parametrize(
    "text",
    [
        PLAIN_ROWS + "^C\n[root@db1 ~]# \n",
        "\n".join("    " + line for line in PLAIN_ROWS.splitlines()) + "\n    ^C\n    $\n",
        "".join(f"> {line}\n" for line in PLAIN_ROWS.splitlines()),
        "".join(f"db_1  | {line}\n" for line in PLAIN_ROWS.splitlines()),
        PLAIN_ROWS.replace("\nsda 90", "\n^Csda 90") + "root@db:~# free -m\nMem: 7 5 1\n",
        "$ iostat -dx 1\n"
        + PLAIN_ROWS.replace("sda 90", "note: a line of another program\nsda 90"),
    ],
)
def test_what_a_terminal_puts_around_it(recordings: Recordings, text: str) -> None:
    (host,) = hosts(recordings.of(text))
    assert (host.device, host.reads_per_s, host.read_await_us) == ("sda", 90, 4000)
    assert host.utilisation == pytest.approx(0.31)


def test_pasted_with_its_tabs(recordings: Recordings) -> None:
    found = recordings.read("iostat-pasted.txt")
    (host,) = hosts(found)
    assert (host.reads_per_s, host.writes_per_s, host.read_await_us) == (100, 50, 2000)
    assert found.conditions["kernel"] == "6.1.0-18-amd64"


def test_a_name_on_a_line_of_its_own(recordings: Recordings) -> None:
    heads = "Device:         r/s     w/s  r_await w_await avgqu-sz   %util\n"
    rows = "/dev/mapper/vg-a-very-long-name\n   12.00    3.00     5.00    1.00     0.06    7.00\n"
    (host,) = hosts(recordings.of(heads + rows))
    assert host.device == "/dev/mapper/vg-a-very-long-name"
    assert host.reads_per_s == 12
    assert host.utilisation == pytest.approx(0.07)


ROW = " 5.00 5.00 1.00 1.00 0.01 2.00\n"


@pytest.mark.parametrize(
    ("rows", "kept", "said"),
    [
        ([f"sda{ROW}", f"sda1{ROW}", f"sda2{ROW}"], {"sda"}, "2 partitions (sda1 and sda2)"),
        ([f"nvme0n1{ROW}", f"nvme0n1p3{ROW}"], {"nvme0n1"}, "1 partition (nvme0n1p3)"),
        ([f"xvda1{ROW}", f"dm-1{ROW}", f"dm-10{ROW}"], {"xvda1", "dm-1", "dm-10"}, ""),
        ([f"sda{ROW}", f"sdb{ROW}", f" raid{ROW}"], {"sda", "sdb"}, "1 group (raid)"),
        ([f" raid{ROW}"], {"raid"}, ""),
    ],
)
def test_nothing_is_counted_twice(
    recordings: Recordings, rows: list[str], kept: set[str], said: str
) -> None:
    heads = "Device r/s w/s r_await w_await aqu-sz %util\n"
    found = recordings.of(heads + "".join(rows))
    assert {host.device for host in hosts(found)} == kept
    told = " ".join(found.warnings)
    assert f"{said} were left out" in told if said else "left out" not in told


def test_a_group_in_the_last_column_and_in_json(recordings: Recordings) -> None:
    last = "     r/s     w/s r_await w_await  aqu-sz  %util Device\n"
    rows = "    5.00    5.00    1.00    1.00    0.01   2.0% {}\n"
    found = recordings.of(last + rows.format("sda") + rows.format(" both"))
    assert [host.device for host in hosts(found)] == ["sda"]
    disk = '{"disk_device": "%s", "r/s": 1.0, "w/s": 1.0, "r_await": 2.0, "util": 5.0}'
    found = recordings.of(
        '{"sysstat": {"hosts": [{"statistics": [{"disk": ['
        + ", ".join(disk % name for name in ("vda", " both"))
        + "]}]}]}}"
    )
    assert [host.device for host in hosts(found)] == ["vda"]
