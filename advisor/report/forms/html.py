"""A document as one HTML file: no network, no scripts, light and dark, to be printed.

Everything is escaped by the template engine itself; nothing here or in the templates opts out.
"""

from __future__ import annotations

import base64
import re
from functools import cache
from importlib import resources

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from advisor.report.document import plot as plane
from advisor.report.document.blocks import Document
from advisor.report.document.cover import Logo
from advisor.report.safe_text import visible


def page(document: Document) -> str:
    """A document as the text of a file."""
    return (
        _environment()
        .get_template("document.html")
        .render(document=document, logo=_address(document.cover.logo))
    )


def drawn(name: str, value: object) -> str:
    """A drawing as an SVG that stands alone, in the colours of paper.

    ``name`` is a macro of ``drawings.html``: ``plot``, ``bar``, or ``sign`` of a line's number.
    """
    environment = _environment()
    made = str(getattr(environment.get_template("drawings.html").module, name)(value)).strip()
    head, tag, inside = made.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg"{tag}<style>{_paper_style()}</style>{inside}'


@cache
def _paper_style() -> str:
    """How drawings look, each colour in its place: what reads them alone knows no variables."""
    colours: dict[str, str] = {}
    for name, colour in re.findall(r"--(\w+): (#\w+)", _template("document.css")):
        # The first is that of a light ground.
        colours.setdefault(name, colour)
    style = re.sub(r"var\(--(\w+)\)", lambda at: colours[at[1]], _template("drawings.css"))
    # Two plots stand beside each other on a sheet: what is written in them must still be read.
    return f"{style}text {{ font-family: Inter; font-size: 13.5px; }} .head {{ font-size: 15px; }}"


def shown(value: object) -> object:
    """Text without characters that nobody sees: they could end or turn around what is shown."""
    if isinstance(value, Markup) or not isinstance(value, str):
        # What the templates made themselves was looked at piece by piece.
        return value
    return visible(value)


def _address(logo: Logo | None) -> str:
    """The picture itself as an address: the page names no other file."""
    if logo is None:
        return ""
    return f"data:{logo.kind.value};base64,{base64.b64encode(logo.content).decode()}"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(_template),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["kind"] = lambda block: type(block).__name__
    environment.globals["plane"] = {
        "width": plane.WIDTH,
        "height": plane.HEIGHT,
        "left": plane.LEFT,
        "right": plane.WIDTH - plane.RIGHT,
        "top": plane.TOP,
        "bottom": plane.HEIGHT - plane.BOTTOM,
    }
    return environment


def _template(name: str) -> str:
    return (resources.files("resources") / "report" / name).read_text(encoding="utf-8")
