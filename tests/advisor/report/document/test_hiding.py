"""A report that shall name nobody names no host and no account, in any form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest

from advisor.compare import compare
from advisor.plan.change_plan import ChangePlan
from advisor.plan.planning import make_plan
from advisor.report.document.cover import NO_COVER, Cover
from advisor.report.document.hiding import HIDDEN, SHOWN, names_of, replacing
from advisor.report.document.templates import Paper
from advisor.report.forms.html import page
from advisor.report.forms.pdf import to_pdf
from advisor.report.report import Report
from advisor.report.sections.comparison_report import comparison_document
from advisor.report.sections.run_report import report_document
from advisor.upgrade.lens import LensReport
from probes.targets.address import MySQLAddress, SshAddress, TargetKind, TargetSpec
from tests.advisor.compare.contenders import contender, reads
from tests.advisor.report.builders import report, to_html, to_markdown
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.each import some_of

HIDE = Cover("Client of db7", anonymous=True)
SPEC = TargetSpec(
    TargetKind.SSH,
    "db7",
    SshAddress("db7.shop.example", user="ops"),
    MySQLAddress("10.1.2.3", user="app"),
)


def named() -> Report:
    told = report()
    host = told.case.inventory.host
    assert host is not None
    inventory = replace(
        told.case.inventory, host=replace(host, hostname="db7-primary.shop.example")
    )
    return replace(told, target=SPEC, case=replace(told.case, inventory=inventory))


def to_paper(report: Report, plan: ChangePlan, seen: LensReport | None, cover: Cover) -> str:
    pdf = Pdf(to_pdf(report_document(report, plan, seen, cover), Paper.A4))
    return " ".join(pdf.text(at) for at in range(1, len(pdf.pages) + 1)).replace("\n", " ")


@pytest.mark.parametrize("write", some_of([to_html, to_markdown, to_paper], 1))
def test_names_are_left_out_where_that_is_asked(write: Callable[..., str]) -> None:
    told = named()
    plan = make_plan(told.case, ())
    shown, hidden = (write(told, plan, None, cover) for cover in (NO_COVER, HIDE))
    assert SHOWN in shown
    assert "db7-primary" in shown.replace("\\", "")
    assert HIDDEN in hidden
    text = hidden.replace("Client of db7", "").replace("\\", "")
    for name in ("db7", "db7-primary", "shop.example", "10.1.2.3"):
        assert name not in text


def test_a_word_that_only_holds_a_name_stays() -> None:
    put = replacing({"vm": "host", "db7": "server", "db7-b": "other"})
    assert put("vm, vm.swappiness, rules.vm and vmx on db7-b, app@db7.") == (
        "host, vm.swappiness, rules.vm and vmx on other, app@server."
    )
    assert replacing({})("db7") == "db7"


def test_what_says_nothing_is_not_hidden() -> None:
    told = report()
    local = replace(told, target=TargetSpec(), case=replace(told.case, target="local"))
    assert "local" not in names_of(local)
    for everyday in ("data", "Server", "redo"):
        named = replace(told, target=TargetSpec(), case=replace(told.case, target=everyday))
        assert everyday not in names_of(named)


def test_a_comparison_names_no_machine() -> None:
    drives = [
        replace(
            contender(name, *reads({1: rate, 8: 4 * rate})),
            source="db7, a probe",
            run_id=at,
            drives=("db7 nvme0n1",),
        )
        for at, (name, rate) in enumerate((("Drive A", 100.0), ("Drive B", 200.0)), 1)
    ]
    found = compare(drives)
    assert "db7" in page(comparison_document(found))
    text = page(comparison_document(found, Cover(anonymous=True)))
    assert "db7" not in text
    assert re.search("Drive A.*Drive B", text, re.DOTALL)
