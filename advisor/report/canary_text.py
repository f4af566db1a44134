"""How a live server fared while its drive was probed, in a sentence."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import median

from probes.events import CanaryBeat
from probes.figures import duration_us, seconds


def canary_sentence(beats: Sequence[CanaryBeat]) -> str:
    """Its slowest reads of each second against those before; "" where nobody looked."""
    slowest = [beat.latency_us for beat in beats if math.isfinite(beat.latency_us)]
    if not slowest:
        return ""
    last = beats[-1]
    return (
        f"The server was watched for {seconds(len(beats))}: a read took"
        f" {duration_us(last.baseline_us)} before; the slowest of each second took"
        f" {duration_us(median(slowest))} in the middle and {duration_us(max(slowest))} at most."
        f" At most {max(beat.threads_running for beat in beats)} threads ran, and"
        f" {max(beat.row_lock_waits for beat in beats)} waited for row locks."
    )
