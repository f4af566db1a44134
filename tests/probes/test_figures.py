from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from probes import figures

T = figures.THIN
UNKNOWN = float("nan")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (figures.rate(31_234), f"31.2{T}k/s"),
        (figures.rate(854, "reads"), f"854{T}reads/s"),
        (figures.rate(854), "854/s"),
        (figures.rate(999.7), f"1.00{T}k/s"),
        (figures.rate(999_700), f"1.00{T}M/s"),
        (figures.rate(31_234, "reads"), f"31.2{T}k reads/s"),
        (figures.rate(0), "0/s"),
        (figures.rate(0.25), "0.250/s"),
        (figures.duration_us(0.85), f"850{T}ns"),
        (figures.duration_us(24.3), f"24.3{T}µs"),
        (figures.duration_us(2_000), f"2{T}ms"),
        (figures.duration_us(1_240), f"1.24{T}ms"),
        (figures.duration_us(999.9), f"1.00{T}ms"),
        (figures.duration_us(7_500_000), f"7.50{T}s"),
        (figures.seconds(0.2), f"200{T}ms"),
        (figures.seconds(0), f"0{T}s"),
        (figures.seconds(45), f"45{T}s"),
        (figures.seconds(59.7), f"1{T}min"),
        (figures.seconds(125), f"2{T}min 05{T}s"),
        (figures.seconds(11_220), f"3{T}h 07{T}min"),
        (figures.size(512), f"512{T}B"),
        (figures.size(16384), f"16{T}KiB"),
        (figures.size(1.5 * 2**30), f"1.50{T}GiB"),
        (figures.size(1023.9 * 1024), f"1.00{T}MiB"),
        (figures.throughput(463 * 2**20), f"463{T}MiB/s"),
        (figures.rated_throughput(600e6), f"600{T}MB/s"),
        (figures.rated_throughput(2.1e9), f"2.10{T}GB/s"),
        (figures.count(19_559.4), "19,559"),
        (figures.span(4, 4), "4"),
        (figures.span(1, 1024), "1 to 1,024"),
        (figures.listed([]), ""),
        (figures.listed(["a"]), "a"),
        (figures.listed(["a", "b"]), "a and b"),
        (figures.listed(["a", "b", "c"]), "a, b and c"),
        (figures.counted(1, "thread"), "1 thread"),
        (figures.counted(1024, "thread"), "1,024 threads"),
        (figures.counted(0, "thread"), "0 threads"),
        (figures.counted(1, "change is", "changes are"), "1 change is"),
        (figures.counted(2, "change is", "changes are"), "2 changes are"),
        (figures.percent(0.0004), f"0.04{T}%"),
        (figures.percent(0.00004), f"<0.01{T}%"),
        (figures.percent(0), f"0{T}%"),
        (figures.percent(0.52), f"52{T}%"),
        (figures.percent(0.035), f"3.5{T}%"),
        (figures.price(0.0084), "0.0084"),
        (figures.price(0.00001234), "0.0000123"),
        (figures.price(420), "420"),
        (figures.price(999.7), "1,000"),
        (figures.price(12_400), "12,400"),
        (figures.price(UNKNOWN), "–"),
        (figures.percent(-0.2), f"-20{T}%"),
        (figures.times(1.456), "1.46×"),
        (figures.times(33.1), "33.1×"),
        (figures.rate(UNKNOWN, "reads"), "–"),
        (figures.duration_us(UNKNOWN), "–"),
        (figures.seconds(UNKNOWN), "–"),
        (figures.size(UNKNOWN), "–"),
        (figures.throughput(UNKNOWN), "–"),
        (figures.rated_throughput(UNKNOWN), "–"),
        (figures.count(UNKNOWN), "–"),
        (figures.percent(UNKNOWN), "–"),
        (figures.times(UNKNOWN), "–"),
    ],
)
def test_figures_are_said_with_three_digits_and_their_unit(said: str, text: str) -> None:
    assert said == text


