"""What differs where Leadline itself does not run on Linux: targets, OpenSSH's files, MySQL's."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import platformdirs
import pytest
from platformdirs import windows as windows_folders
from platformdirs.macos import MacOS
from platformdirs.unix import Unix
from platformdirs.windows import Windows

from probes.cancel import CancelToken
from probes.errors import TargetError, UsageError
from probes.home import home
from probes.mysql.option_files import read_options
from probes.targets.address import SshAddress, TargetSpec
from probes.targets.connect import open_target
from probes.targets.local import LocalTarget
from probes.targets.silent import Silent
from probes.targets.ssh.config import resolve_hop
from probes.targets.ssh.config_files import words
from probes.targets.this_computer import require_lookups


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A Windows with its folders below the one that is returned."""
    # As Leadline sees them: another test may have it on another system already.
    monkeypatch.setattr("probes.targets.this_computer.sys.platform", "win32")
    monkeypatch.setattr("probes.targets.this_computer.platform.system", lambda: "Windows")
    for variable, folder in (("PROGRAMDATA", "data"), ("WINDIR", "windows"), ("HOME", "home")):
        (tmp_path / folder).mkdir()
        monkeypatch.setenv(variable, str(tmp_path / folder))
    return tmp_path


def test_windows_itself_is_no_target(windows: Path) -> None:
    with (
        pytest.raises(TargetError, match=r"^This computer runs Windows, and .* Linux machines"),
        open_target(TargetSpec(), Silent(), CancelToken()),
    ):
        pass


def test_lookups_of_a_distant_server_are_declined_there(windows: Path) -> None:
    with pytest.raises(UsageError, match=r"This computer runs Windows.*--no-load"):
        require_lookups()


def test_no_command_of_linux_is_looked_for_there(windows: Path) -> None:
    """Windows has a `sort` and a `find`, which do something else."""
    assert LocalTarget().run(["sort"]).status == 127


def test_openssh_keeps_its_files_elsewhere_there(windows: Path) -> None:
    folder = windows / "data" / "ssh"
    folder.mkdir()
    (folder / "ssh_config").write_text("Host db7\n  Port 2222\n")
    hop = resolve_hop(SshAddress("db7", user="root"))
    assert hop.port == 2222
    assert hop.system_known_hosts == (folder / "ssh_known_hosts", folder / "ssh_known_hosts2")
    assert hop.known_hosts[0] == windows / "home" / ".ssh" / "known_hosts"


def test_a_backslash_parts_folders_there_and_escapes_elsewhere(
    windows: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert words(r'C:\keys\hosts "C:\my keys\hosts"') == [r"C:\keys\hosts", r"C:\my keys\hosts"]
    monkeypatch.setattr("probes.targets.ssh.config_files.sys.platform", "linux")
    assert words(r"/my\ keys/hosts none") == ["/my keys/hosts", "none"]


def test_mysqls_option_files_are_looked_for_where_windows_has_them(windows: Path) -> None:
    (windows / "windows" / "my.ini").write_text("[client]\nuser=app\n")
    assert read_options().user == "app"


@pytest.mark.parametrize(
    ("system", "expected"),
    [
        (Windows, r"C:\Users\jo\AppData\Local/leadline"),
        (MacOS, "/home/jo/Library/Application Support/leadline"),
        (Unix, "/home/jo/.local/share/leadline"),
    ],
)
def test_the_database_lies_where_that_system_keeps_data(
    monkeypatch: pytest.MonkeyPatch, system: type[Unix | MacOS | Windows], expected: str
) -> None:
    for variable in ("LEADLINE_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/home/jo")
    monkeypatch.setenv("LOCALAPPDATA", r"C:\Users\jo\AppData\Local")

    def there(name: str, appauthor: Literal[False]) -> str:
        return system(name, appauthor).user_data_dir

    monkeypatch.setattr(platformdirs, "user_data_dir", there)
    # Windows itself is asked where it can be.
    monkeypatch.setattr(
        windows_folders, "get_win_folder", windows_folders.get_win_folder_from_env_vars
    )
    assert str(home()) == expected
