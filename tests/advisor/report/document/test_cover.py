"""A cover takes what was typed; a logo is a picture that stands alone, or a clear sentence."""

from __future__ import annotations

import base64
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from advisor.plan.planning import make_plan
from advisor.report.document.cover import Cover, LogoKind, day, read_logo
from probes.errors import UsageError
from tests.advisor.report.builders import report, to_html

SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{}</svg>'
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJg"
    "gg=="
)
HUGE = PNG[:16] + struct.pack(">II", 90_000, 1) + PNG[24:]


def logo(tmp_path: Path, content: bytes) -> Path:
    file = tmp_path / "logo"
    file.write_bytes(content)
    return file


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (PNG, LogoKind.PNG),
        (SVG.format("<path d='M0 0'/><!-- made by hand -->").encode(), LogoKind.SVG),
        (f"\ufeff<?xml version='1.0'?>{SVG.format('')}".encode(), LogoKind.SVG),
    ],
)
def test_a_picture_is_kept_as_it_is(tmp_path: Path, content: bytes, kind: LogoKind) -> None:
    found = read_logo(logo(tmp_path, content))
    assert (found.kind, found.content) == (kind, content)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "neither PNG nor SVG"),
        (b"GIF89a", "neither PNG nor SVG"),
        (b"<svg", "neither PNG nor SVG"),
        (b"<html/>", "neither PNG nor SVG"),
        (b'<?xml version="1.0" encoding="none"?><svg/>', "neither PNG nor SVG"),
        (PNG[:40], "not a whole PNG file"),
        (HUGE, "90000 by 1 pixels"),
        (PNG + b"x" * (2 << 20), "larger than 2 MiB"),
        (SVG.format("<script>1</script>").encode(), "not a picture alone"),
        (SVG.format('<image href="file:///etc/passwd"/>').encode(), "not a picture alone"),
        (b'<!DOCTYPE s [<!ENTITY a "b">]>' + SVG.format("&a;").encode(), "entities of its own"),
    ],
)
def test_what_is_none_is_told(tmp_path: Path, content: bytes, said: str) -> None:
    with pytest.raises(UsageError, match=said) as told:
        read_logo(logo(tmp_path, content))
    assert told.value.advice


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="can't be read: No such file"):
        Cover().with_logo(str(tmp_path / "nowhere.png"))
    with pytest.raises(UsageError, match="nobody here has the home directory ~no-such-account"):
        Cover().with_logo("~no-such-account/logo.png")


def test_lines_are_as_typed_or_told() -> None:
    made = Cover("  Example \n Shop ", "Jo", contact="1  2").with_logo(" ").of_lines()
    assert made == Cover("Example Shop", "Jo", contact="1 2")
    assert made.rows == (
        ("client", "Example Shop"),
        ("author", "Jo"),
        ("contact", "1 2"),
    )
    for client, said in (("x" * 121, "longer than 120"), ("a\x07", "control characters")):
        with pytest.raises(UsageError, match=said):
            Cover(client).of_lines()
        with pytest.raises(UsageError, match=said):
            Cover(confidential=client).of_lines()
    assert day(datetime(2026, 5, 1, tzinfo=UTC)) == "1 May 2026"


def test_the_page_holds_the_logo_itself(tmp_path: Path) -> None:
    told = report()
    cover = Cover("Example <Shop>").with_logo(str(logo(tmp_path, PNG)))
    text = to_html(told, make_plan(told.case, ()), None, cover)
    assert f'src="data:image/png;base64,{base64.b64encode(PNG).decode()}"' in text
    assert "<dd>Example &lt;Shop&gt;</dd>" in text
    assert "img-src data:" in text
    assert "<img" not in to_html(told, make_plan(told.case, ()))