@pytest.mark.parametrize(
    ("shown", "told"),
    [("90.000000", "90"), ("0.500", "0.5"), ("7.5", "7.5"), ("100", "100"), ("8.0.30", "8.0.30")],
)
def test_a_setting_has_no_idle_zeros(shown: str, told: str) -> None:
    assert figures.setting(shown) == told


@pytest.mark.parametrize(
    ("ends", "say", "text"),
    [
        ((50_600, 27_500, 104_000), figures.rate, "51 k/s (28 to 104 k/s)"),
        ((15_300, 12_000, 19_000), figures.rate, "15 k/s (12 to 19 k/s)"),
        ((5_690, 3_430, 9_430), figures.duration_us, "5.7 ms (3.4 to 9.4 ms)"),
        ((2_000, 1_400, 2_900), figures.duration_us, "2.0 ms (1.4 to 2.9 ms)"),
        ((530, 401, 712), figures.duration_us, "530 µs (400 to 710 µs)"),
        ((1_240, 850, 2_100), figures.duration_us, "1.2 ms (0.85 to 2.1 ms)"),
        ((999.6, 500, 1_500), figures.duration_us, "1.0 ms (0.50 to 1.5 ms)"),
        ((5_690, 4.32, 9_000), figures.duration_us, "5.7 ms (4.3 µs to 9 ms)"),
        ((5_690, 0, 9_000), figures.duration_us, "5.7 ms (0 to 9.0 ms)"),
        ((75e6, 50e6, 130e6), figures.duration_us, "1 min 15 s (50 s to 2 min 10 s)"),
        ((0.5, 0.372, 0.638), figures.percent, "50 % (37 to 64 %)"),
        ((0, 0, 0.3), figures.percent, "0 % (0 to 30 %)"),
        ((1.46, 1.2, 1.9), figures.times, "1.5× (1.2 to 1.9×)"),
        ((1.5 * 2**30, 1.13 * 2**30, 2.24 * 2**30), figures.size, "1.5 GiB (1.1 to 2.2 GiB)"),
        ((19_559, 15_000, 25_000), figures.count, "20,000 (15,000 to 25,000)"),
        ((8, 5, 12), partial(figures.counted, one="thread"), "8 threads (5 to 12 threads)"),
        ((4.59, 2.13, 7.3), "{:.2f}".format, "4.6 (2.1 to 7.3)"),
        # A narrow range leaves the third digit.
        ((5_690, 5_600, 5_800), figures.duration_us, "5.69 ms (5.60 to 5.80 ms)"),
        ((5_690, 5_690, 5_690), figures.duration_us, "5.69 ms"),
        ((5_690, UNKNOWN, UNKNOWN), figures.duration_us, "5.69 ms (– to –)"),
        ((UNKNOWN, UNKNOWN, UNKNOWN), figures.duration_us, "–"),
    ],
)
def test_a_wide_range_leaves_two_digits_and_one_unit(
    ends: tuple[float, float, float], say: figures.Say, text: str
) -> None:
    assert figures.with_range(*ends, say).replace(T, " ") == text


def test_what_a_figure_counts_is_not_said_again_of_its_bounds() -> None:
    reads = partial(figures.rate, what="random reads")
    said = figures.with_range(50_600, 27_500, 104_000, reads, figures.rate)
    assert said.replace(T, " ") == "51 k random reads/s (28 to 104 k/s)"


@given(st.floats(1e-3, 1e9), st.floats(0.06, 0.9), st.floats(0.06, 9))
def test_a_bound_is_at_most_one_unit_of_its_second_digit_off(
    value: float, down: float, up: float
) -> None:
    low, high = value * (1 - down), value * (1 + up)
    figure, first, last = figures.ranged(value, low, high, figures.rate)
    scale = {"k": 1e3, "M": 1e6, "G": 1e9}.get(last.partition(T)[2][:1], 1.0)
    for exact, said in ((value, figure), (low, first), (high, last)):
        number = float(said.partition(T)[0].partition("/")[0].replace(",", "")) * scale
        assert number == pytest.approx(exact, rel=0.06)
