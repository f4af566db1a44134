"""Every colour, distance and type size of the window; style sheet and charts read them from here.

Distances and type sizes are device-independent pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

SPACE_XS = 4
SPACE_S = 8
SPACE_M = 12
SPACE_L = 16
SPACE_XL = 24

CORNER = 6
CONTROL_HEIGHT = 32
SEARCH_HEIGHT = 30
SIDEBAR_WIDTH = 248
ICON = 16

TYPE_SMALL = 12
TYPE_BODY = 13
TYPE_SENTENCE = 16
TYPE_FIGURE = 20

UI_FONT = "Inter"
FIXED_FONTS = (
    "JetBrains Mono",
    "Cascadia Mono",
    "SF Mono",
    "Menlo",
    "DejaVu Sans Mono",
    "monospace",
)


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one appearance, as ``#rrggbb``.

    ``text`` and ``quiet`` stand on ``ground``, ``panel`` and ``raised``; ``on_accent`` stands on
    ``accent``, ``on_bad`` on ``bad``. ``series`` are distinct to colour-blind eyes too (Okabe
    and Ito's set, darkened or lightened until each reaches 3:1 on the ground). ``seventh`` and
    ``eighth``, darker or lighter than all six, stand beside them for a server's kinds of files.
    """

    dark: bool
    ground: str
    panel: str
    raised: str
    line: str
    strong_line: str
    grid: str
    text: str
    quiet: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_soft: str
    on_accent: str
    good: str
    warn: str
    bad: str
    bad_hover: str
    bad_pressed: str
    on_bad: str
    good_soft: str
    warn_soft: str
    bad_soft: str
    hover: str
    series: tuple[str, ...]
    seventh: str
    eighth: str
    growing: str

    def toned(self, tone: str) -> str:
        """The colour of a tone: one of these by its name, or ``series:N``."""
        if tone.startswith("series:"):
            return self.series[int(tone.removeprefix("series:")) % len(self.series)]
        colour: str = getattr(self, tone)
        return colour


LIGHT = Palette(
    dark=False,
    ground="#ffffff",
    panel="#f5f7f9",
    raised="#ffffff",
    line="#dfe4e9",
    strong_line="#8593a1",
    grid="#e9edf1",
    text="#1b2733",
    quiet="#55616e",
    accent="#0b6e82",
    accent_hover="#095c6d",
    accent_pressed="#074b59",
    accent_soft="#e0f0f3",
    on_accent="#ffffff",
    good="#1a7046",
    warn="#8a5800",
    bad="#b3261e",
    bad_hover="#98201a",
    bad_pressed="#7d1a15",
    on_bad="#ffffff",
    good_soft="#e4f3ea",
    warn_soft="#fbf0da",
    bad_soft="#fbe9e7",
    hover="#ebeff3",
    series=("#0072b2", "#d55e00", "#008a63", "#b8508f", "#a87400", "#3a8fc0"),
    seventh="#4b2a8c",
    eighth="#5a2a00",
    growing="#8593a1",
)

DARK = Palette(
    dark=True,
    ground="#14191f",
    panel="#1b222a",
    raised="#222b35",
    line="#303a45",
    strong_line="#6f7d8b",
    grid="#252e38",
    text="#e6ebf0",
    quiet="#a3b0bd",
    accent="#43c2d6",
    accent_hover="#68d0e0",
    accent_pressed="#8bdce8",
    accent_soft="#173b44",
    on_accent="#08242a",
    good="#5cc38d",
    warn="#e3b341",
    bad="#f2867e",
    bad_hover="#f59d97",
    bad_pressed="#f8b5b0",
    on_bad="#2b0b09",
    good_soft="#16342a",
    warn_soft="#3a2f16",
    bad_soft="#40211f",
    hover="#27313c",
    series=("#4fa3dc", "#f08a3c", "#35c39a", "#dc8fbd", "#e6b33c", "#8fcdf2"),
    seventh="#8f6fe8",
    eighth="#f4d9a0",
    growing="#7d8a97",
)

LIGHT_CONTRAST = Palette(
    dark=False,
    ground="#ffffff",
    panel="#ffffff",
    raised="#ffffff",
    line="#3a3a3a",
    strong_line="#000000",
    grid="#8a8a8a",
    text="#000000",
    quiet="#262626",
    accent="#003f8f",
    accent_hover="#002f6c",
    accent_pressed="#00214d",
    accent_soft="#dce8ff",
    on_accent="#ffffff",
    good="#004d24",
    warn="#5c3300",
    bad="#8a0000",
    bad_hover="#6b0000",
    bad_pressed="#500000",
    on_bad="#ffffff",
    good_soft="#e6fff0",
    warn_soft="#fff3dc",
    bad_soft="#ffe9e9",
    hover="#e6e6e6",
    series=("#00427a", "#8a3200", "#00523a", "#7a1050", "#5c4200", "#1f5c85"),
    seventh="#2b0f66",
    eighth="#2e1500",
    growing="#404040",
)

DARK_CONTRAST = Palette(
    dark=True,
    ground="#000000",
    panel="#000000",
    raised="#000000",
    line="#c8c8c8",
    strong_line="#ffffff",
    grid="#6e6e6e",
    text="#ffffff",
    quiet="#e6e6e6",
    accent="#5ce1ff",
    accent_hover="#8ceaff",
    accent_pressed="#b8f2ff",
    accent_soft="#003a47",
    on_accent="#000000",
    good="#6dffad",
    warn="#ffd84d",
    bad="#ff9a94",
    bad_hover="#ffb5b0",
    bad_pressed="#ffd0cd",
    on_bad="#000000",
    good_soft="#003319",
    warn_soft="#332700",
    bad_soft="#3d0a08",
    hover="#2e2e2e",
    series=("#7cc4ff", "#ffa866", "#5cf0c0", "#ffb0de", "#ffd166", "#c4e8ff"),
    seventh="#a58bff",
    eighth="#ffffff",
    growing="#bdbdbd",
)
"""For whom the others are too faint: every text reaches 7:1, every line and frame 3:1."""
