"""An agent that measures one point as it should, and then does what none should: by mode.

Started as a program of its own, ``hostile_agent.py MODE probe``; ``MODES`` names what it can do.
"""

from __future__ import annotations

import base64
import json
import os
import signal
import struct
import sys
import time
import zlib
from collections.abc import Callable
from typing import NoReturn

POINT: dict[str, object] = {
    "event": "point",
    "id": "1",
    "threads": 2,
    "seconds": 1.0,
    "warmup_seconds": 0.2,
    "ended_by": "interval",
    "operations": 1000,
    "rate_per_s": 1000.0,
    "ci95_per_s": [970.0, 1030.0],
    "cpu_user_us_per_op": 0.2,
    "cpu_system_us_per_op": 5.0,
    "direct": True,
    "errors": 0,
    "missing_rows": 0,
    "details": {},
}


def histogram(
    *,
    digits: int = 2,
    lowest: int = 1,
    highest: int = 100_000_000_000,
    counts: bytes = b"\x02" * 99,
) -> str:
    """An encoded histogram with any header; ``counts`` as they are written."""
    return _framed(zlib.compress(_header(digits, lowest, highest, len(counts)) + counts))


def gigabyte() -> str:
    """A histogram that takes a gigabyte once it is unpacked."""
    return _zeros(1 << 10)


def swelling() -> str:
    """A histogram as long as any may be written, and a thousand times as long once unpacked."""
    return _zeros(45)


def _zeros(mebibytes: int) -> str:
    size = mebibytes << 20
    header = _header(2, 1, 100_000_000_000, size)
    packing = zlib.compressobj(9)
    start = packing.compress(header) + packing.flush(zlib.Z_FULL_FLUSH)
    # After a full flush each piece stands for itself, so that one is as good as the next.
    piece = packing.compress(bytes(1 << 20)) + packing.flush(zlib.Z_FULL_FLUSH)
    ones, twos = zlib.adler32(header) & 0xFFFF, zlib.adler32(header) >> 16
    checksum = struct.pack(">HH", (twos + size * ones) % 65521, ones)
    return _framed(start + piece * mebibytes + packing.flush()[:-4] + checksum)


def _header(digits: int, lowest: int, highest: int, length: int) -> bytes:
    return struct.pack(">IIIIQQd", 0x1C849313, length, 0, digits, lowest, highest, 1.0)


def _framed(packed: bytes) -> str:
    return base64.b64encode(struct.pack(">II", 0x1C849314, len(packed)) + packed).decode()


def say(line: bytes | str) -> None:
    data = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
    os.write(1, data) if len(data) < 4096 else _pour(data)


def _pour(data: bytes) -> None:
    while data:
        data = data[os.write(1, data) :]


def event(kind: str, **fields: object) -> str:
    return json.dumps({"event": kind, **fields}) + "\n"


def point(**changes: object) -> str:
    return json.dumps({"histogram": histogram(), **POINT, **changes}) + "\n"


def begins() -> None:
    """The second point starts in good order."""
    say(event("point_started", id="1"))


def ending(line: bytes | str) -> Callable[[], None]:
    """Say this within the second point, and then wait as if all were well."""

    def attack() -> None:
        begins()
        say(line)
        _live()

    return attack


def _live() -> NoReturn:
    while True:
        time.sleep(0.2)
        say(event("alive"))


def raw(name: str, text: str) -> Callable[[], None]:
    """A point with one value as it would not come out of any writer of JSON."""
    return ending(point(**{name: "<raw>"}).replace('"<raw>"', text))


def again(make: Callable[[int], str], pause_s: float = 0.0) -> Callable[[], None]:
    """Lines without end."""

    def attack() -> None:
        begins()
        number = 0
        while True:
            if pause_s:
                say(make(number))
                time.sleep(pause_s)
            else:
                say("".join(make(number + each) for each in range(100)))
            number += 100

    return attack


def pour(data: bytes, descriptor: int = 1) -> Callable[[], None]:
    """Bytes without end."""

    def attack() -> None:
        begins()
        while True:
            os.write(descriptor, data)

    return attack


def _silent() -> None:
    begins()
    time.sleep(600)


def _drips() -> None:
    begins()
    while True:
        os.write(1, b"{")
        time.sleep(0.05)


def _killed() -> None:
    begins()
    os.kill(os.getpid(), signal.SIGKILL)


def _ends() -> None:
    begins()
    sys.exit(0)


def _closes() -> None:
    begins()
    os.close(1)
    time.sleep(600)


def _unstarted() -> None:
    say(point())
    _live()


def _asks_on() -> None:
    while True:
        say(event("waiting"))


def _starts_over() -> None:
    while True:
        for each in "01":
            say(event("point_started", id=each))


def _sample(**changes: object) -> str:
    fields = {"id": "1", "at_s": 0.2, "rate_per_s": 1.0, "p95_us": 1.0, "p99_us": 1.0, **changes}
    return event("sample", **fields)


