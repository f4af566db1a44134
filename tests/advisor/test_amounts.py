"""Amounts are read as they are meant, or refused with a sentence and an example."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from advisor.amounts import (
    bytes_per_s,
    duration_s,
    latency_us,
    money,
    percentage,
    requests_per_s,
    size_bytes,
    sizes_bytes,
    thread_levels,
)
from probes import figures
from probes.errors import UsageError


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (sizes_bytes("4k,16KiB, 512 ,64K,4096"), (4096, 16384, 512, 65536)),
        (sizes_bytes(""), ()),
        (size_bytes("65536"), 65536),
        (bytes_per_s("125M"), 125 << 20),
        (bytes_per_s(" 125 MiB/s "), 125 << 20),
        (bytes_per_s("1,5 GB/s"), 3 << 29),
        (requests_per_s("3000"), 3000),
        (requests_per_s(" 3,000 "), 3000),
        (money("0.12"), 0.12),
        (money(" 95,5 "), 95.5),
        (money("1,200"), 1200),
        (size_bytes("1.5G"), 3 << 29),
        (size_bytes("1,5 gib"), 3 << 29),
        (size_bytes("1,024 MiB"), 1 << 30),
        (size_bytes("2MB"), 2 << 20),
        (size_bytes("500 MiB"), 500 << 20),
        (size_bytes("8b"), 8),
        (thread_levels("64,1, 8,8"), (1, 8, 64)),
        (thread_levels("64, 4;1 16 4"), (1, 4, 16, 64)),
        (thread_levels("1024"), (1024,)),
        (thread_levels(""), ()),
        (percentage("3%"), 0.03),
        (percentage("1.5"), 0.015),
        (percentage("0,5 %"), 0.005),
        (duration_s("90"), 90.0),
        (duration_s("90 s"), 90.0),
        (duration_s("10min"), 600.0),
        (duration_s(" 2\u202fmin "), 120.0),
        (duration_s("1h"), 3600.0),
        (duration_s("1,5 h"), 5400.0),
        (duration_s("1 min 30 s"), 90.0),
        (latency_us("20ms"), 20_000.0),
        (latency_us("500 µs"), 500.0),
        (latency_us("12", bare="ms"), 12_000.0),
    ],
)
def test_an_amount_is_read(got: object, wanted: object) -> None:
    assert got == pytest.approx(wanted) if isinstance(wanted, float) else got == wanted


@pytest.mark.parametrize("seconds", [0.2, 7, 45, 90, 600, 5400, 11_220])
def test_a_time_can_be_typed_as_it_is_printed(seconds: float) -> None:
    assert duration_s(figures.seconds(seconds)) == pytest.approx(seconds)


@pytest.mark.parametrize("size", [512, 16384, 500 << 20, 3 << 29, 20 << 30])
def test_a_size_can_be_typed_as_it_is_printed(size: int) -> None:
    assert size_bytes(figures.size(size)) == size


@pytest.mark.parametrize(
    ("read", "text", "sentence"),
    [
        (sizes_bytes, "4x", "'4x' is not a valid size: write a number with KiB, MiB, GiB"),
        (sizes_bytes, "4ib", "'4ib' is not a valid size"),
        (sizes_bytes, "-4k", "'-4k' is not a valid size"),
        (sizes_bytes, "nan", "'nan' is not a valid size"),
        (size_bytes, "", "'' is not a valid size"),
        (size_bytes, "5 parsecs", "'5 parsecs' is not a valid size"),
        (size_bytes, "9" * 400, "is not a valid size"),
        (thread_levels, "1,two", "'two' is not a valid number of threads: write 1 to 1,024"),
        (thread_levels, "0", "'0' is not a valid number of threads"),
        (thread_levels, "1 2048", "'2048' is not a valid number of threads"),
        (thread_levels, "9" * 5000, "is not a valid number of threads"),
        (percentage, "3ms", "'3ms' is not a valid percentage"),
        (percentage, "150", "'150' is not a valid percentage: write a number from 0 to 100"),
        (percentage, "nan", "'nan' is not a valid percentage"),
        (duration_s, "soon", "'soon' is not a valid time: write a number with s, min or h"),
        (duration_s, "1 min 30", "'1 min 30' is not a valid time"),
        (duration_s, "1" * 200 + "!", "is not a valid time"),
        (latency_us, "20", "'20' is not a valid latency: write a number with µs, ms or s"),
        (money, "free", "'free' is not a price"),
        (money, "0", "'0' is not a price"),
        (money, "4k", "'4k' is not a price"),
        (latency_us, "2 min", "'2 min' is not a valid latency"),
    ],
)
def test_what_is_not_understood_is_said(
    read: Callable[[str], object], text: str, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence) as caught:
        read(text)
    assert caught.value.advice
