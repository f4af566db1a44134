import pytest

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
