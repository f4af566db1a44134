from __future__ import annotations

from advisor.facts.measured import beside_load
from tests.probes.trust.made import device, read

BUSY = device(
    read(9e3),
    did={"reads": 900, "read_bytes": 9 << 20},
    asked={"reads": 600, "read_bytes": 6 << 20},
    server={"read_bytes": 3 << 20},
)


def test_points_beside_the_servers_load_are_named_in_the_evidence() -> None:
    idle = read(9e3, 4)
    assert beside_load([idle]) == ""
    assert beside_load([BUSY]) == ", beside the server's own load"
    assert beside_load([idle, BUSY]) == ", 1 of them beside the server's own load"


def test_a_server_that_did_a_tenth_or_less_is_no_load_beside() -> None:
    little = device(
        read(9e3),
        did={"reads": 900, "read_bytes": 10 << 20},
        asked={"reads": 810, "read_bytes": 9 << 20},
        server={"read_bytes": 1 << 20},
    )
    assert beside_load([little]) == ""
