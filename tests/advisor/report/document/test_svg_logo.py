"""An SVG as a logo is one picture alone, and no more to draw than a logo is."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from pathlib import Path

import pytest

from advisor.report.document import templates
from advisor.report.document.cover import Cover, read_logo
from probes.errors import UsageError
from tests.advisor.report.document.test_cover import PNG, SVG

JPEG = b"\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x0b\x08" + struct.pack(">HH", 40, 60) + b"\x01\0\0\0"


def data(content: bytes, kind: str = "png") -> str:
    return f"data:image/{kind};base64,{base64.b64encode(content).decode()}"


def image(address: str, name: str = "href") -> str:
    return f'<image width="9" height="9" {name}="{address}"/>'


def doubled(levels: int, each: int = 2, shape: str = "<path d='M0 0'/>") -> str:
    """A group that uses the one before it so often, and that the one before, and so on."""
    groups = [f'<g id="g0">{shape}</g>']
    for level in range(1, levels + 1):
        uses = f'<use href="#g{level - 1}"/>' * each
        groups.append(f'<g id="g{level}">{uses}</g>')
    return "".join(groups)


def masked(levels: int, by: str) -> str:
    """Each mask has two shapes that the one before it is laid on."""
    found = ['<mask id="m0"><path d="M0 0"/></mask>']
    for level in range(1, levels + 1):
        laid = by.format(level - 1)
        found.append(f'<mask id="m{level}">{laid}{laid}</mask>')
    return "".join(found)


def png_of(width: int, height: int) -> bytes:
    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    lines = zlib.compress((b"\0" + b"\0" * width) * height)
    return PNG[:8] + chunk(b"IHDR", head) + chunk(b"IDAT", lines) + chunk(b"IEND", b"")


INNER = SVG.format(image("/etc/picture.png")).encode()
NOT_ALONE = {
    "an SVG inside": image(data(INNER, "svg+xml")),
    "an SVG inside by the old name": image(data(INNER, "svg+xml"), "xlink:href"),
    "an SVG that says it is a PNG": image(data(INNER)),
    "an SVG in letters": image("data:image/svg+xml,%3Csvg/%3E"),
    "a file": image("/etc/picture.png"),
    "a file after a blank": image(" /etc/picture.png"),
    "a file on another machine": image(r"\\host\share\x.png"),
    "a file behind a picture": image(data(PNG) + "/../../../etc/picture.png"),
    "an address": image("https://example.org/x.png"),
    "a picture of another kind": image(data(b"GIF89a", "gif")),
    "half a picture": image(data(PNG[:40])),
    "a JPEG without a frame": image(data(b"\xff\xd8\xff\xe0\0\x04ab\xff\xd9", "jpeg")),
    "no base64": image("data:image/png;base64,%41%41"),
    "an embedded picture of 9,000 pixels": image(data(png_of(9000, 1))),
    "a link that is set later": '<set attributeName="xlink:href" to="/etc/picture.png"/>',
    "a filter's picture": '<filter id="f"><feImage href="/etc/picture.png"/></filter>',
}
TOO_MUCH = {
    "30 levels of two": doubled(30),
    "8 levels of ten": doubled(8, 10),
    "300 levels of one": doubled(300, 1),
    "a group in itself": '<g id="a"><use href="#a"/></g>',
    "two in each other": '<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>',
    "masks of masks": masked(20, '<path mask="url(#m{})" d="M0 0"/>'),
    "masks of masks by style": masked(20, '<path style="mask:url(#m{})" d="M0 0"/>'),
    "masks by a style sheet": "<style>.a{mask:url('#m9')}</style>"
    + masked(9, '<path class="a" d="M0 0"/>'),
    "filters on many": '<filter id="f"/>' + '<path filter="url(#f)" d="M0 0"/>' * 300,
    "blurs on ten": '<filter id="f"><feGaussianBlur stdDeviation="50"/></filter>'
    + '<path filter="url(#f)" d="M0 0h9v9z"/>' * 10,
    "a marker on 5,000 corners": "<marker id='m'>"
    + "<path d='M0 0h9'/>" * 100
    + f'</marker><path marker-mid="url(#m)" d="M0 0{"h1v1" * 2500}"/>',
    "a large picture ten times": f'<g id="g0">{image(data(png_of(6000, 3000)))}</g>'
    + '<use href="#g0"/>' * 10,
    "groups 50,000 deep": "<g>" * 50_000 + "</g>" * 50_000,
    "a million letters, ten times": doubled(1, 10, f"<path d='{'M0 0' * 200_000}'/>"),
}
UNREADABLE = {
    "UTF-16 without a mark": '<!DOCTYPE s [<!ENTITY a "b">]><svg>&a;</svg>'.encode("utf-16-le"),
    "UTF-16 the other way": "<svg/>".encode("utf-16-be"),
    "another alphabet": b'<?xml version="1.0" encoding="cp037"?><svg/>',
    "seven bits": b"<?xml version='1.0' encoding='UTF-7'?><svg/>",
}
RIGHT = {
    "a PNG inside": image(data(PNG)),
    "a PNG on several lines": image(data(PNG).replace("AAAA", "AA\n AA")),
    "a JPEG inside": image(data(JPEG, "jpeg"), "xlink:href"),
    "shapes that are used again": doubled(6),
    "a mask and a style": "<style>.a{mask:url(#m0);fill:url(#l)}</style><linearGradient id='l'/>"
    + masked(1, '<path mask="url(#m{})" d="M0 0"/>')
    + "<path class='a' d='M0 0'/>",
    "a shadow": '<filter id="f"><feGaussianBlur stdDeviation="5"/><feOffset dx="1"/><feMerge/>'
    '</filter><path filter="url(#f)" d="M0 0h9v9z"/>',
    "arrows": '<marker id="m"><path d="M0 0h9"/></marker>'
    '<path marker-end="url(#m)" d="M0 0h9v9"/>' * 20,
    "a gradient of a gradient": '<linearGradient id="a" xlink:href="#b"/><linearGradient id="b"/>',
    "a use of nothing": '<use href="#nothing"/>',
    "a path of 500,000 letters": f"<path d='{'M0 0' * 125_000}'/>",
    "5,000 shapes": "<path d='M0 0h9'/>" * 5000,
}
XLINK = SVG.replace("<svg ", '<svg xmlns:xlink="http://www.w3.org/1999/xlink" ')


def read(folder: Path, content: bytes | str) -> None:
    file = folder / "logo.svg"
    file.write_bytes(content if isinstance(content, bytes) else XLINK.format(content).encode())
    read_logo(file)


@pytest.mark.parametrize("what", NOT_ALONE)
def test_what_names_other_files_is_refused(tmp_path: Path, what: str) -> None:
    with pytest.raises(UsageError, match=r"not a picture alone|embeds a picture") as told:
        read(tmp_path, NOT_ALONE[what])
    assert told.value.advice


@pytest.mark.parametrize("what", TOO_MUCH)
def test_what_would_take_long_to_draw_is_refused(tmp_path: Path, what: str) -> None:
    with pytest.raises(UsageError, match=r"too much to draw|refers to itself|deep in each other"):
        read(tmp_path, TOO_MUCH[what])


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_others_would_read_otherwise_is_none(tmp_path: Path, what: str) -> None:
    with pytest.raises(UsageError, match="neither PNG nor SVG"):
        read(tmp_path, UNREADABLE[what])


@pytest.mark.parametrize("what", RIGHT)
def test_a_picture_alone_is_taken(tmp_path: Path, what: str) -> None:
    read(tmp_path, RIGHT[what])


@pytest.mark.parametrize("encoding", ["UTF-8", "utf-8", "ISO-8859-1", "us-ascii"])
def test_a_usual_declaration_is_taken(tmp_path: Path, encoding: str) -> None:
    read(tmp_path, f'<?xml version="1.0" encoding="{encoding}"?>{SVG.format("")}'.encode())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (f"sections = {'[' * 3000}{']' * 3000}", "nested deeper"),
        (f"a = {'{b = ' * 3000}1{'}' * 3000}", "nested deeper"),
        (f"[{'.'.join('a' * 9000)}]", "which no template has"),
        ('logo = "~nobody-such/x"', "nobody here has the home directory ~nobody-such"),
    ],
)
def test_a_template_that_is_none_is_told(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "one.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=said):
        templates.read(file)


@pytest.mark.parametrize("logo", ["a\\u0000", "pipe", "folder", "/dev/zero"])
def test_a_template_s_logo_that_is_no_file_is_told(tmp_path: Path, logo: str) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    file = tmp_path / "one.toml"
    file.write_text(f'logo = "{logo}"')
    with pytest.raises(UsageError, match=r"is no (file|path of a logo)\."):
        templates.read(file).cover(Cover())


def test_a_template_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "one.toml")
    with pytest.raises(UsageError, match="is no file"):
        templates.read(tmp_path / "one.toml")
