"""Whether an SVG is one picture alone, and no more to draw than a logo is.

Programs that draw it follow what it names and repeat what it refers to: a picture of 3 KB can name
another file, or come to a billion shapes. Nothing is drawn here: what drawing takes is counted.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
from dataclasses import dataclass, field
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

MOST_PIXELS = 8000
"""Of a picture's width and height."""

MOST_WORK = 4 << 20
"""What all shapes may come to, each with its letters: some 50,000 of them (our choice)."""

DEEPEST = 100
"""How deep groups may lie in each other, those that are referred to with them."""

_ENCODINGS = {"utf-8", "us-ascii", "ascii", "iso-8859-1", "windows-1252"}
"""Those whose signs of mark-up are ASCII's: what is read here is what others read."""

_FOREIGN = {"script", "foreignObject", "iframe", "audio", "video"}
_GRADIENTS = {"linearGradient", "radialGradient", "solidColor"}
_OFF_SCREEN = {"filter", "mask", "pattern", "clipPath"}
_BLURS = {"feGaussianBlur", "feDropShadow", "feMorphology", "feTurbulence", "feConvolveMatrix"}
_A_SHAPE, _A_SHEET, _A_STEP, _A_BLUR, _PIXELS_A_UNIT = 20, 80_000, 80_000, 700_000, 16
"""The work of a shape, of a picture of its own beside the page, of a filter's step there, and of an
embedded picture's pixels. Set by Typst 0.15, all of it comes to less than a second."""

_DECLARED = re.compile(r"""\s*<\?xml[^>]*?\bencoding\s*=\s*["']([^"']*)""")
_DATA = re.compile(r"data:image/(png|jpe?g);base64,([A-Za-z0-9+/\s]+={0,2})\s*")
_REFERENCE = re.compile(r"url\(\s*[\"']?([^)\"']*)[\"']?\s*\)")
_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"


_NOT_ALONE = "is not a picture alone: it holds a script or names other files."
_LINKS = {"href", "src"}
_TOO_DEEP = f"has groups more than {DEEPEST} deep in each other."


class SvgError(ValueError):
    """Why it is no logo; its text follows "The logo FILE"."""


class NoSvgError(ValueError):
    """It is no SVG at all."""


def check_svg(content: bytes) -> None:
    """Raise NoSvgError for what is no SVG, SvgError for more than one picture alone."""
    root = _parsed(content)
    _check_depth(root)
    drawing = _Drawing({one.get("id", ""): one for one in root.iter()}, _of_styles(root))
    if drawing.effort(root).work > MOST_WORK:
        raise SvgError("is too much to draw: it repeats its shapes too often.")


def png_size(content: bytes) -> tuple[int, int]:
    """Width and height by its head; raises ValueError where that or its end is missing."""
    if len(content) < 33 or content[12:16] != b"IHDR" or b"IEND" not in content[-12:]:
        raise ValueError
    width, height = struct.unpack(">II", content[16:24])
    return int(width), int(height)


def _parsed(content: bytes) -> Element:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoSvgError from error
    declared = _DECLARED.match(text)
    if "\0" in text or (declared and declared[1].lower() not in _ENCODINGS):
        raise NoSvgError
    if "<!ENTITY" in text:
        raise SvgError("declares entities of its own.")
    try:
        root = ElementTree.fromstring(text.encode())  # noqa: S314 - it has no entity to expand
    except (ElementTree.ParseError, ValueError, LookupError) as error:
        raise NoSvgError from error
    if _plain(root.tag) != "svg":
        raise NoSvgError
    return root


def _check_depth(root: Element) -> None:
    """By a list, since a picture may be nested deeper than calls can be."""
    waiting = [(root, 0)]
    while waiting:
        element, depth = waiting.pop()
        if depth > DEEPEST:
            raise SvgError(_TOO_DEEP)
        waiting += [(child, depth + 1) for child in element]


@dataclass(frozen=True, slots=True)
class _Effort:
    """What an element takes to draw: work, and how deep what it holds and refers to goes."""

    work: int
    depth: int


