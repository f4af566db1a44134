"""The look from another version as text."""

from __future__ import annotations

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from advisor.report.lens_words import Told, headline, sections
from advisor.report.sections import INDENT, section
from advisor.upgrade.lens import LensReport


def lens_parts(report: LensReport) -> list[RenderableType]:
    """What another version of the server would change; all other advice is for that version."""
    head: list[RenderableType] = [Text(headline(report))]
    head += [Text(f"• {sentence}") for sentence in report.warnings]
    parts = section(f"Seen as {report.after}", head)
    for title, told in sections(report):
        parts += section(title, [part for each in told for part in _told(each)])
    return parts


def _told(each: Told) -> list[RenderableType]:
    note = (f"  ({each.note})", "dim") if each.note else ""
    if len(each.text) < 60:
        return [Text.assemble("• ", (each.what, "bold"), f"  {each.text}", note)]
    return [Text.assemble("• ", (each.what, "bold"), note), Padding(Text(each.text), INDENT)]
