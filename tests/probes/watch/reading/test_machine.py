"""Reading what the agent saw of devices, server process and machine."""

from __future__ import annotations

import json
from typing import Any

import pytest

from probes.boundary.malformed import Malformed
from probes.watch.reading.machine import agents_answer, read_machine
from probes.watch.watched import OtherWork, ProcessWork, WatchedMachine
from tests.present import present

NAMES = ("reads", "read_bytes", "read_ms", "writes", "written_bytes", "write_ms", "busy_ms")


def moment(at_s: float, **device: float) -> dict[str, Any]:
    return {
        "at_s": at_s,
        "devices": {"vda": dict.fromkeys(NAMES, 0) | device},
        "server": {"cpu_user_s": at_s * 0.5, "cpu_system_s": at_s * 0.25, "run_delay_s": at_s},
        "cpu": {"busy_s": at_s, "iowait_s": 0, "steal_s": at_s * 0.2, "total_s": 2 * at_s},
        "pressure": {"io_us": at_s * 5e5},
    }


def read(*moments: dict[str, Any], roles: dict[str, str] | None = None) -> WatchedMachine:
    said = {"moments": moments, "devices": {"data": "vda"} if roles is None else roles}
    machine = read_machine(agents_answer({"watch.machine": json.dumps(said)}))
    assert machine is not None
    return machine


def test_threads_that_flush_are_told_where_they_have_names() -> None:
    moments = [moment(at) for at in range(3)]
    for at, each in enumerate(moments):
        each["server"]["flush_cpu_s"] = 0.2 * at
    assert present(read(*moments).flush_cpu).value == pytest.approx(0.2)


def test_nobody_looked() -> None:
    assert read_machine(agents_answer({})) is None


def test_a_device_has_rate_latency_and_what_is_in_flight() -> None:
    machine = read(
        *(moment(at, reads=500 * at, read_ms=1000 * at, busy_ms=900 * at) for at in range(4))
    )
    device = machine.device("data")
    assert device is not None
    assert device.reads.per_s.value == pytest.approx(500)
    assert device.reads.latency_us is not None
    assert device.reads.latency_us.value == pytest.approx(2000)
    assert device.reads.in_flight.value == pytest.approx(1.0)
    assert device.busy.value == pytest.approx(0.9)
    assert device.writes.latency_us is None
    assert device.syncs is None, "this kernel counts no flushes"


def test_few_milliseconds_in_all_tell_no_latency() -> None:
    """Whole milliseconds of four reads are mostly rounding."""
    machine = read(*(moment(at, reads=2 * at, read_ms=4 * at) for at in range(3)))
    reads = machine.devices[0].reads
    assert reads.per_s.value == pytest.approx(2)
    assert reads.latency_us is None


def test_syncs_are_told_where_the_kernel_counts_them() -> None:
    machine = read(*(moment(at, flushes=10 * at, flush_ms=30 * at) for at in range(3)))
    syncs = machine.devices[0].syncs
    assert syncs is not None
    assert syncs.latency_us is not None
    assert syncs.latency_us.value == pytest.approx(3000)


def test_server_and_machine() -> None:
    machine = read(*(moment(at) for at in range(3)))
    assert machine.server_cpu is not None
    assert machine.server_cpu.value == pytest.approx(0.75)
    assert machine.server_run_delay is not None
    assert machine.server_run_delay.value == pytest.approx(1.0)
    assert machine.flush_cpu is None
    assert machine.cpu_steal is not None
    assert machine.cpu_steal.value == pytest.approx(0.1)
    assert machine.io_pressure is not None
    assert machine.io_pressure.value == pytest.approx(0.5)


def test_one_device_below_two_roles_stands_once() -> None:
    machine = read(moment(0), moment(1), roles={"data": "vda", "redo": "vda"})
    (device,) = machine.devices
    assert device.roles == ("data", "redo")


def test_milliseconds_that_wrapped_go_on() -> None:
    machine = read(moment(0, read_ms=2**32 - 500), moment(1, reads=100, read_ms=500))
    assert machine.devices[0].reads.in_flight.value == pytest.approx(1.0)


def test_a_device_that_went_away_or_was_replaced_is_left_out() -> None:
    gone = moment(1) | {"devices": {}}
    assert read(moment(0), gone).devices == ()
    assert read(moment(0, reads=900), moment(1, reads=3)).devices == ()


def test_a_server_that_ended_is_left_out() -> None:
    ended = moment(1)
    del ended["server"]
    machine = read(moment(0), ended)
    assert machine.server_cpu is None
    assert machine.cpu_busy is not None


OTHERS: dict[str, Any] = {
    "processes": [{"pid": 41, "name": "sysbench", "cpu_s": 12.0}],
    "rest_s": 0.5,
    "kernel_s": 1.0,
    "own_s": 0.1,
}


def read_others(others: object) -> OtherWork | None:
    said = {"moments": [moment(0.0), moment(10.0)], "devices": {}, "others": others}
    return present(read_machine(said)).others


def test_what_other_processes_took_is_processors_that_they_kept_busy() -> None:
    found = present(read_others(OTHERS))
    assert found.processes == (ProcessWork(41, "sysbench", 1.2),)
    assert (found.rest, found.kernel, found.own) == (0.05, 0.1, 0.01)
    assert (found.of({41, 7}), found.of(())) == (1.2, 0)
    # An agent of before tells nothing of them.
    assert read_others(None) is None


@pytest.mark.parametrize(
    "wrong",
    [
        7,
        {"processes": 7},
        OTHERS | {"rest_s": -1},
        OTHERS | {"processes": ["sysbench"]},
        OTHERS | {"processes": [{"pid": 0, "name": "x", "cpu_s": 1}]},
    ],
)
def test_what_is_no_list_of_processes_is_malformed(wrong: object) -> None:
    with pytest.raises(Malformed):
        read_others(wrong)


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "{}",
        '{"moments": [{"at_s": 0}]}',
        '{"moments": [{"at_s": 1}, {"at_s": 1}]}',
        '{"moments": [{"at_s": 0}, {"at_s": "soon"}]}',
        '{"moments": [{"at_s": 0, "cpu": {"busy_s": "a", "total_s": 1}}, {"at_s": 1}]}',
        '{"moments": [7, 8]}',
    ],
)
def test_what_is_no_watch_is_malformed(text: str) -> None:
    with pytest.raises(Malformed):
        read_machine(agents_answer({"watch.machine": text}))
