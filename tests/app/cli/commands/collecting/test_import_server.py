"""A server's texts become a target, and every command that judges one takes it."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

from click.testing import CliRunner

from advisor.store.store import Store
from app.cli.main import cli
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from tests.app.cli.forked import Done
from tests.probes.texts.recorded import SERVER_TEXTS

Leadline = Callable[..., Done]


def text(name: str) -> str:
    return str(SERVER_TEXTS / name)


def plain(printed: str) -> str:
    return " ".join(printed.replace("\u202f", " ").split())


def test_consultants_walk_from_a_mail_to_a_report(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    sent = ("status2.txt", "my.cnf", "variables.txt", "status1.txt")
    done = leadline("import", *map(text, sent), "--as", "shop", "--memory", "24G", "--cpus", "2")
    assert done.code == 0, done.stderr
    printed = plain(done.stdout)
    assert "Run 1: shop (2 statuses over 10 s)" in printed
    assert "the first question: whether the buffer pool is large enough: SELECT SUM" in printed
    advised = plain(leadline("advise", "shop").stdout)
    assert "MySQL 8.0.33 · buffer pool 32 MiB" in advised
    assert "innodb_buffer_pool_size = 1G (my.cnf, line 5)" in advised
    assert "leadline check" not in advised
    report = tmp_path / "shop.html"
    assert leadline("report", "shop", "-o", str(report)).code == 0
    assert "24 GiB" in report.read_text().replace("\u202f", " ")
    listed = leadline("targets", "list").stdout
    assert "known from texts (24" in listed


def test_one_status_is_a_mean_that_decides_nothing_of_now(leadline: Leadline, home: Path) -> None:
    status = home.parent / "status.txt"
    status.write_text(
        Path(text("status2.txt")).read_text().replace("\nUptime\t", "\nUptime\t90000")
    )
    done = leadline("import", text("variables.txt"), str(status), "--as", "shop", "--json")
    document = json.loads(done.stdout)
    assert (document["statuses"], document["since_start"]) == (1, True)
    assert document["seconds"] > 86_400
    assert "watch" in [each["fact"] for each in document["lacks"]]
    advised = json.loads(leadline("advise", "shop", "--json").stdout)
    assert "a mean since the server's start" in json.dumps(advised)
    shown = plain(leadline("advise", "shop").stdout)
    assert "a second SHOW GLOBAL STATUS, a minute later" in shown or "SELECT SUM" in shown


def test_folder_and_archive_are_read_alike(leadline: Leadline, home: Path, tmp_path: Path) -> None:
    packed = tmp_path / "db7.zip"
    with zipfile.ZipFile(packed, "w") as archive:
        for file in SERVER_TEXTS.iterdir():
            archive.write(file, f"db7/{file.name}")
    assert leadline("import", str(SERVER_TEXTS), "--as", "one").code == 0
    assert leadline("import", str(packed), "--as", "other").code == 0
    with Store.open() as store:
        one, other = (store.raw_inventory(store.runs(name)[0].id) for name in ("one", "other"))
        same = one.answers.keys() & other.answers.keys() - {"mysql.option_files"}
        assert {name: one.answers[name] for name in same} == {
            name: other.answers[name] for name in same
        }
        assert "agent.inventory" in same


def test_target_that_can_be_reached_stays_so(leadline: Leadline, home: Path) -> None:
    reached = TargetSpec(TargetKind.SSH, "db7", ssh=SshAddress("db7"))
    with Store.open() as store:
        store.save_target(reached)
    assert leadline("import", text("variables.txt"), "--as", "db7").code == 0
    with Store.open() as store:
        assert store.target("db7") == reached
        assert store.run_target(1).kind is TargetKind.TEXTS


def test_nobody_is_connected_to_by_its_name(leadline: Leadline, home: Path) -> None:
    leadline("import", text("variables.txt"), "--as", "shop")
    for command in ("watch", "check"):
        done = leadline(command, "shop")
        assert done.code == 2
        assert "shop is known from texts alone" in plain(done.stderr)


def test_what_is_no_servers_is_refused_in_a_sentence(
    leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    mail = tmp_path / "mail.txt"
    mail.write_text("our database is slow\n")
    done = leadline("import", str(mail), "--as", "shop")
    assert done.code != 0
    assert "None of the texts says anything of a server." in plain(done.stderr)
    done = leadline("import", text("variables.txt"), "--memory", "64G")
    assert "need --as" in plain(done.stderr)
    done = leadline("import", text("variables.txt"), "--as", "local")
    assert "means this computer" in plain(done.stderr)
    with Store.open() as store:
        assert not store.runs()


def test_import_without_as_says_how(leadline: Leadline, home: Path) -> None:
    done = leadline("import", text("variables.txt"))
    assert done.code != 0
    assert "--as" in done.stderr


def test_what_is_piped_in_is_read(home: Path) -> None:
    given = Path(text("variables.txt")).read_text()
    words = ["import", "-", "--as", "shop"]
    done = CliRunner().invoke(cli, words, input=given, prog_name="leadline")
    assert done.return_value == 0, (done.exception, done.stderr)
    assert "clipboard: 603 variables" in done.stdout


def test_version_that_is_none_is_refused(leadline: Leadline, home: Path) -> None:
    done = leadline("import", text("status2.txt"), "--as", "shop", "--version", "eight")
    assert done.code == 2
    assert "'eight' is no version of MySQL or MariaDB." in plain(done.stderr)
    done = leadline("import", text("status2.txt"), "--as", "shop")
    assert "--version 8.0.36" in plain(done.stderr)
    assert leadline("import", text("status2.txt"), "--as", "shop", "--version", "8.0.33").code == 0
