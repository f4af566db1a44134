"""A report for a client is one file; of a run, a target, or a case file."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from advisor.store.store import Store
from advisor.target_names import LOCAL
from tests.advisor.report.forms.pdf_reading import Pdf
from tests.advisor.report.json.schema import faults
from tests.app.cli.forked import Done
from tests.app.cli.kept import RULE, keep

Leadline = Callable[..., Done]
ROOT = Path(__file__).resolve().parents[3]


def test_every_form_of_a_run_and_of_its_case_file(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        keep(store)
    case = str(tmp_path / "db7.leadline")
    assert leadline("case", "export", "db7", case).code == 0
    for ending in (".html", ".md", ".json"):
        file, again = tmp_path / f"client{ending}", tmp_path / f"again{ending}"
        done = leadline("report", "db7", "-o", str(file))
        assert (done.code, done.stdout) == (0, f"Written to {file}.\n")
        assert leadline("report", case, "-o", str(again)).code == 0
        text = file.read_text("utf-8")
        assert (RULE if ending == ".json" else "innodb_io_capacity") in text
        assert "RESET PERSIST IF EXISTS innodb_io_capacity;" in text or ending == ".json"
        if ending != ".json":
            assert again.read_text("utf-8") == text
    content = json.loads(text)
    assert faults(content) == []
    assert content["change_plan"]["actions"]


def test_a_case_of_the_senders_own_computer_is_called_as_its_file(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        keep(store, LOCAL)
    case, file = str(tmp_path / "shop.leadline"), tmp_path / "client.md"
    assert leadline("case", "export", LOCAL, case).code == 0
    assert leadline("report", case, "-o", str(file)).code == 0
    text = file.read_text("utf-8")
    assert text.startswith("# Storage and InnoDB advice for shop\n")
    assert "-- Leadline: changes for shop (" in text


def test_rules_and_version_are_chosen_as_for_advise(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        keep(store)
    file = tmp_path / "client.json"

    def planned(*options: str) -> set[str]:
        assert leadline("report", "db7", "-o", str(file), *options).code == 0
        actions = json.loads(file.read_text("utf-8"))["change_plan"]["actions"]
        return {rule for action in actions for rule in action["rules"]}

    assert planned("--only", RULE) == {RULE}
    assert RULE in planned()
    assert RULE not in planned("--without", RULE)
    planned("--as", "mysql-8.4")
    content = json.loads(file.read_text("utf-8"))
    assert faults(content) == []
    assert content["lens"]["after"].startswith("MySQL 8.4")
    assert content["change_plan"]["server"].startswith("MySQL 8.4")
    refused = leadline("report", "db7", "-o", str(file), "--only", "flushing.nothing")
    assert refused.code == 2
    assert "recommends nothing for this case" in refused.stderr


def test_mistakes_are_told_before_anything_is_written(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        keep(store)
    assert leadline("report", "db7").code == 2
    wrong = leadline("report", "db7", "-o", str(tmp_path / "client.doc"))
    assert wrong.code == 2
    assert "End its name in .html, .pdf, .md or .json." in wrong.stderr
    logo = leadline("report", "db7", "-o", str(tmp_path / "client.pdf"), "--logo", __file__)
    assert logo.code == 2
    assert logo.stderr.startswith(f"The logo {__file__} is neither PNG nor SVG.")
    named = leadline("report", "db7", "-o", str(tmp_path / "client.json"), "--hide-names")
    assert (named.code, "names its hosts" in named.stderr) == (2, True)
    missing = leadline("report", "99", "-o", str(tmp_path / "client.html"))
    assert missing.code == 2
    assert list(tmp_path.glob("client*")) == []


def test_a_pdf_of_chosen_paper_beside_the_page(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        keep(store)
    page, paper = tmp_path / "client.html", tmp_path / "client.pdf"
    named = ("--client", "Example Shop", "--author", "Jo", "--date", "1 May 2026")
    done = leadline(
        "report", "db7", "-o", str(page), "--pdf", str(paper), "--paper", "letter", *named
    )
    assert (done.code, done.stdout) == (0, f"Written to {page}.\nWritten to {paper}.\n")
    for said in ("Example Shop", "Jo", "1 May 2026"):
        assert f"<dd>{said}</dd>" in page.read_text("utf-8")
    pdf = Pdf(paper.read_bytes())
    assert pdf.size == (612, 792)
    assert [text for level, text, _ in pdf.outline() if level == 1][:2] == [
        "What to decide",
        "Risks",
    ]


def test_a_pdf_needs_no_window(home: Path, tmp_path: Path) -> None:
    with Store.open() as store:
        keep(store)
    paper = tmp_path / "client.pdf"
    without = "import sys; sys.modules['PySide6'] = None; from app.__main__ import main; main()"
    command = [sys.executable, "-c", without, "report", "db7", "-o", str(paper)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert Pdf(paper.read_bytes()).outline()


def test_several_servers_are_one_report_with_words_beside_advice(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    with Store.open() as store:
        for target in ("db7", "db8"):
            keep(store, target)
    file = tmp_path / "both.md"
    own = ("--words", f"{RULE}=Seen in March, too.", "--who", f"{RULE}=Ada")
    done = leadline("report", "db7", "db8", "-o", str(file), "--author", "Jo", *own)
    assert (done.code, done.stderr) == (0, "")
    text = file.read_text("utf-8")
    assert text.count("**Jo:** Seen in March, too.") == 2
    assert text.index("## db7") < text.index("## db8") < text.index("## Terms")
    refused = leadline("report", "db7", "db8", "-o", str(tmp_path / "both.json"))
    assert (refused.code, "A JSON document is of one run." in refused.stderr) == (2, True)
    elsewhere = leadline("report", "db7", "-o", str(file), "--words", "redo.nothing=x")
    assert (elsewhere.code, "redo.nothing is no advice here" in elsewhere.stderr) == (0, True)
    wrong = leadline("report", "db7", "-o", str(file), "--words", "redo.capacity")
    assert (wrong.code, "RULE=TEXT" in wrong.stderr) == (2, True)


def test_without_what_lays_pages_out_html_is_named(home: Path, tmp_path: Path) -> None:
    with Store.open() as store:
        keep(store)
    without = "import sys; sys.modules['typst'] = None; from app.__main__ import main; main()"
    command = [sys.executable, "-c", without, "report", "db7", "-o"]
    done = subprocess.run(
        [*command, str(tmp_path / "client.pdf")],
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert done.returncode == 2
    assert "leadline[pdf]" in done.stderr
    assert "write .html" in done.stderr
    assert not (tmp_path / "client.pdf").exists()
    file = str(tmp_path / "client.html")
    assert subprocess.run([*command, file], cwd=ROOT, check=False).returncode == 0