def _gigabyte() -> None:
    ending(point(histogram=gigabyte()))()


DEEP = 200_000

MODES: dict[str, Callable[[], None]] = {
    # No event at all.
    "no_json": ending("Segmentation fault\n"),
    "not_utf8": ending(b'{"event":"alive\xff"}\n'),
    "utf16": ending(event("alive").encode("utf-16")),
    "zeros": ending(b"\0" * 100 + b"\n"),
    "empty_object": ending("{}\n"),
    "list": ending("[1]\n"),
    "event_is_a_number": ending('{"event":7}\n'),
    "half_a_character": ending('{"event":"warning","code":"x","message":"\\ud800"}\n'),
    "half_a_character_raw": ending('{"event":"warning","code":"x","message":"\ud800"}\n'),
    "deep_900": ending("[" * 900 + "]" * 900 + "\n"),
    "deep_200000": ending('{"event":' * DEEP + "1" + "}" * DEEP + "\n"),
    "deep_unclosed": ending("[" * DEEP + "\n"),
    "long_line": ending('{"event":"' + "x" * (8 << 20) + '"}\n'),
    "endless_line": pour(b"x" * 65536),
    # A point that can't be.
    "operations_infinite": raw("operations", "1e400"),
    "operations_huge": raw("operations", "1" + "0" * 30),
    "operations_of_5000_digits": raw("operations", "9" * 5000),
    "operations_negative": ending(point(operations=-1)),
    "operations_a_share": ending(point(operations=0.5)),
    "rate_nan": raw("rate_per_s", "NaN"),
    "rate_infinite": raw("rate_per_s", "Infinity"),
    "rate_text": ending(point(rate_per_s="fast")),
    "rate_negative": ending(point(rate_per_s=-5)),
    "rate_missing": ending(point(rate_per_s=None)),
    "seconds_huge": ending(point(seconds=1e308)),
    "interval_turned": ending(point(ci95_per_s=[2, 1])),
    "interval_of_one": ending(point(ci95_per_s=[1])),
    "cpu_infinite": raw("cpu_user_us_per_op", "1e999"),
    "direct_text": ending(point(direct="yes")),
    "details_deep": raw("details", '{"a":' * 900 + "1" + "}" * 900),
    "details_list": ending(point(details=[1, 2])),
    "issued_text": ending(point(details={"issued": {"read_bytes": "many"}})),
    "threads_huge": ending(point(threads=10**9)),
    # Histograms.
    "histogram_5_digits": ending(
        point(histogram=histogram(digits=5, highest=1 << 62, counts=b"\x81\xa0\xf0\x05\x02"))
    ),
    "histogram_other_unit": ending(point(histogram=histogram(lowest=1000))),
    "histogram_of_a_gigabyte": _gigabyte,
    "histogram_nonsense": ending(point(histogram="HISTnothing")),
    "histogram_missing": ending(point(histogram=None)),
    "histogram_impossible": ending(point(histogram=histogram(counts=b"\xff" * 500))),
    # Points and samples that nobody asked for.
    "point_twice": ending(point() * 2),
    "points_5000": ending(point() * 5000),
    "point_unasked": ending(event("point_started", id="7")),
    "point_negative": ending(event("point_started", id="-1")),
    "point_unstarted": _unstarted,
    "part_unknown": ending(point(part="reads")),
    "starts_over": _starts_over,
    "samples_endless": again(lambda number: _sample(at_s=number / 5)),
    "sample_infinite": ending(_sample().replace("0.2", "1e400")),
    "host_text": ending(_sample(host={"queue": "long"})),
    # The rest of its words.
    "preparing_infinite": ending(
        '{"event":"preparing","file_set":"0","done_bytes":1,"total_bytes":1e400}\n'
    ),
    "preparing_unknown": ending(event("preparing", file_set="-1", done_bytes=1, total_bytes=2)),
    "calibrated_nonsense": ending(event("calibrated", processors=2, wakeup_us=[1])),
    "warnings_endless": again(lambda number: event("warning", code="x", message=f"no {number}")),
    "asks_for_ever": _asks_on,
    # Time.
    "alive_a_million": again(lambda number: event("alive")),
    "alive_for_ever": again(lambda number: event("alive"), pause_s=0.1),
    "silent": _silent,
    "drips": _drips,
    "stderr_endless": pour(b"y" * 65536, 2),
    # Its end.
    "ends_early": _ends,
    "killed": _killed,
    "closes_its_output": _closes,
}


def main() -> None:
    mode, command = sys.argv[1:3]
    if command == "version":
        return
    if command != "probe":
        sys.exit(1)
    sys.stdin.readline()
    say(event("hello", version="0.1.0", protocol=2, clock_ns=20.0, overhead_ns_per_op=100.0))
    say(event("point_started", id="0"))
    say(point(id="0", threads=1) + event("waiting"))
    sys.stdin.readline()
    try:
        MODES[mode]()
    except BrokenPipeError:
        os._exit(0)


if __name__ == "__main__":
    main()
