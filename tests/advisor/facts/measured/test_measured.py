from __future__ import annotations

from advisor.facts.measured.reading import beside_load
from tests.recorded_load import reads


def test_points_beside_the_servers_load_are_named_in_the_evidence() -> None:
    idle, busy = reads("idle"), reads("busy")
    assert beside_load(idle) == ""
    assert beside_load(busy) == ", beside the server's own load"
    assert beside_load([*idle, busy[0]]) == ", 1 of them beside the server's own load"
