"""How figures are written: the one place for digits, prefixes, plurals and the space before a unit.

Plans, trust, rules, reports, the window and the command line all write figures through it, so that
the same figure looks the same wherever it stands. Takes base units (bytes, microseconds, per
second) and gives text for people; nothing reads it back. An unknown figure (nan) becomes a dash.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence

Say = Callable[[float], str]
"""How a figure in base units is written."""

THIN = "\u202f"
"""A narrow space that never breaks: a figure and its unit stay on one line."""

PERCENT = f"{THIN}%"
"""The sign behind a share in per cent."""

UNKNOWN = "–"
"""What stands for a figure that nobody knows."""

NARROW = 0.05
"""Where half of a range is no more of its figure than this, a third digit counts (our choice)."""

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
"""By their number in a date, less one."""

_FIGURE = re.compile(rf"\d[\d.,]*({THIN}\S+)?")
_DECIMAL = re.compile(r"-?\d+\.\d*0")
_NUMBER = re.compile(r"(\d[\d,]*(?:\.(\d+))?)(\D*)")
_IEC = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_SI = ("", "k", "M", "G", "T")
_LEAST_UNDER_WAY = 0.01
_UNITS = tuple(10.0**power for power in range(-12, 13)) + tuple(
    1024.0**-power for power in range(6)
)
"""What turns a figure in base units into the number that is written."""


def rate(per_s: float, what: str = "") -> str:
    """``31.2 k/s``, or ``31.2 k reads/s`` with ``what``."""
    if math.isnan(per_s):
        return UNKNOWN
    value, prefix = _scaled(per_s, 1000, _SI)
    unit = " ".join(part for part in (prefix, what) if part)
    return f"{_three(value)}{THIN if unit else ''}{unit}/s"


def duration_us(us: float) -> str:
    """``850 ns``, ``24.3 µs``, ``1.24 ms``, ``2 ms``, ``7.50 s``."""
    if math.isnan(us):
        return UNKNOWN
    rounded = _rounded(us)
    for limit, divisor, unit in ((1, 1e-3, "ns"), (1e3, 1, "µs"), (1e6, 1e3, "ms")):
        if rounded < limit:
            return f"{_short(us / divisor)}{THIN}{unit}"
    return seconds(us / 1e6)


def seconds(s: float) -> str:
    """``200 ms``, ``1.20 s``, ``45 s``, ``2 min``, ``2 min 05 s``, ``3 h 07 min``."""
    if math.isnan(s):
        return UNKNOWN
    if 0 < s < 1:
        return duration_us(s * 1e6)
    if s < 10:
        return f"{s:.2f}{THIN}s" if s % 1 else f"{s:.0f}{THIN}s"
    whole = round(s)
    if whole < 60:
        return f"{whole}{THIN}s"
    if whole < 3600:
        return _parts(whole // 60, "min", whole % 60, "s")
    return _parts(whole // 3600, "h", whole % 3600 // 60, "min")


def took_at_least(beyond: tuple[float, float], what: str) -> str:
    """``50 % of them took at least 17.1 s``: a quantile (0..1) and its lower bound in us."""
    quantile, us = beyond
    return f"{percent(1 - quantile)} of {what} took at least {us / 1e6:.1f}{THIN}s"


def size(size_bytes: float) -> str:
    """``512 B``, ``16 KiB``, ``1.50 GiB``."""
    if math.isnan(size_bytes):
        return UNKNOWN
    value, unit = _scaled(size_bytes, 1024, _IEC)
    return f"{_short(value)}{THIN}{unit}"


def part_of(part_bytes: float, whole_bytes: float) -> str:
    """``16 of 384 GiB``, and ``512 MiB of 4 GiB``: the unit once where it is the same."""
    part, whole = size(part_bytes), size(whole_bytes)
    number, _, unit = part.partition(THIN)
    return f"{number if whole.endswith(f'{THIN}{unit}') else part} of {whole}"


def throughput(bytes_per_s: float) -> str:
    """``463 MiB/s``."""
    if math.isnan(bytes_per_s):
        return UNKNOWN
    return f"{size(bytes_per_s)}/s"


def io_rate(per_s: float, *, in_bytes: bool) -> str:
    """``3.00 k requests/s``, or ``125 MiB/s`` with ``in_bytes``: a limit of a volume or machine."""
    return throughput(per_s) if in_bytes else rate(per_s, "requests")


def rated_throughput(bytes_per_s: float) -> str:
    """``600 MB/s``: in powers of ten, as vendors rate buses, drives and volumes."""
    if math.isnan(bytes_per_s):
        return UNKNOWN
    value, prefix = _scaled(bytes_per_s, 1000, _SI)
    return f"{_short(value)}{THIN}{prefix}B/s"


def count(number: float) -> str:
    """``19,559``."""
    if math.isnan(number):
        return UNKNOWN
    return f"{number:,.0f}"


def counted(number: float, one: str, many: str = "") -> str:
    """``1 thread``, ``1,024 threads``: a number of whole things.

    ``many`` is what more than one are called where that is not ``one`` with an s.
    """
    return f"{count(number)} {one if round(number) == 1 else many or f'{one}s'}"


def under_way(number: float) -> str:
    """``13.2``, ``0.43``, ``<0.01``, ``0``: how many calls are under way at a time on average."""
    if math.isnan(number):
        return UNKNOWN
    if 0 < number < _LEAST_UNDER_WAY:
        return f"<{_LEAST_UNDER_WAY}"
    return f"{number:.2f}" if 0 < number < 1 else _three(number)


def span(low: float, high: float) -> str:
    """``4``, or ``1 to 64``: whole numbers from the least to the most."""
    return count(low) if low == high else f"{count(low)} to {count(high)}"


def listed(words: Sequence[str], joined: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``; "" for none. ``joined`` may be "or"."""
    *first, last = words or ("",)
    return f"{', '.join(first)} {joined} {last}" if first else last


