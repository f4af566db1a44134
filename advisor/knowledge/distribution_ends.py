"""Until when distributions fix what is found in their releases."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Distribution:
    """A release of a distribution: its name, its last day, and whose word that is."""

    name: str
    ends: str
    source: str


_DEBIAN = 'Debian\'s LTS team, "LTS"'
_UBUNTU = 'Canonical, "The Ubuntu lifecycle and release cadence", standard support'
_RED_HAT = 'Red Hat, "Red Hat Enterprise Linux Life Cycle", maintenance support'
_CENTOS = 'CentOS, "CentOS Linux end of life"'
_ROCKY = 'Rocky Linux, "Release and Version Guide"'
_ALMA = 'AlmaLinux, "Release notes"'
_ORACLE = 'Oracle, "Oracle Open Source Support Policies", premier support'
_AMAZON = 'Amazon, "Amazon Linux FAQs"'
_SUSE = 'SUSE, "Product Support Lifecycle", general support'

_DISTRIBUTIONS = {
    r"Debian GNU/Linux (\d+)": (
        _DEBIAN,
        {
            "8": "2020-06-30",
            "9": "2022-06-30",
            "10": "2024-06-30",
            "11": "2026-08-31",
            "12": "2028-06-30",
            "13": "2030-06-30",
        },
    ),
    r"Ubuntu (\d+\.\d+)": (
        _UBUNTU,
        {
            "14.04": "2019-04-30",
            "16.04": "2021-04-30",
            "18.04": "2023-05-31",
            "20.04": "2025-05-31",
            "22.04": "2027-04-30",
            "24.04": "2029-05-31",
            "24.10": "2025-07-10",
            "25.04": "2026-01-17",
            "25.10": "2026-07-01",
            "26.04": "2031-04-30",
        },
    ),
    r"Red Hat Enterprise Linux (?:Server |Workstation )?(?:release )?(\d+)": (
        _RED_HAT,
        {
            "6": "2020-11-30",
            "7": "2024-06-30",
            "8": "2029-05-31",
            "9": "2032-05-31",
            "10": "2035-05-31",
        },
    ),
    r"CentOS (?:Linux )?(?:release )?(\d+)": (
        _CENTOS,
        {"6": "2020-11-30", "7": "2024-06-30", "8": "2021-12-31"},
    ),
    r"CentOS Stream (\d+)": (
        _CENTOS,
        {"8": "2024-05-31", "9": "2027-05-31", "10": "2030-05-31"},
    ),
    r"Rocky Linux (\d+)": (
        _ROCKY,
        {"8": "2029-05-31", "9": "2032-05-31", "10": "2035-05-31"},
    ),
    r"AlmaLinux (\d+)": (
        _ALMA,
        {"8": "2029-05-31", "9": "2032-05-31", "10": "2035-05-31"},
    ),
    r"Oracle Linux (?:Server )?(?:release )?(\d+)": (
        _ORACLE,
        {
            "6": "2021-03-31",
            "7": "2024-12-31",
            "8": "2029-07-31",
            "9": "2032-06-30",
            "10": "2035-06-30",
        },
    ),
    r"Amazon Linux (?:AMI )?(\d+)": (
        _AMAZON,
        # Amazon Linux 1 has a year for its number, 2018.03; 2023 was the next but one.
        {"2": "2026-06-30", "2023": "2029-06-30"}
        | dict.fromkeys(map(str, range(2010, 2019)), "2023-12-31"),
    ),
    r"SUSE Linux Enterprise Server (\d+(?:\.\d+| SP\d+)?)": (
        _SUSE,
        {
            "12": "2016-06-30",
            "12 SP1": "2017-05-31",
            "12 SP2": "2018-03-31",
            "12 SP3": "2019-06-30",
            "12 SP4": "2020-06-30",
            "12 SP5": "2024-10-31",
            "15": "2019-12-31",
            "15 SP1": "2021-01-31",
            "15 SP2": "2021-12-31",
            "15 SP3": "2022-12-31",
            "15 SP4": "2023-12-31",
            "15 SP5": "2024-12-31",
            "15 SP6": "2025-12-31",
            "15 SP7": "2031-07-31",
            "16.0": "2027-11-30",
        },
    ),
}
"""The names as /etc/os-release gives them, and the last day of each release.

Where a maker goes on for money (Ubuntu Pro, Red Hat's ELS, SUSE's LTSS), that does not count.
Debian counts to the end of its LTS, which is free.
"""


def distribution_named(name: str) -> Distribution | None:
    """Find a distribution by its name, as "Debian GNU/Linux 12 (bookworm)"; None if not known."""
    for pattern, (source, ends) in _DISTRIBUTIONS.items():
        found = re.match(pattern + r"\b", name)
        if found and found[1] in ends:
            return Distribution(found[0], ends[found[1]], source)
    return None
