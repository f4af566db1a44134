"""Points as comma-separated values: base units, one line a point."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable

from advisor.wording.measured.doubts import sentence
from probes.csv_cells import text_cell
from probes.points import Point

COLUMNS = (
    "probe",
    "block_size_bytes",
    "files",
    "options",
    "threads",
    "rate_per_s",
    "ci95_low_per_s",
    "ci95_high_per_s",
    "mean_us",
    "p50_us",
    "p95_us",
    "p99_us",
    "p999_us",
    "max_us",
    "cpu_us_per_op",
    "operations",
    "seconds",
    "trust",
    "trust_reasons",
    "beside_server",
)


def csv_text(points: Iterable[Point]) -> str:
    """A header line and a line for each point, as RFC 4180 has it; unknown figures are empty."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for point in points:
        setting, latency = point.setting, point.latency
        options = ";".join(f"{name}={value}" for name, value in sorted(setting.options.items()))
        figures = (
            point.rate_per_s,
            *point.ci95_per_s,
            latency.mean_us,
            latency.p50_us,
            latency.p95_us,
            latency.p99_us,
            latency.p999_us,
            latency.max_us,
            point.cpu_us_per_op,
        )
        writer.writerow(
            (
                setting.probe.value,
                setting.block_size_bytes,
                setting.files,
                text_cell(options),
                setting.threads,
                *("" if math.isnan(figure) else f"{figure:.6g}" for figure in figures),
                point.operations,
                f"{point.seconds:.6g}",
                point.trust.value,
                text_cell("; ".join(map(sentence, point.doubts))),
                int(point.beside_server),
            )
        )
    return out.getvalue()