def first_of(words: Sequence[str], most: int) -> str:
    """``a and b``; of more than ``most`` the first of them, as in ``a, b and 3 more``."""
    if len(words) <= most:
        return listed(words)
    return f"{', '.join(words[:most])} and {len(words) - most} more"


def percent(fraction: float) -> str:
    """``52 %`` for 0.52; one decimal below 10 %, two below 0.05 %."""
    if math.isnan(fraction):
        return UNKNOWN
    value = fraction * 100
    if 0 < abs(value) < 0.05:
        return f"{value:.2f}{PERCENT}" if abs(value) >= 0.005 else f"<0.01{PERCENT}"
    text = f"{value:.1f}" if 0 < abs(value) < 9.95 else f"{value:.0f}"
    return f"{text.removesuffix('.0')}{PERCENT}"


def percents(low: float, high: float) -> str:
    """``3 to 5 %``; ``3 %`` where both ends read alike."""
    least, most = percent(low), percent(high)
    return most if least == most else f"{least.removesuffix(PERCENT)} to {most}"


def price(amount: float) -> str:
    """``0.0084``, ``1.5``, ``420``, ``12,400``: three figures of an amount of any money."""
    if math.isnan(amount):
        return UNKNOWN
    places = 2 - math.floor(math.log10(amount)) if amount > 0 else 0
    text = f"{amount:,.{max(0, places)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def setting(value: str) -> str:
    """``90`` for a server's 90.000000; what is no decimal fraction stays as it is."""
    return value.rstrip("0").rstrip(".") if _DECIMAL.fullmatch(value) else value


def times(factor: float) -> str:
    """``1.46×``: a ratio."""
    if math.isnan(factor):
        return UNKNOWN
    return f"{_three(factor)}×"


def is_narrow(value: float, low: float, high: float) -> bool:
    """Whether a figure's range is narrow enough for a third digit, and for a ± beside it."""
    return high - low <= 2 * NARROW * abs(value)


def with_range(value: float, low: float, high: float, say: Say, ends: Say | None = None) -> str:
    """``51 k reads/s (28 to 104 k/s)``: a figure and its bounds; see ``ranged``.

    Bounds that read like the figure are not said.
    """
    if say(low) == say(value) == say(high):
        return say(value)
    figure, first, last = ranged(value, low, high, say, ends)
    return f"{figure} ({first} to {last})"


