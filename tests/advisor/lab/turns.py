"""Turns of a lab as a load program gives them."""

import base64
import random
from collections.abc import Callable, Mapping

from hdrh.histogram import HdrHistogram

from advisor.lab.asked import AGAIN, Asked, varied
from advisor.lab.record import LabTurn, Record
from advisor.run import RunKind
from advisor.runs.session import NOTHING_MEASURED
from advisor.store.store import Store
from probes.lab.turn import LoadTurn
from probes.lab.variant import LabLoad, LoadKind
from probes.statistics.histogram import DIGITS, HIGHEST_NS, LOWEST_NS
from probes.targets.address import TargetSpec
from tests.advisor.store.builders import RAW

ON, OFF = "innodb_doublewrite = ON", "innodb_doublewrite = OFF"
ASKED = Asked(
    varied(["innodb_doublewrite=ON,OFF"], (), ()), LabLoad(LoadKind.UPDATE, data_bytes=1 << 28)
)


def turn(
    per_s: float,
    latency_us: float = 1000.0,
    seconds: float = 2.0,
    status: Mapping[str, float] | None = None,
    server: Mapping[str, float] | None = None,
) -> LoadTurn:
    """A turn with this rate, all of whose transactions took about so long."""
    done = round(per_s * seconds)
    histogram = HdrHistogram(LOWEST_NS, HIGHEST_NS, DIGITS)
    if done:
        histogram.record_value(round(latency_us * 1000), done)
    encoded = histogram.encode()
    assert base64.b64decode(encoded)
    return LoadTurn(
        seconds=seconds,
        transactions=done,
        statements=done,
        errors=0,
        histogram=encoded.decode(),
        kinds={},
        status=status or {},
        gauges={},
        server=server or {},
        machine={},
        own_cpu_s=0.1,
    )


def record(
    worth: float, rounds: int = 16, noise: float = 0.02, seed: int = 1, level: int = 16
) -> Record:
    """A lab in which OFF does ``1 + worth`` times the work of ON, four rounds to each start."""
    chance = random.Random(seed)
    rates: Mapping[str, Callable[[], float]] = {
        ON: lambda: 1000.0,
        OFF: lambda: 1000.0 * (1 + worth),
        ON + AGAIN: lambda: 1000.0,
    }
    turns = []
    for number in range(rounds):
        shared = chance.lognormvariate(0, 0.1)
        for variant, rate in rates.items():
            per_s = rate() * shared * chance.lognormvariate(0, noise)
            turns.append(LabTurn(variant, level, number // 4, number, turn(per_s)))
    return Record(ASKED, turns=tuple(turns))


def keep(store: Store, spec: TargetSpec, found: Record) -> int:
    """Keep a lab that has just begun and got so far; its run."""
    run_id = store.start_run(spec, RAW, NOTHING_MEASURED, kind=RunKind.LAB)
    store.add_lab(run_id, found.asked)
    store.set_lab_known(run_id, found)
    for each in found.turns:
        store.add_lab_turn(run_id, each)
    return run_id
