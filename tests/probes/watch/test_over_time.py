"""A watch over time: rates, latencies and their classes by stretch, read from answers."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any

import pytest

from probes.boundary.malformed import Malformed
from probes.watch.over_time import MOST_STRETCHES, OverTime, class_edges_us
from probes.watch.reading.whole import read_watch
from probes.watch.words import FileRole, Operation, Source
from tests.probes.watch.reading.test_machine import moment
from tests.probes.watch.reading.test_server import files, reads, status


def seen(said: dict[str, Any] | None = None, **answers: str) -> OverTime:
    told = {f"watch.{name}": text for name, text in answers.items()}
    if said is not None:
        told["watch.machine"] = json.dumps(said)
    watched = read_watch({"watch.status": status({}, {}), **told}).watched
    assert watched is not None
    assert watched.over_time is not None
    return watched.over_time


def machine(*moments: dict[str, Any], **trace: Any) -> dict[str, Any]:
    told = list(moments) or [moment(0), moment(1)]
    return {"moments": told, "devices": {"data": "vda", "redo": "vda"}, "trace": trace or None}


def traced(*rows: dict[str, Any], recorded_s: tuple[float, ...] = (0.5, 0.25)) -> dict[str, Any]:
    return machine(
        seconds=1.0,
        series={"stretch_s": 0.5, "recorded_s": list(recorded_s), "rows": list(rows)},
    )


def traced_row(**told: Any) -> dict[str, Any]:
    usual = {"operation": "read", "bytes": [100, 50], "took_us": [30.0, 40.0]}
    return usual | {"cells": [[0, 20, 2], [0, 30, 1], [1, 20, 4]]} | told


DATA = "innodb/innodb_data_file"


def test_the_server_s_calls_have_a_course_by_role() -> None:
    told = files({DATA: reads(0, 0)}, {DATA: reads(100, 300)}, {DATA: reads(150, 400)})
    (found,) = seen(files=told).files
    assert (found.of, found.operation, found.source) == (
        FileRole.DATA,
        Operation.READ,
        Source.SERVER,
    )
    assert found.edges_s == (0, 1, 2)
    assert found.per_s == (100, 50)
    assert found.bytes_per_s == (100 * 16384, 50 * 16384)
    assert found.latency_us == pytest.approx((300, 600))
    assert found.waiting == pytest.approx((0.03, 0.03))


def test_a_stretch_without_a_call_has_a_rate_and_no_latency() -> None:
    told = files({DATA: reads(0, 0)}, {DATA: reads(10, 300)}, {DATA: reads(10, 300)})
    (found,) = seen(files=told).files
    assert found.per_s == (10, 0)
    assert math.isnan(found.latency_us[1])
    assert found.waiting[1] == 0


def test_reads_ahead_are_left_out_of_latencies() -> None:
    ahead = status(*({"Innodb_buffer_pool_read_ahead": str(50 * at)} for at in range(2)))
    told = files({DATA: reads(0, 0)}, {DATA: reads(100, 300)})
    (found,) = seen(status=ahead, files=told).files
    assert found.latency_us == pytest.approx((600,))


def test_what_is_not_timed_has_no_latency() -> None:
    told = files({"sql/binlog": (0,) * 8}, {"sql/binlog": (0, 0, 0, 5, 0, 1000, 0, 0)})
    (found,) = seen(files=told).files
    assert found.per_s == (5,)
    assert math.isnan(found.latency_us[0])
    assert math.isnan(found.waiting[0])


def test_file_io_that_was_reset_has_no_course() -> None:
    told = files({DATA: reads(20, 1)}, {DATA: reads(3, 1)})
    assert seen(files=told).files == ()


def test_a_long_watch_is_gathered() -> None:
    many = 3 * MOST_STRETCHES - 1
    moments: list[dict[str, Sequence[int]]] = [{DATA: reads(7 * at, 100)} for at in range(many + 1)]
    told = files(*moments)
    (found,) = seen(files=told).files
    assert len(found.per_s) == MOST_STRETCHES
    assert found.edges_s[1] == 3
    assert found.edges_s[-1] == many
    assert set(found.per_s) == {7}


def test_devices_have_a_course_each_though_several_roles_lie_on_one() -> None:
    told = machine(
        moment(0, writes=0, write_ms=0),
        moment(1, writes=40, written_bytes=4096, write_ms=80),
        moment(3, writes=100, written_bytes=8192, write_ms=380),
    )
    (found,) = seen(told).devices
    assert (found.of, found.operation, found.source) == ("vda", Operation.WRITE, Source.KERNEL)
    assert found.per_s == (40, 30)
    assert found.bytes_per_s == (4096, 2048)
    assert found.latency_us == pytest.approx((2000, 5000))
    assert found.waiting == pytest.approx((0.08, 0.15))


def test_a_traced_course_counts_what_was_recorded() -> None:
    found = seen(traced(traced_row(role="redo", operation="sync")))
    (course,) = found.files
    assert (course.of, course.operation, course.source) == (
        FileRole.REDO,
        Operation.SYNC,
        Source.TRACE,
    )
    assert course.edges_s == (0, 0.5, 1)
    assert course.per_s == pytest.approx((6, 16))
    assert course.bytes_per_s == pytest.approx((200, 200))
    assert course.latency_us == pytest.approx((10, 10))
    (cells,) = found.latencies
    assert cells.recorded == (1.0, 0.5)
    assert cells.cells == ((0, 20, 2), (0, 30, 1), (1, 20, 4))


def test_where_nothing_was_recorded_nothing_is_known() -> None:
    (found,) = seen(traced(traced_row(role="data"), recorded_s=(0.5, 0.0))).files
    assert math.isnan(found.per_s[1])


def test_the_server_s_own_times_come_before_traced_ones() -> None:
    told = files({DATA: reads(0, 0)}, {DATA: reads(100, 300)})
    found = seen(
        traced(traced_row(role="data"), traced_row(role="data", operation="write")), files=told
    )
    sources = {each.operation: each.source for each in found.files}
    assert sources == {Operation.READ: Source.SERVER, Operation.WRITE: Source.TRACE}
    assert len(found.latencies) == 2, "latencies over time are known from traces alone"


def test_a_device_s_latencies_come_after_those_of_roles() -> None:
    found = seen(
        traced(
            traced_row(device="vda", operation="flush"),
            traced_row(device="vda", operation="discard"),
            traced_row(role="data"),
        )
    )
    assert [(each.of, each.operation) for each in found.latencies] == [
        ("data", Operation.READ),
        ("vda", Operation.SYNC),
    ]
    assert [course.of for course in found.files] == ["data"]


def test_without_a_trace_there_are_no_latencies() -> None:
    assert seen().latencies == ()
    assert seen(machine(seconds=1.0)).latencies == ()


def test_classes_are_half_powers_of_two() -> None:
    assert class_edges_us(20) == pytest.approx((1.024, 1.448), rel=1e-3)
    assert class_edges_us(21)[1] == class_edges_us(22)[0]


@pytest.mark.parametrize(
    "series",
    [
        7,
        {},
        {"stretch_s": 0, "recorded_s": [1], "rows": []},
        {"stretch_s": 1, "recorded_s": [], "rows": []},
        {"stretch_s": 1, "recorded_s": [1] * 1001, "rows": []},
        {"stretch_s": 1, "recorded_s": [-1], "rows": []},
        {"stretch_s": 1, "recorded_s": [1], "rows": [7]},
        {"stretch_s": 1, "recorded_s": [1], "rows": [traced_row(role="data")]},
        *(
            {"stretch_s": 1, "recorded_s": [1, 1], "rows": [traced_row(role="data", **wrong)]}
            for wrong in (
                {"bytes": 7},
                {"took_us": [1, "long"]},
                {"cells": 7},
                {"cells": [[0, 1]]},
                {"cells": [[2, 1, 1]]},
                {"cells": [[0, 76, 1]]},
                {"cells": [[0, 1, 0]]},
                {"device": 7},
            )
        ),
    ],
)
def test_what_is_no_series_is_malformed(series: Any) -> None:
    with pytest.raises(Malformed):
        seen(machine(seconds=1.0, series=series))
