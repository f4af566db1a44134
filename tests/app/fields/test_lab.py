import pytest

from app.fields.lab import LabForm
from probes.errors import UsageError
from probes.lab.variant import LoadKind
from probes.targets.address import TargetKind, TargetSpec

LOCAL = TargetSpec(TargetKind.LOCAL)


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
