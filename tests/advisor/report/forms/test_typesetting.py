"""Pages that a process of its own lays out."""

from __future__ import annotations

import struct
import sys

import pytest

from advisor.report.document.cover import Cover, Logo, LogoKind
from advisor.report.document.templates import Paper
from advisor.report.forms import typesetting
from advisor.report.forms.pdf import to_pages, to_pdf
from probes.errors import LeadlineError, UsageError
from tests.advisor.report.forms.documents import made, real
from tests.advisor.report.forms.pdf_reading import Pdf


def test_the_same_document_gives_the_same_bytes_and_pictures() -> None:
    document = real()
    pages = to_pages(document, Paper.A4, 36)
    assert pages.pdf == to_pdf(document, Paper.A4)
    assert pages.pdf != to_pdf(document, Paper.LETTER)
    assert len(pages.pictures) == len(Pdf(pages.pdf).pages)
    for picture in pages.pictures:
        assert struct.unpack(">II", picture[16:24]) == (298, 421)


def test_a_process_that_ends_before_the_pages_are_there_is_no_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ending = [sys.executable, "-c", "raise SystemExit(3)"]
    monkeypatch.setattr(typesetting, "_command", lambda: ending)
    with pytest.raises(LeadlineError, match="the process that lays it out ended with 3"):
        to_pages(made(), Paper.A4, 36)


def test_a_logo_that_cannot_be_drawn_is_refused_by_the_other_process_as_well() -> None:
    broken = Cover(logo=Logo(LogoKind.SVG, b"<svg>"))
    with pytest.raises(UsageError, match="The logo can't be drawn"):
        to_pages(made(cover=broken), Paper.A4, 36)


def test_a_frozen_program_lays_out_what_it_is_started_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    frozen = "import sys; sys.frozen = True; from app.__main__ import main; main()"
    monkeypatch.setattr(
        typesetting, "_command", lambda: [sys.executable, "-c", frozen, typesetting.TYPESET]
    )
    assert to_pages(made(), Paper.A4, 36).pdf == to_pdf(made(), Paper.A4)
