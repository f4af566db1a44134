import pytest

from advisor import wording

T = wording.THIN
UNKNOWN = float("nan")


@pytest.mark.parametrize(
    ("said", "text"),
    [
        (wording.rate(31_234), f"31.2{T}k/s"),
        (wording.rate(854, "reads"), f"854{T}reads/s"),
        (wording.rate(854), "854/s"),
        (wording.rate(999.7), f"1.00{T}k/s"),
        (wording.rate(999_700), f"1.00{T}M/s"),
        (wording.rate(31_234, "reads"), f"31.2{T}k reads/s"),
        (wording.rate(0), "0/s"),
        (wording.rate(0.25), "0.250/s"),
        (wording.duration_us(0.85), f"850{T}ns"),
        (wording.duration_us(24), f"24.0{T}µs"),
        (wording.duration_us(1_240), f"1.24{T}ms"),
        (wording.duration_us(999.9), f"1.00{T}ms"),
        (wording.duration_us(7_500_000), f"7.50{T}s"),
        (wording.seconds(45), f"45{T}s"),
        (wording.seconds(59.7), f"1{T}min 00{T}s"),
        (wording.seconds(125), f"2{T}min 05{T}s"),
        (wording.seconds(11_220), f"3{T}h 07{T}min"),
        (wording.size(512), f"512{T}B"),
        (wording.size(16384), f"16{T}KiB"),
        (wording.size(1.5 * 2**30), f"1.50{T}GiB"),
        (wording.size(1023.9 * 1024), f"1.00{T}MiB"),
        (wording.throughput(463 * 2**20), f"463{T}MiB/s"),
        (wording.count(19_559.4), "19,559"),
        (wording.listed([]), ""),
        (wording.listed(["a"]), "a"),
        (wording.listed(["a", "b"]), "a and b"),
        (wording.listed(["a", "b", "c"]), "a, b and c"),
        (wording.counted(1, "thread"), "1 thread"),
        (wording.counted(1024, "thread"), "1,024 threads"),
        (wording.counted(0, "thread"), "0 threads"),
        (wording.percent(0.52), f"52{T}%"),
        (wording.percent(0.035), f"3.5{T}%"),
        (wording.percent(-0.2), f"-20{T}%"),
        (wording.times(1.456), "1.46×"),
        (wording.times(33.1), "33.1×"),
        (wording.rate(UNKNOWN, "reads"), "–"),
        (wording.duration_us(UNKNOWN), "–"),
        (wording.seconds(UNKNOWN), "–"),
        (wording.size(UNKNOWN), "–"),
        (wording.throughput(UNKNOWN), "–"),
        (wording.count(UNKNOWN), "–"),
        (wording.percent(UNKNOWN), "–"),
        (wording.times(UNKNOWN), "–"),
    ],
)
def test_figures_are_said_with_three_digits_and_their_unit(said: str, text: str) -> None:
    assert said == text


@pytest.mark.parametrize(
    ("shown", "told"),
    [("90.000000", "90"), ("0.500", "0.5"), ("7.5", "7.5"), ("100", "100"), ("8.0.30", "8.0.30")],
)
def test_a_setting_has_no_idle_zeros(shown: str, told: str) -> None:
    assert wording.setting(shown) == told
