"""What comes from a server can't steer a terminal, nor turn around what stands beside it."""

from __future__ import annotations

import io

from rich.console import Console
from rich.table import Table
from rich.text import Text

from advisor.report.document.blocks import text
from advisor.report.forms.safe_console import SafeConsole
from advisor.report.forms.text import page
from advisor.report.safe_text import visible

HOSTILE = "a\x1b[2Jb\x07c\x9bd\u202ee\x00f\udcffg"
SHOWN = "a\ufffd[2Jb\ufffdc\ufffdd\ufffde\ufffdf\ufffdg"


def test_only_what_can_be_seen_stays() -> None:
    assert visible(HOSTILE) == SHOWN
    assert visible("two\nlines\tand 5\u00a0ms → fine") == "two\nlines\tand 5\u00a0ms → fine"


def test_a_terminal_gets_the_console_s_own_codes_alone() -> None:
    file = io.StringIO()
    console = SafeConsole(file=file, force_terminal=True, color_system="standard", width=60)
    table = Table("name")
    table.add_row(Text(HOSTILE))
    console.print(table)
    console.print(Text(HOSTILE, style="red"), HOSTILE, soft_wrap=True)
    said = file.getvalue()
    assert "\x1b[31m" in said
    assert said.count("\x1b") == rich_says(HOSTILE.translate(dict.fromkeys((0, 7, 27, 0x9B))))
    for sign in ("\x1b[2J", "\x07", "\x9b", "\u202e", "\x00"):
        assert sign not in said


def rich_says(text: str) -> int:
    """How many codes rich itself writes for the same with a tame text."""
    file = io.StringIO()
    console = Console(file=file, force_terminal=True, color_system="standard", width=60)
    table = Table("name")
    table.add_row(Text(text))
    console.print(table)
    console.print(Text(text, style="red"), text, soft_wrap=True)
    return file.getvalue().count("\x1b")


def test_a_file_gets_none_at_all() -> None:
    assert "\x1b" not in page([text(HOSTILE)])
