"""Drives that keep their cache over a power cut are told by their models, and no others."""

from __future__ import annotations

import pytest

from advisor.knowledge.protected_drives import is_protected, keeps_its_cache
from advisor.workload.write_caches import cache_of, protected, written_through
from probes.inventory.facts import Disk, Role, Storage

PROTECTED = (
    "INTEL SSDSC2BA400G3",
    "INTEL SSDSC2BB480G7",
    "INTEL SSDSC2BX800G4",
    "INTEL SSDSC2KB960G8",
    "INTEL SSDSC2KG480G8",
    "INTEL SSDPE2KX020T8",
    "INTEL SSDPE2MD400G4",
    "INTEL SSDPED1K375GA",
    "SOLIDIGM SSDPF2KX038T1",
    "SAMSUNG MZ7KM480HMHQ-00005",
    "SAMSUNG MZ7LH960HAJR-00005",
    "SAMSUNG MZ7L3960HCJR-00A07",
    "SAMSUNG MZQLB960HAJR-00007",
    "SAMSUNG MZQL21T9HCJR-00A07",
    "SAMSUNG MZWLJ3T8HBLS-00007",
    "Micron_5100_MTFDDAK960TCB",
    "Micron_5300_MTFDDAK1T9TDS",
    "Micron_7450_MTFDKCC960TFR",
    "Micron_9300_MTFDHAL3T8TDP",
    "KINGSTON SEDC500M960G",
    "KINGSTON SEDC600M1920G",
    "KCD61LUL1T92",
    "KCM61VUL3T20",
    "WUS4BB019D7P3E3",
    "XA960LE10063",
)
NOT_KNOWN = (
    "",
    "Samsung SSD 860 EVO 1TB",
    "Samsung SSD 970 PRO 512GB",
    "SAMSUNG MZVLB512HAJQ-00000",
    "SAMSUNG MZ7LN256HAJQ-00000",
    "INTEL SSDPEKKW512G8",
    "INTEL SSDSC2KW256G8",
    "CT1000MX500SSD1",
    "Micron_1100_MTFDDAK256TBN",
    "Micron_2300_MTFDHBA512TDV",
    "KINGSTON SEDC400S37480G",
    "KINGSTON SEDC450R960G",
    "KINGSTON SA400S37240G",
    "WDC WDS500G2B0A-00SM50",
    "KXG50ZNV512G TOSHIBA",
    "ST4000NM0035-1V4107",
    "QEMU HARDDISK",
    # Controllers with no cache: the drives behind them have their own.
    "AVAGO MR9341-8i",
    "BROADCOM MR9440-8i",
    "MegaRAID SAS RMB",
    "ServeRAID M5110",
    "VMware Virtual disk",
    "DELL PERC H330 Adp",
)


@pytest.mark.parametrize("model", PROTECTED)
def test_a_series_of_data_centres_keeps_its_cache(model: str) -> None:
    assert is_protected(model)
    assert not keeps_its_cache(model)


@pytest.mark.parametrize("model", NOT_KNOWN)
def test_of_others_nothing_is_said(model: str) -> None:
    assert not is_protected(model)
    assert not keeps_its_cache(model)


@pytest.mark.parametrize(
    "model",
    ["DELL PERC H730P Adp", "PERC H740P Mini", "DELL PERC H755 Front", "HP LOGICAL VOLUME",
     "AVAGO MR9361-8i", "BROADCOM MR9460-16i"],
)  # fmt: skip
def test_a_controller_with_a_battery_or_flash_keeps_its_cache(model: str) -> None:
    assert keeps_its_cache(model)


def test_a_place_is_protected_where_no_drive_may_lose_its_cache() -> None:
    kept = Disk("sda", model="INTEL SSDSC2BB480G7", write_cache="write back")
    other = Disk("sdb", model="Samsung SSD 860 EVO 1TB", write_cache="write back")
    through = Disk("sdc", write_cache="write back", own_write_cache="write through")
    assert cache_of(through) == "write through"

    def at(*disks: Disk) -> Storage:
        return Storage(Role.REDO, "/redo", disks=disks)

    assert protected(at(kept, through)) == (
        "INTEL SSDSC2BB480G7 is of a series with power-loss protection"
    )
    assert protected(at(kept, other)) == ""
    assert protected(at(through)) == ""
    assert written_through(at(through))
    assert not written_through(at(kept, through))
    assert not written_through(at())
