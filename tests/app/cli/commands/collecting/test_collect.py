"""``leadline collect`` and what becomes of the archive: the client's DBA, then the consultant."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.run import RunKind, RunState
from advisor.store.store import Store
from tests.app.cli.forked import Done
from tests.probes.collection.shells import CLIENT
from tests.servers.mysql97 import MySQL

Leadline = Callable[..., Done]


def test_the_script_is_printed_or_written(leadline: Leadline, tmp_path: Path) -> None:
    printed = leadline("collect", "--seconds", "5")
    assert printed.code == 0
    assert printed.stdout.startswith("#!/bin/sh\n")
    file = tmp_path / "collect.sh"
    done = leadline("collect", "--seconds", "5", "-o", str(file))
    assert done.code == 0
    assert file.read_text() == printed.stdout
    assert "seconds=5 " in printed.stdout


def test_the_statements_are_of_a_family(leadline: Leadline) -> None:
    mysql, mariadb = (
        leadline("collect", "--sql", "--for", each).stdout for each in ("mysql", "mariadb")
    )
    assert "performance_schema.variables_info" in mysql
    assert "information_schema.SYSTEM_VARIABLES" in " ".join(mariadb.split())
    refused = leadline("collect", "--for", "mariadb")
    assert refused.code == 2
    assert "--for belongs to --sql" in refused.stderr


def test_from_the_script_to_advice(
    leadline: Leadline, home: Path, mysql97: MySQL, tmp_path: Path
) -> None:
    """A DBA runs what was sent, and mails the archive; a consultant imports it and reads."""
    script = tmp_path / "collect.sh"
    assert leadline("collect", "-o", str(script)).code == 0
    argv = ["sh", str(script), "--seconds=1", "--name=db7", f"--client={CLIENT}"]
    ran = subprocess.run(
        [*argv, "-S", mysql97.socket, "-u", "root"], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    archive = Path(ran.stdout.strip())
    assert archive == tmp_path / "db7-collect.tar.gz"
    assert archive.stat().st_mode & 0o077 == 0
    done = leadline("import", str(archive))
    assert done.code == 0, done.stderr
    assert "Run 1: db7 (collection, Leadline" in done.stdout
    assert "no kernel trace" in done.stderr
    with Store.open() as store:
        (run,) = store.runs("db7")
        assert (run.kind, run.state) == (RunKind.WATCH, RunState.DONE)
    said = leadline("advise", "db7")
    assert said.code == 0
    assert "db7 · run 1 · watched" in said.stdout
    # Nobody here knows how it is reached.
    assert "leadline check" not in said.stdout
    content = json.loads(leadline("advise", "db7", "--json").stdout)
    assert content["decided"]["judged"] > 40
    again = leadline("import", str(archive))
    assert "was there before" in again.stderr
    assert "Run 3: db9 (collection" in leadline("import", str(archive), "--as", "db9").stdout


@pytest.mark.parametrize("content", [b"\x1f\x8b\x08\0", b"\x1f\x8b" + b"x" * 5000])
def test_what_only_looks_like_an_archive_is_refused(
    content: bytes, leadline: Leadline, home: Path, tmp_path: Path
) -> None:
    file = tmp_path / "db7-collect.tar.gz"
    file.write_bytes(content)
    done = leadline("import", str(file))
    assert done.code == 1
    assert "Traceback" not in done.stderr
    assert str(file) in done.stderr