@dataclass(slots=True)
class _Drawing:
    """The effort of each element with all that it refers to; each is reckoned once."""

    by_id: dict[str, Element]
    of_styles: tuple[str, ...]
    known: dict[Element, _Effort] = field(default_factory=dict)
    under_way: set[Element] = field(default_factory=set)

    def effort(self, element: Element) -> _Effort:
        if element in self.known:
            return self.known[element]
        if element in self.under_way:
            raise SvgError("refers to itself.")
        self.under_way.add(element)
        work, depth = self._own_work(element), 0
        for other in (*element, *self._referred(element)):
            if len(self.under_way) > DEEPEST:
                raise SvgError(_TOO_DEEP)
            within = self.effort(other)
            times = _corners(element) if _plain(other.tag) == "marker" else 1
            # A sum without end is cut: its digits would be the work.
            work = min(work + times * within.work, MOST_WORK + 1)
            depth = max(depth, within.depth + 1)
        if depth > DEEPEST:
            raise SvgError(_TOO_DEEP)
        self.under_way.discard(element)
        self.known[element] = _Effort(work, depth)
        return self.known[element]

    def _own_work(self, element: Element) -> int:
        letters = sum(map(len, element.attrib.values())) + len(element.text or "")
        beside = _beside_the_page(_plain(element.tag))
        return _A_SHAPE + letters + beside + _embedded(element) // _PIXELS_A_UNIT

    def _referred(self, element: Element) -> list[Element]:
        names: list[str] = []
        for name, value in element.attrib.items():
            if _plain(name) == "href" and value.strip().startswith("#"):
                names.append(value.strip())
            names += _REFERENCE.findall(value)
        if "class" in element.attrib:
            names += self.of_styles
        ids = (name.strip().removeprefix("#") for name in names)
        found = (self.by_id.get(each) for each in ids if each)
        return [one for one in found if one is not None and _plain(one.tag) not in _GRADIENTS]


def _corners(element: Element) -> int:
    """How many a path may have at most, each with a marker; a corner takes two letters."""
    return 1 + len(element.get("d", "") + element.get("points", "")) // 2


def _beside_the_page(name: str) -> int:
    """What is not drawn on the page itself, but with all of its pixels beside it."""
    if name in _BLURS:
        return _A_BLUR
    if name.startswith("fe"):
        return _A_STEP
    return _A_SHEET if name in _OFF_SCREEN else 0


def _embedded(element: Element) -> int:
    """The pixels that an element embeds; raises SvgError where it names anything else."""
    if _plain(element.tag) in _FOREIGN:
        raise SvgError(_NOT_ALONE)
    pixels = 0
    for name, value in element.attrib.items():
        if _plain(name) in _LINKS and not value.strip().startswith("#"):
            pixels += _pixels(value.strip())
        if _plain(name) == "attributeName" and value.strip().rpartition(":")[2] in _LINKS:
            raise SvgError(_NOT_ALONE)
    return pixels


def _of_styles(root: Element) -> tuple[str, ...]:
    """What style sheets refer to; any element of a class may be meant."""
    sheets = (element.text or "" for element in root.iter() if _plain(element.tag) == "style")
    return tuple(dict.fromkeys(name for sheet in sheets for name in _REFERENCE.findall(sheet)))


def _pixels(address: str) -> int:
    """How many an embedded PNG or JPEG has; by its bytes, for readers go by them, too."""
    match = _DATA.fullmatch(address)
    if match is None:
        raise SvgError(_NOT_ALONE)
    try:
        content = base64.b64decode("".join(match[2].split()), validate=True)
        width, height = png_size(content) if content.startswith(_PNG) else _jpeg_size(content)
    except (ValueError, binascii.Error, struct.error, IndexError) as error:
        raise SvgError("embeds a picture that is no whole PNG or JPEG.") from error
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise SvgError(f"embeds a picture of {width} by {height} pixels: too large.")
    return width * height


def _jpeg_size(content: bytes) -> tuple[int, int]:
    """By the first frame's head; ValueError, struct.error or IndexError where there is none."""
    if not content.startswith(_JPEG):
        raise ValueError
    at = 2
    while content[at] == 0xFF:
        kind, length = content[at + 1], struct.unpack(">H", content[at + 2 : at + 4])[0]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack(">HH", content[at + 5 : at + 9])
            return int(width), int(height)
        at += 2 + length
    raise ValueError


def _plain(tag: object) -> str:
    """The name without its namespace; comments have none."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
