"""The drive of tmpdir under the server's temporary files.

## What it checks
Whether queries wait for temporary files because the drive of tmpdir is busy.

## Why it matters
tmpdir is /tmp by default, on the drive of the system. Sorts and joins that outgrow their buffers,
large caches of the binary log and many an ALTER TABLE write there, while the drive that was bought
for the data may be idle. These files need not survive a crash: any faster drive, or memory, does.

## How it is judged
Queries in wait are those inside writes, syncs and reads of temporary files, as the server timed
them.
- Fewer than 0.25 at a time (our choice): fine.
- tmpdir lies in memory, or its drive is busy less than half of the time (our choice): fine.
- Else watched. Where the data's drive is another one that is busy less than half of the time, it is
  named; what a write takes there in place of here is what ends of the wait, and half of that at
  least (our choice). Which directory to use is the administrator's choice.

## How to check by hand
`SELECT @@tmpdir;`, `findmnt -T` of it, and `iostat -x 1`.

## Risk and undo
Nothing is changed. A new tmpdir needs a restart, and has to hold the largest sort.

## When it is wrong
When other programs keep the drive of tmpdir busy, and these files stay in the page cache.

## References
- MySQL reference manual, "Where MySQL Stores Temporary Files"
- MariaDB documentation, tmpdir
"""

from __future__ import annotations

from advisor.facts.server.temp_tables import TEMP_DIRECTORY
from advisor.facts.watched.beside import WATCH_TEMP_DEVICE
from advisor.facts.watched.drive import WATCH_DATA_DEVICE, WATCH_FILE_SHARES
from advisor.outcomes import Confidence
from advisor.rulekit import (
    Answer,
    At,
    Facts,
    Inapplicable,
    Knowledge,
    Range,
    Relief,
    Unjudged,
    Wait,
    rule,
)
from advisor.rules.temp._in_memory import in_memory
from probes.figures import percent
from probes.watch.watched import Device
from probes.watch.words import FileRole

LITTLE, BUSY, LEAST = 0.25, 0.5, 0.5


@rule(
    topic="Temporary tables",
    do="Move tmpdir to a faster drive",
    needs=(WATCH_FILE_SHARES,),
    uses=(TEMP_DIRECTORY, WATCH_TEMP_DEVICE, WATCH_DATA_DEVICE),
    settings=("tmpdir",),
    knowledge=Knowledge.MEASURED,
)
def check(facts: Facts) -> Answer:
    """Ask who waits for temporary files, and then what their drive does."""
    waiting = facts.get(WATCH_FILE_SHARES).waiting.get(FileRole.TEMP, 0.0)
    many = At("queries in wait for temporary files", waiting, least=LITTLE, say="{:.2f}".format)
    saw = f"Temporary files make {waiting:.1f} queries wait on average"
    card = facts.card(f"{saw}.", many, confidence=Confidence.HIGH)
    if not many:
        return card.fine()
    where, device = facts.find(TEMP_DIRECTORY), facts.find(WATCH_TEMP_DEVICE)
    if where is not None and in_memory(where):
        return Inapplicable(f"{where.path} lies in memory.")
    if where is None or device is None:
        return Unjudged(f"{saw}; what their drive does is not known.")
    busy = At("share of the time that it is busy", device.busy.value, least=BUSY, say=percent)
    card = card.but(
        saw=f"{saw}; {where.path} lies on {_works(device)}.",
        condition=many & busy,
        because="The server timed these files, and the kernel counted what their drive did.",
        cost_of_error="A restart.",
    )
    if not busy:
        return card.fine()
    relief, place = _better(facts.find(WATCH_DATA_DEVICE), device)
    return card.but(relieves=(relief,)).watch(
        f"A tmpdir {place or 'on a faster drive'} or in memory ends most of that, if it has room "
        "for the largest sort. It takes a restart.",
    )


def _works(device: Device) -> str:
    """A device with what it does, within a sentence."""
    in_flight = device.reads.in_flight.value + device.writes.in_flight.value
    return (
        f"{device.name}, which is busy {percent(device.busy.value)} of the time with "
        f"{in_flight:.1f} requests in flight"
    )


def _better(data: Device | None, temporary: Device) -> tuple[Relief, str]:
    """What ends of the wait on the data's drive, and that place; "" where that has no room."""
    if data is None or data.name == temporary.name or data.busy.value >= BUSY:
        return Relief.up_to(Wait.TEMPORARY, 1.0), ""
    there, here = data.writes.latency_us, temporary.writes.latency_us
    if there is None or here is None or there.value >= here.value:
        return Relief.up_to(Wait.TEMPORARY, 1.0), ""
    ends = 1 - there.value / here.value
    place = f"on {data.name} beside the data, which is busy {percent(data.busy.value)} of the time,"
    return Relief(Wait.TEMPORARY, Range((1 + LEAST) / 2 * ends, LEAST * ends, ends)), place
