import pytest

from probes.inventory.kernel_facts import KernelFacts
from probes.inventory.machine.answer import MachineAnswer
from probes.inventory.machine.host import read_host

MEMINFO = """\
MemTotal:       67108864 kB
MemAvailable:   40000000 kB
SwapTotal:       8388608 kB
SwapFree:        6291456 kB
CommitLimit:    41943040 kB
Committed_AS:   33554432 kB
"""
FREQUENCY = "/sys/devices/system/cpu/cpu0/cpufreq/"
CLOCK = "/sys/devices/system/clocksource/clocksource0/"
PRESSURE = """\
some avg10=12.00 avg60=4.50 avg300=2.25 total=123456
full avg10=9.00 avg60=3.00 avg300=1.00 total=65432
"""
ARCSTATS = """\
6 1 0x01 147 39984 15483746361 1299412348651
name                            type data
hits                            4    1234567
c_min                           4    2147483648
c_max                           4    34359738368
size                            4    21474836480
"""


def kernel(files: dict[str, str]) -> KernelFacts:
    return read_host(MachineAnswer(files=files)).kernel_settings


def test_a_kernel_that_tells_everything() -> None:
    found = kernel(
        {
            "/proc/version": "Linux version 6.1.0-15-amd64 #1 SMP Debian 6.1.66-1 (2023-12-09)\n",
            "/proc/meminfo": MEMINFO,
            "/proc/sys/vm/overcommit_memory": "2\n",
            "/proc/sys/vm/overcommit_ratio": "50\n",
            "/proc/sys/vm/zone_reclaim_mode": "1\n",
            "/proc/sys/kernel/numa_balancing": "1\n",
            "/proc/sys/vm/dirty_background_ratio": "10\n",
            "/proc/sys/vm/dirty_background_bytes": "0\n",
            f"{FREQUENCY}scaling_governor": "powersave\n",
            f"{FREQUENCY}scaling_driver": "intel_pstate\n",
            f"{FREQUENCY}energy_performance_preference": "balance_performance\n",
            f"{CLOCK}current_clocksource": "tsc\n",
            f"{CLOCK}available_clocksource": "tsc hpet acpi_pm \n",
            "/proc/pressure/memory": PRESSURE,
            "/proc/spl/kstat/zfs/arcstats": ARCSTATS,
            "/proc/sys/fs/aio-max-nr": "65536\n",
            "/proc/sys/fs/aio-nr": "2661\n",
        }
    )
    assert found.memory_pressure == pytest.approx(0.0225)
    assert found == KernelFacts(
        build="Linux version 6.1.0-15-amd64 #1 SMP Debian 6.1.66-1 (2023-12-09)",
        swap_used_bytes=2 << 30,
        overcommit=2,
        overcommit_ratio=50,
        commit_limit_bytes=40 << 30,
        committed_bytes=32 << 30,
        dirty_background_bytes=4_000_000 * 1024,
        dirty_background_ratio=10,
        zone_reclaim=1,
        numa_balancing=1,
        governor="powersave",
        frequency_driver="intel_pstate",
        energy_preference="balance_performance",
        clock_source="tsc",
        clock_sources=("tsc", "hpet", "acpi_pm"),
        memory_pressure=found.memory_pressure,
        zfs_cache_max_bytes=32 << 30,
        aio_max=65536,
        aio_used=2661,
    )


def test_nothing_told_is_nothing_known() -> None:
    assert kernel({}) == KernelFacts()


def test_a_limit_in_bytes_rules_over_a_share() -> None:
    found = kernel(
        {
            "/proc/meminfo": MEMINFO,
            "/proc/sys/vm/dirty_background_ratio": "0\n",
            "/proc/sys/vm/dirty_background_bytes": "268435456\n",
        }
    )
    assert found.dirty_background_bytes == 256 << 20


def test_a_share_of_an_unknown_memory_is_unknown() -> None:
    found = kernel({"/proc/sys/vm/dirty_background_ratio": "10\n"})
    assert found.dirty_background_bytes is None
    assert found.dirty_background_ratio == 10
