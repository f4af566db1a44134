"""Nonsense and faults of the agent become sentences, each with its type."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes.engines.agent.events import AgentReader
from probes.errors import (
    AgentFailed,
    DirectoryUnusable,
    GuardTripped,
    LeadlineError,
    MySQLAccessDenied,
    MySQLConnectionLost,
    MySQLError,
    MySQLUnreachable,
    NotEnoughSpace,
    ProbeError,
)
from probes.events import (
    PointDone,
    Warned,
)
from tests.probes.engines.lines import (
    STEADY,
    line,
    plan_of,
    point,
    read_all,
    read_setting,
    samples,
    select_setting,
)


@pytest.mark.parametrize(
    "nonsense",
    [
        b"Killed",
        b"\xff\xfe",
        b"[]",
        b"17",
        b"{}",
        line("point_started", id="9"),
        line("point_started", id="x"),
        line("point_started"),
        line("hello", version="1"),
        line("sample", id="0", at_s="soon", rate_per_s=1, p95_us=1, p99_us=1),
        line("preparing", file_set="5", done_bytes=1, total_bytes=2),
        point(histogram="HISTnothing"),
        point(histogram=None),
        point(rate_per_s=None),
        point(ci95_per_s=[1]),
        point(id="-1"),
        line("calibrated", processors=2, wakeup_us=[1], ceiling_per_s={}),
        line("canary", latency_us="slow"),
        line("sample", id="0", at_s=1, rate_per_s=1, p95_us=1, p99_us=1, host={"queue": "long"}),
    ],
)
def test_nonsense_is_a_fault_of_the_agent(nonsense: bytes) -> None:
    reader = AgentReader(plan_of(read_setting()), "db7")
    list(reader.read(line("point_started", id="0")))
    with pytest.raises(AgentFailed, match=r"The agent on db7 sent .* (is no event|be right)"):
        list(reader.read(nonsense))


@given(st.binary(max_size=80))
def test_any_bytes_are_events_or_a_fault(said: bytes) -> None:
    reader = AgentReader(plan_of(read_setting()))
    try:
        list(reader.read(said))
    except LeadlineError as error:
        assert error.sentence


@given(st.recursive(st.none() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=4))
def test_any_field_is_an_event_or_a_fault(value: object) -> None:
    kinds = "hello calibrated canary preparing point_started sample point warning error waiting"
    for kind in kinds.split():
        reader = AgentReader(plan_of(read_setting()))
        said = line(kind, id=value, code=value, message=value, histogram=value, host=value)
        try:
            list(reader.read(said))
        except LeadlineError as error:
            assert error.sentence


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("directory_missing", DirectoryUnusable),
        ("directory_read_only", DirectoryUnusable),
        ("no_space", NotEnoughSpace),
        ("mysql_refused", MySQLUnreachable),
        ("mysql_denied", MySQLAccessDenied),
        ("mysql_password", MySQLAccessDenied),
        ("mysql_lost", MySQLConnectionLost),
        ("mysql_query", MySQLError),
        ("bad_plan", AgentFailed),
        ("guard", GuardTripped),
        ("io", ProbeError),
        ("something_newer", ProbeError),
    ],
)
def test_fatal_errors_have_their_type(code: str, kind: type[LeadlineError]) -> None:
    reader = AgentReader(plan_of(read_setting()))
    with pytest.raises(kind) as caught:
        list(reader.read(line("error", id="0", code=code, message="it went wrong", fatal=True)))
    assert type(caught.value) is kind
    assert caught.value.sentence == "It went wrong."


def test_a_fault_of_one_point_lets_the_others_be_measured() -> None:
    reader = AgentReader(plan_of(select_setting(1), select_setting(2)))
    told = [
        line("point_started", id="0"),
        line(
            "error",
            id="0",
            code="mysql_lost",
            message="the server exited unexpectedly",
            fatal=False,
        ),
        line("point_started", id="1"),
        *samples(STEADY, point="1"),
        point(id="1", direct=None),
        line("done"),
    ]
    events = read_all(reader, told)
    assert Warned("mysql_lost", "The server exited unexpectedly.") in events
    assert isinstance(events[-1], PointDone)
    assert reader.done


def test_where_the_directory_lets_nothing_be_measured_the_run_fails() -> None:
    reader = AgentReader(plan_of(read_setting(1), read_setting(2)))
    failed = [
        line("error", id=each, code="no_space", message="no space is left", fatal=False)
        for each in "01"
    ]
    assert all(isinstance(event, Warned) for event in read_all(reader, failed))
    with pytest.raises(NotEnoughSpace, match="No space is left"):
        list(reader.read(line("done")))
