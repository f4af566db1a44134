"""Option files, read as MySQL's own programs read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from probes.errors import UsageError
from probes.mysql.option_files import Options, read_options
from probes.targets.address import TlsMode


def options(folder: Path, text: str) -> Options:
    file = folder / "my.cnf"
    file.write_text(text)
    return read_options(str(file))


def test_groups_quotes_comments_and_escapes(tmp_path: Path) -> None:
    found = options(
        tmp_path,
        "user=nobody\n[mysqld]\nuser=mysql\nport=1\n"
        '[client]\n# a comment\n; another\nuser = app # who\npassword="a#b \\" c"\n'
        "port=3307\nssl_ca='/etc/my ca.pem'\n[leadline]\nhost=db.example\n[mysqldump]\nuser=dump\n",
    )
    assert (found.user, found.password, found.port) == ("app", 'a#b " c', 3307)
    assert (found.host, found.tls_ca_file) == ("db.example", "/etc/my ca.pem")
    assert "a#b" not in repr(found)


def test_an_empty_password_is_not_a_missing_one(tmp_path: Path) -> None:
    assert options(tmp_path, "[client]\npassword=\n").password == ""
    assert options(tmp_path, "[client]\nuser=x\n").password is None


@pytest.mark.parametrize(
    "group", ["client", "client-server", "client-mariadb", "mysql", "leadline"]
)
def test_every_group_of_ours(tmp_path: Path, group: str) -> None:
    assert options(tmp_path, f"[{group}]\nuser=found\n").user == "found"


def test_included_files_and_folders(tmp_path: Path) -> None:
    more = tmp_path / "more.d"
    more.mkdir()
    (more / "b.cnf").write_text("[client]\nuser=from-b\n")
    (more / "a.cnf").write_text("[client]\nuser=from-a\nport=3310\n")
    (more / "ignored.txt").write_text("[client]\nuser=never\n")
    (tmp_path / "one.cnf").write_text("[client]\nhost=from-one\n!include my.cnf\n")
    found = options(
        tmp_path, f"!include {tmp_path}/one.cnf\n!includedir {more}\n[mysqld]\nport=9\n"
    )
    assert (found.user, found.port, found.host) == ("from-b", 3310, "from-one")


@pytest.mark.parametrize(
    ("lines", "mode"),
    [
        ("ssl-mode=VERIFY_CA", TlsMode.VERIFY_CA),
        ("ssl-mode=disabled", TlsMode.DISABLED),
        ("ssl-mode=REQUIRED", TlsMode.VERIFIED),
        ("ssl-mode=PREFERRED", TlsMode.VERIFIED),
        ("skip-ssl", TlsMode.DISABLED),
        ("ssl=0", TlsMode.DISABLED),
        ("ssl", TlsMode.VERIFIED),
        ("ssl-ca=/ca", TlsMode.VERIFY_CA),
        ("ssl-ca=/ca\nssl-verify-server-cert", TlsMode.VERIFY_IDENTITY),
        ("user=x", None),
    ],
)
def test_tls(tmp_path: Path, lines: str, mode: TlsMode | None) -> None:
    assert options(tmp_path, f"[client]\n{lines}\n").tls == mode


@pytest.mark.parametrize("line", ["port=abc", "ssl-mode=sometimes"])
def test_nonsense_is_told(tmp_path: Path, line: str) -> None:
    with pytest.raises(UsageError, match=line.partition("=")[2]):
        options(tmp_path, f"[client]\n{line}\n")


def test_files_that_include_their_own_folder_come_to_an_end(tmp_path: Path) -> None:
    for number in range(30):
        (tmp_path / f"{number:02}.cnf").write_text(
            f"[client]\nuser = u{number}\n!includedir {tmp_path}\n"
        )
    assert read_options(str(tmp_path / "00.cnf")).user.startswith("u")


def test_a_pipe_a_device_and_a_huge_file_are_no_option_files(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.cnf")
    with (tmp_path / "huge.cnf").open("wb") as huge:
        huge.truncate(3 << 30)
    for name in ("/dev/zero", str(tmp_path / "pipe.cnf"), str(tmp_path / "huge.cnf")):
        with pytest.raises(UsageError, match="can't be read"):
            read_options(name)
        includes = tmp_path / "includes"
        includes.write_text(f"[client]\nuser = me\n!include {name}\n")
        assert read_options(str(includes)).user == "me"