def ranged(
    value: float, low: float, high: float, say: Say, ends: Say | None = None
) -> tuple[str, str, str]:
    """A figure and its bounds as they stand beside each other: ``5.7 ms``, ``3.4``, ``9.4 ms``.

    ``say`` writes the figure, ``ends`` the bounds where these are written otherwise. No digit is
    written that the range denies: where it is not narrow, two digits matter, and the unit is the
    figure's. What is far from it has a unit of its own. A range that nobody knows denies nothing.
    """
    ends = ends or say
    texts = say(value), ends(low), ends(high)
    if is_narrow(value, low, high) or math.isnan(high - low):
        return _one_unit(*texts)
    own, other = _NUMBER.fullmatch(texts[0]), _NUMBER.fullmatch(ends(value))
    scale = _scale(value, own)
    if own is None or other is None or scale is None or not 0 <= low <= high < math.inf:
        return _one_unit(*map(_rough, texts))
    most = max(len(found[2] or "") for text in texts if (found := _NUMBER.fullmatch(text)))
    place = _second_place(value * scale)
    figure = _to(value * scale, place, most) + own[3]
    if 0 < low * scale < 10.0 ** (place - 1):
        return figure, _rough(texts[1]), _rough(texts[2])
    first, last = (
        _to(each * scale, min(_second_place(each * scale), max(0, place)), most)
        for each in (low, high)
    )
    return figure, first, last + other[3]


def _one_unit(figure: str, low: str, high: str) -> tuple[str, str, str]:
    """The same with the low end's unit left out where it is the high end's."""
    first, last = _NUMBER.fullmatch(low), _NUMBER.fullmatch(high)
    alike = first is not None and last is not None and first[3] == last[3]
    return figure, first[1] if first and alike else low, high


def _scale(value: float, written: re.Match[str] | None) -> float | None:
    """What the written number is of the value: the power that its unit stands for."""
    if written is None or value <= 0 or not math.isfinite(value):
        return None
    ratio = float(written[1].replace(",", "")) / value
    scale = min(_UNITS, key=lambda each: abs(each / ratio - 1) if ratio else math.inf)
    return scale if ratio and abs(scale / ratio - 1) < 0.1 else None


def _second_place(number: float) -> int:
    """The power of ten of its second digit that matters."""
    return math.floor(math.log10(float(f"{number:.1e}"))) - 1 if number > 0 else 0


def _to(number: float, place: int, most: int) -> str:
    """Round to a power of ten, with ``most`` digits after the point at most."""
    return f"{round(number, -place):,.{min(most, max(0, -place))}f}"


def _rough(text: str) -> str:
    """A written figure with two digits that matter; one of two units stays as it is."""
    found = _NUMBER.fullmatch(text)
    if found is None:
        return text
    number = float(found[1].replace(",", ""))
    return _to(number, _second_place(number), len(found[2] or "")) + found[3]


def _parts(large: int, unit: str, small: int, sub_unit: str) -> str:
    """``2 min 05 s``, or ``2 min`` where nothing is left over."""
    return f"{large}{THIN}{unit}" + (f" {small:02}{THIN}{sub_unit}" if small else "")


def _scaled(value: float, base: int, units: tuple[str, ...]) -> tuple[float, str]:
    """Divide down to the largest unit in which the three-digit form is at least 1."""
    index = 0
    # What is far below rounds to less as well.
    while value > base / 2 and _rounded(value) >= base and index < len(units) - 1:
        value /= base
        index += 1
    return value, units[index]


def _rounded(value: float) -> float:
    """Round to three significant digits, so that 999.7 counts as 1000; larger keep all digits."""
    if value == 0 or not math.isfinite(value):
        return value
    return round(value, _places(value))


def _short(value: float) -> str:
    """Print a whole value as it is (``16``), any other with three significant digits (``1.50``)."""
    return f"{value:.0f}" if math.isclose(value, round(value), rel_tol=1e-12) else _three(value)


def _three(value: float) -> str:
    """Print three significant digits, or all digits of a larger value."""
    value = _rounded(value)
    if value == 0 or not math.isfinite(value):
        return f"{value:.0f}"
    return f"{value:.{_places(value)}f}"


def _places(value: float) -> int:
    """How many decimal places leave three significant digits of a finite value, not 0."""
    size = abs(value)
    if size >= 1:
        return 0 if size >= 100 else 1 if size >= 10 else 2
    return 2 - math.floor(math.log10(size))
