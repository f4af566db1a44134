"""Drives and controllers whose write cache survives a power cut, by the model that they report.

A drive of these series keeps its cache alive with capacitors, although many of them report "write
back". A RAID controller of these families holds its cache by a battery or in flash, and by default
writes through while it has neither.

Sources: the makers' product briefs (Intel and Solidigm DC and D series, Samsung PM and SM data
centre SSDs, Micron 5x00, 7xx0 and 9x00, Kingston DC500, DC600M, DC1000 to DC3000, Kioxia CD, CM and
PM, Western Digital Ultrastar DC, Seagate Nytro); Dell, "PERC: cache preservation"; HPE, "Smart
Array: flash-backed write cache"; Broadcom, "CacheVault".
"""

from __future__ import annotations

import re

_SERIES = (
    r"\bSSDSC2(B[ABX]|K[BG])",  # Intel S3x00, S3x10, S45x0, S46x0 (SATA)
    r"\bSSDPE(2[KMN]|D[1KLM]|L1K|LKX)",  # Intel P3x00, P4x00, P4800X (NVMe)
    r"\bSSDPF2|\bSBFPF2|\bSB5PH",  # Solidigm D5, D7 (NVMe)
    r"\bMZ-?7(KH|KM|L3|LH|LM|WD)",  # Samsung PM863 to PM893, SM843T to SM883 (SATA)
    r"\bMZ(1L[2B]|PL[JL]|QL[2BW]|WL[JLOR])",  # Samsung PM963 to PM9A3, PM1725 to PM1743 (NVMe)
    r"\bMZILS|\bMZILT|\bMZILG",  # Samsung PM1633 to PM1653 (SAS)
    r"\bMicron_(5[1-5]00|7[3-5][05]0|9[1-5][05]0|M5[01]0DC)",
    r"\bSEDC(500|600M|1000B|1000M|1500M|2000B|3000ME)",  # Kingston
    r"\bK(CD|CM|PM)[5-9]|\bPX0[2-5]S",  # Kioxia, Toshiba
    r"\bWUS[345T]|\bHUSM[HMR]|\bHUSPR",  # Western Digital, HGST
    r"\bX(A|S|P)\d{3,4}[LMSH]E\d",  # Seagate Nytro
)
_CONTROLLERS = (
    r"\bPERC H(7[1-9]\d|8\d\d|9\d\d)",
    r"\bLOGICAL VOLUME\b",  # Smart Array, with the vendor HP or HPE before it
    r"\bMR9[2-6][5-9]\d",  # MegaRAID with a cache: 9x4x have none
)

_PROTECTED = re.compile("|".join(_SERIES))
_WITH_CACHE = re.compile("|".join(_CONTROLLERS), re.IGNORECASE)


def is_protected(model: str) -> bool:
    """Whether a drive of this model keeps its cache over a power cut."""
    return _PROTECTED.search(model) is not None


def keeps_its_cache(model: str) -> bool:
    """Whether it is a volume of a controller that caches writes only where they are kept."""
    return _WITH_CACHE.search(model) is not None
