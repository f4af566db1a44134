import pytest

from app.fields.lab import LabForm
from probes.errors import UsageError
from probes.lab.variant import LoadKind
from probes.targets.address import TargetSpec
from tests.advisor.lab.test_like import OLTP

MIB = 1 << 20


def test_a_script_of_sysbench_is_a_load() -> None:
    asked = LabForm(ask="doublewrite", load="sysbench:oltp_update_index", data="64M")
    load = asked.request(TargetSpec()).asking(()).load
    assert (load.kind, load.script) == (LoadKind.SYSBENCH, "oltp_update_index")
    assert (load.data_bytes, load.warehouses) == (64 * MIB, 0)
    stocked = LabForm(ask="doublewrite", load="sysbench:/opt/tpcc.lua", warehouses=3)
    load = stocked.request(TargetSpec()).asking(()).load
    assert (load.data_bytes, load.warehouses) == (0, 3)


@pytest.mark.parametrize("load", ["sysbench:", "sysbench:--help", "mix", "dance"])
def test_what_is_no_load_is_refused(load: str) -> None:
    with pytest.raises(UsageError):
        LabForm(ask="doublewrite", load=load).request(TargetSpec())


def test_a_load_like_a_watched_one_goes_with_any_question() -> None:
    for form in (
        LabForm(ask="redo-size", like="12"),
        LabForm(vary=("redo=64M,1G",), like="12", pool="128M"),
    ):
        asked = form.request(TargetSpec(), OLTP).asking(())
        assert asked.like == OLTP
        assert asked.load.kind is LoadKind.MIX
        assert asked.levels == (8,)
        assert asked.redo_bytes == 64 * MIB
    # The pool of the base is what the lab's size is told by.
    asked = LabForm(ask="pool-size", like="12").request(TargetSpec(), OLTP).asking(())
    assert asked.load.data_bytes == 3 * 32 * MIB


@pytest.mark.parametrize(
    "other", [{"load": "update"}, {"keys": "zipf"}, {"connections": "4"}, {"data": "1M"}]
)
def test_the_load_of_a_run_is_no_other(other: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        LabForm(ask="redo-size", like="12", **other).request(TargetSpec(), OLTP)  # type: ignore[arg-type]
