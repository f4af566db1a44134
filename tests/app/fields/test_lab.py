import pytest

from app.fields.lab import LabForm
from probes.errors import UsageError
from probes.lab.variant import LoadKind
from probes.targets.address import TargetKind, TargetSpec
from tests.advisor.lab.test_like import OLTP

LOCAL = TargetSpec(TargetKind.LOCAL)
MIB = 1 << 20


def test_a_script_of_sysbench_is_a_load() -> None:
    asked = LabForm(ask="doublewrite", load="sysbench:oltp_update_index", data="64M")
    load = asked.request(LOCAL).asking(()).load
    assert (load.kind, load.script) == (LoadKind.SYSBENCH, "oltp_update_index")
    assert (load.data_bytes, load.warehouses) == (64 * MIB, 0)
    stocked = LabForm(ask="doublewrite", load="sysbench:/opt/tpcc.lua", warehouses=3)
    load = stocked.request(LOCAL).asking(()).load
    assert (load.data_bytes, load.warehouses) == (0, 3)


@pytest.mark.parametrize("load", ["sysbench:", "sysbench:--help", "mix", "dance"])
def test_what_is_no_load_is_refused(load: str) -> None:
    with pytest.raises(UsageError):
        LabForm(ask="doublewrite", load=load).request(LOCAL)


def test_a_load_like_a_watched_one_goes_with_any_question() -> None:
    for form in (
        LabForm(ask="redo-size", like="12"),
        LabForm(vary=("redo=64M,1G",), like="12", pool="128M"),
    ):
        asked = form.request(LOCAL, OLTP).asking(())
        assert asked.like == OLTP
        assert asked.load.kind is LoadKind.MIX
        assert asked.levels == (8,)
        assert asked.redo_bytes == 64 * MIB
    # The pool of the base is what the lab's size is told by.
    asked = LabForm(ask="pool-size", like="12").request(LOCAL, OLTP).asking(())
    assert asked.load.data_bytes == 3 * 32 * MIB


@pytest.mark.parametrize(
    "other",
    [
        {"load": "update"},
        {"keys": "zipf"},
        {"connections": "4"},
        {"data": "1M"},
        {"data_from": "/b"},
    ],
)
def test_the_load_of_a_run_is_no_other(other: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        LabForm(ask="redo-size", like="12", **other).request(LOCAL, OLTP)  # type: ignore[arg-type]


def test_on_given_data_the_usual_mix_becomes_updates() -> None:
    asked = LabForm(ask="doublewrite", data_from="/backup").request(LOCAL).asking([])
    assert (asked.data_from, asked.load.kind) == ("/backup", LoadKind.UPDATE)
    looked = LabForm(ask="doublewrite", data_from="/backup", load="point-select")
    assert looked.request(LOCAL).asking([]).load.kind is LoadKind.POINT_SELECT


@pytest.mark.parametrize(
    "wished",
    [
        {"ask": "doublewrite", "load": "read-write"},
        {"ask": "doublewrite", "load": "tpcc"},
        {"ask": "doublewrite", "data": "1G"},
        {"ask": "page-size"},
        {"ask": "engine"},
        {"vary": ("innodb_page_size=4k,16k",), "load": "update"},
    ],
)
def test_what_given_data_can_not_have_is_refused(wished: dict[str, object]) -> None:
    with pytest.raises(UsageError):
        LabForm(data_from="/backup", **wished).request(LOCAL)  # type: ignore[arg-type]
