"""An address that was mailed or saved runs no command, whatever it holds and however it arrives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.app.cli.checking import Program
from tests.app.cli.forked import Done
from tests.app.hostile_addresses import AS_PROXY, HOSTILE, Hostile, raw_url, save_as_older, url
from tests.waiting import HANG_S

Leadline = Callable[..., Done]


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    """The file that a command of the address's would make."""
    return tmp_path / "PWN"


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The SSH configuration of somebody's home directory."""
    file = tmp_path / "person" / ".ssh" / "config"
    file.parent.mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path / "person"))
    monkeypatch.delenv("SSH_AUTH_SOCK", raising=False)
    return file


def use(leadline: Leadline, hostile: Hostile, marker: Path, home: Path) -> list[Done]:
    """Have the address arrive in its way; the last of the commands would connect."""
    address = url(hostile, marker)
    match hostile.way:
        case "dry-run":
            return [leadline("probe", "redo", address, "--dry-run")]
        case "check-save":
            return [leadline("check", address, "--save", "web1")]
        case "add":
            return [leadline("targets", "add", "web1", address)]
        case "raw":
            return [leadline("targets", "test", raw_url(hostile, marker))]
        case "older-store":
            save_as_older(hostile, marker, home / "leadline.sqlite3")
            commands = (("check",), ("probe", "redo"), ("targets", "add", "web2"))
            return [leadline(*words, "web1") for words in (*commands, ("targets", "test"))]
        case _:
            return [leadline("targets", "test", address)]


def test_there_are_twenty_of_them() -> None:
    assert len({hostile.name for hostile in HOSTILE}) == 20


@pytest.mark.parametrize("hostile", HOSTILE, ids=lambda hostile: hostile.name)
def test_it_is_refused_with_a_sentence_and_nothing_runs(
    leadline: Leadline, hostile: Hostile, marker: Path, config: Path, home: Path
) -> None:
    config.write_text(hostile.config)
    for done in use(leadline, hostile, marker, home):
        assert not marker.exists()
        assert done.code == 2, done.stderr
        assert "so it is refused." in done.stderr
        assert "\r" not in done.stderr
        assert done.stdout == ""
    saved = {"web1"} if hostile.way == "older-store" else set()
    listed = leadline("targets", "list")
    assert listed.code == 0
    assert {"web1", "web2"} & set(listed.stdout.split()) == saved


@pytest.mark.parametrize(
    ("words", "user", "ssh_config"),
    [
        (("targets", "test"), "x%0AProxyCommand%20touch%20MARKER@nohost.invalid", ""),
        (("targets", "test"), "x%0AMatch%20exec%20%22touch%20MARKER%22@127.0.0.1:1", ""),
        (("probe", "redo"), "x%0AProxyCommand%20touch%20MARKER@nohost.invalid", ""),
        (("targets", "add", "web1"), "x%0AProxyCommand%20touch%20MARKER@nohost.invalid", ""),
        (("targets", "test"), "$(touch${IFS}MARKER).corp", AS_PROXY),
        (("targets", "test"), "$(touch${IFS}MARKER)@px", AS_PROXY),
        (("targets", "test"), "x;touch${IFS}MARKER;.corp", AS_PROXY),
    ],
)
def test_in_a_program_of_its_own(
    program: Program,
    config: Path,
    marker: Path,
    words: tuple[str, ...],
    user: str,
    ssh_config: str,
) -> None:
    config.write_text(ssh_config)
    address = f"ssh://{user}".replace("MARKER", str(marker).replace("/", "%2F"))
    dry = ("--dry-run",) if words[0] == "probe" else ()
    with program(*words, address, *dry) as process:
        said, told = process.communicate(timeout=HANG_S)
        assert (process.returncode, said) == (2, "")
    assert "so it is refused." in told
    assert not marker.exists()
    if "add" in words:
        with program("targets", "test", "web1") as process:
            process.communicate(timeout=HANG_S)
            assert process.returncode == 2
        assert not marker.exists()


@pytest.mark.parametrize("jump", ["$(touch${IFS}MARKER)@gate", "gate,`touch${IFS}MARKER`"])
def test_a_jump_of_the_configuration_is_checked_too(
    leadline: Leadline, config: Path, marker: Path, jump: str
) -> None:
    jump = jump.replace("MARKER", str(marker))
    config.write_text(f"Host db7\n  ProxyJump {jump}\nHost *\n  ProxyCommand nc -r %r %h %p\n")
    done = leadline("targets", "test", "ssh://db7")
    assert done.code == 2
    assert "so it is refused." in done.stderr
    assert not marker.exists()


@pytest.mark.parametrize(
    "server",
    [
        "mysql://app@$(x)",
        "mysql://a%0Ab@db",
        "mysql://app@-h",
        "host=db 7",
        "user=a\tb",
        "host=`x`",
    ],
)
def test_a_server_s_address_is_checked_too(leadline: Leadline, server: str) -> None:
    done = leadline("targets", "add", "web1", "local", "--mysql", server)
    assert done.code == 2
    assert "so it is refused." in done.stderr


def test_an_older_target_can_still_be_listed_and_removed(
    leadline: Leadline, marker: Path, home: Path
) -> None:
    save_as_older(Hostile("escape", "x\x1b[2J\nroot"), marker, home / "leadline.sqlite3")
    listed = leadline("targets", "list")
    assert "web1" in listed.stdout
    assert "\x1b" not in listed.stdout
    assert leadline("targets", "remove", "web1").code == 0
