"""The command itself: help, wrong usage, faults of ours, and no window without a screen."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.commands import rules
from app.cli.faults import ExitCode, exit_code, guarded
from app.cli.main import COMMANDS, cli
from app.cli.window import no_display
from app.runtime.commit import version
from probes import errors
from tests.app.cli.forked import ROOT, Done
from tests.app.cli.terminals import at_terminal

Leadline = Callable[..., Done]


def test_it_tells_its_version_and_its_commands(leadline: Leadline) -> None:
    told = leadline("--version")
    assert (told.code, told.stderr) == (0, "")
    assert told.stdout == f"leadline {version()}\n"
    shown = leadline("--help")
    assert shown.code == 0
    assert all(name in shown.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_command_explains_itself(leadline: Leadline, name: str) -> None:
    shown = leadline(name, "--help")
    assert shown.code == 0
    assert "Usage: leadline" in shown.stdout


@pytest.mark.parametrize(
    "args",
    [
        ("measure",),
        ("--sandbox",),
        ("runs", "show", "seven"),
        ("rules", "show", "no.such-rule"),
        ("check", "--plan", "endless"),
        ("check", "--window", "-1"),
        ("check", "nobody-by-this-name"),
    ],
)
def test_wrong_usage_ends_with_2_and_a_sentence(leadline: Leadline, args: tuple[str, ...]) -> None:
    done = leadline(*args)
    assert done.code == 2
    assert done.stdout == ""
    assert done.stderr.strip()
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "args",
    [
        ("check", "local", "--password=hunter2"),
        ("check", "--password", "hunter2"),
        ("targets", "add", "db7", "ssh://db7", "--password=hunter2"),
    ],
)
def test_there_is_no_password_option_and_it_says_why(
    leadline: Leadline, home: Path, args: tuple[str, ...]
) -> None:
    done = leadline(*args)
    assert done.code == 2
    assert "every user of this computer could read it" in " ".join(done.stderr.split())
    assert "hunter2" not in done.stderr
    assert not home.exists()


def test_without_a_display_it_says_so_and_ends_with_1(leadline: Leadline) -> None:
    done = leadline()
    assert done.code == 1
    assert "no display" in done.stderr
    assert "leadline check" in done.stderr


def test_case_files_without_a_command_are_for_the_window(
    leadline: Leadline, tmp_path: Path
) -> None:
    file = tmp_path / "db7.leadline"
    assert leadline(str(file)).code == 2
    file.touch()
    shown = leadline(str(file))
    assert shown.code == 1
    assert "no display" in shown.stderr
    assert leadline("db7").code == 2


@pytest.mark.skipif(sys.platform != "linux", reason="X11 displays")
def test_a_display_that_nobody_serves_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DISPLAY", ":4711")
    assert no_display() == "no X server answers at :4711"
    monkeypatch.setenv("DISPLAY", "nonsense")
    assert "nonsense" in no_display()
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    assert no_display() == ""


def test_a_mistake_of_ours_leaves_a_log_and_no_traceback(
    leadline: Leadline, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("of all things")

    monkeypatch.setattr(rules, "all_rules", broken)
    done = leadline("rules")
    assert done.code == 1
    assert "Internal error" in done.stderr
    assert "Traceback" not in done.stderr
    (log,) = (home / "log").glob("crash-*.txt")
    assert str(log) in done.stderr
    assert "ZeroDivisionError: of all things" in log.read_text()


def test_each_mistake_has_a_log_of_its_own(home: Path) -> None:
    """Also where several end in one second."""
    for number in range(5):
        with guarded():
            raise ZeroDivisionError(f"mistake {number}")
    logs = [log.read_text() for log in (home / "log").glob("crash-*.txt")]
    assert sorted(log.strip().rpartition(" ")[2] for log in logs) == list("01234")


def test_a_secret_in_a_mistake_of_ours_is_in_no_log(
    leadline: Leadline, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise ZeroDivisionError("https://app:hunter2@db7/ and password=hunter2")

    monkeypatch.setattr(rules, "all_rules", broken)
    done = leadline("rules")
    assert "Internal error" in done.stderr
    assert "hunter2" not in done.stdout + done.stderr
    (log,) = (home / "log").glob("crash-*.txt")
    assert "ZeroDivisionError: https<hidden>" in log.read_text()


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        (errors.UsageError, ExitCode.USAGE),
        (errors.TargetUnreachable, ExitCode.UNREACHED),
        (errors.AuthenticationFailed, ExitCode.UNREACHED),
        (errors.HostKeyRejected, ExitCode.UNREACHED),
        (errors.MySQLUnreachable, ExitCode.UNREACHED),
        (errors.MySQLAccessDenied, ExitCode.UNREACHED),
        (errors.GuardTripped, ExitCode.STOPPED),
        (errors.ConnectionLost, ExitCode.FAILED),
        (errors.MySQLConnectionLost, ExitCode.FAILED),
        (errors.AgentFailed, ExitCode.FAILED),
        (errors.StoreError, ExitCode.FAILED),
        (errors.NotEnoughSpace, ExitCode.FAILED),
    ],
)
def test_each_fault_has_its_exit_code(kind: type[errors.LeadlineError], code: ExitCode) -> None:
    assert exit_code(kind("A sentence.")) is code


def test_a_cancel_ends_with_4() -> None:
    assert exit_code(errors.Cancelled()) is ExitCode.STOPPED


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    script = "from app.__main__ import main; main()"
    command = f'"{sys.executable}" -c "{script}" rules show durability.doublewrite --json'
    done = subprocess.run(
        ["bash", "-c", f"({command}; echo code $? >&2) | true"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr in ("code 1\n", "code 0\n")


def test_help_loads_neither_qt_nor_a_transport() -> None:
    script = (
        "import sys, json\n"
        "from app.cli.main import cli\n"
        "cli.main(['--help'])\n"
        "sys.stderr.write(json.dumps(sorted(sys.modules)))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(json.loads(done.stderr))
    assert "app.cli.main" in loaded
    assert not loaded & {"PySide6", "numpy", "paramiko", "pymysql", "pyqtgraph", "rich", "sqlite3"}


@pytest.mark.parametrize("command", ["runs", "targets"])
def test_a_list_loads_neither_rules_nor_a_transport(command: str) -> None:
    script = f"import sys, app.cli.commands.{command}\nprint(*sys.modules)\n"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    loaded = set(done.stdout.split())
    assert f"app.cli.commands.{command}" in loaded
    assert not loaded & {
        "advisor.judging.engine",
        "advisor.variables.sheets",
        "paramiko",
        "pymysql",
    }


def test_a_narrow_character_set_is_no_fault() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "app", "rules", "show", "durability.redo-sync"],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0
    assert b"`durability.redo-sync`" in done.stdout
    assert done.stderr == b""
    written = "16\N{NARROW NO-BREAK SPACE}KiB → 8 ≤ 1.5× Ü".encode("cp437", "leadline.nearest")
    assert written.decode("cp437") == "16 KiB -> 8 ≤ 1.5x Ü"
    assert "数".encode("ascii", "leadline.nearest") == b"?"


def test_every_listed_command_exists() -> None:
    for name in COMMANDS:
        command = cli.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        assert command.name == name


def test_faults_are_red_at_a_terminal_unless_colours_are_refused() -> None:
    ask = ["runs", "show", "99"]
    assert "\x1b[31mThere is no run 99." in at_terminal(ask)
    plain = at_terminal(ask, environment={"NO_COLOR": "1"})
    assert "There is no run 99." in plain
    assert "\x1b[31m" not in plain


def started(command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a shell's line in which LEADLINE stands for the program."""
    line = command.replace("LEADLINE", f'"{sys.executable}" -m app')
    return subprocess.run(
        ["bash", "-c", line],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux' full device")
def test_output_that_has_no_room_is_told() -> None:
    done = started("LEADLINE variables innodb_io_capacity > /dev/full")
    assert done.returncode == 1
    assert done.stderr == (
        "Standard output can't be written (No space left on device).\nMake room there.\n"
    )


def test_closed_streams_are_no_fault() -> None:
    done = started("LEADLINE variables innodb_io_capacity <&- >&- 2>&-; echo $?")
    assert (done.stdout, done.stderr) == ("0\n", "")
    assert started("LEADLINE rules show no.rule 2>&-; echo $?").stdout == "2\n"


def test_a_terminal_of_no_size_loses_no_text(
    leadline: Leadline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "0")
    assert "There are no runs yet." in leadline("runs").stdout


def test_a_home_that_there_is_not(leadline: Leadline, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEADLINE_HOME", "~nobody-by-this-name/leadline")
    done = leadline("runs")
    assert done.code == 1
    assert "There is no home directory" in done.stderr
    assert "LEADLINE_HOME" in done.stderr


def test_bytes_that_are_no_text_can_not_be_kept(leadline: Leadline) -> None:
    for args in (
        ("targets", "add", "db7", "local", "--dir", "/srv/\udcff"),
        ("targets", "remove", "db\udcff"),
        ("runs", "list", "--target", "\udcff"),
    ):
        done = leadline(*args)
        assert done.code == 2
        assert "bytes that are no text" in done.stderr


def test_a_number_that_no_run_has(leadline: Leadline) -> None:
    for args in (("show", "9" * 30), ("delete", "9" * 30), ("compare", "9" * 30, "1")):
        done = leadline("runs", *args)
        assert done.code == 2
        assert "mistake" not in done.stderr
    assert leadline("advise", "9" * 5000).code == 2


def test_ctrl_c_while_it_is_loaded_leaves_no_traceback() -> None:
    script = (
        "import sys\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'app.cli.main':\n"
        "            raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "from app.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (4, "", "Stopped.\n")


WITHOUT_PARTS = (
    "import sys\n"
    "for name in ('PySide6', 'shiboken6', 'pyqtgraph', 'typst'):\n"
    "    sys.modules[name] = None\n"
    "from app.__main__ import main\n"
    "main()\n"
)
"""The command line alone: nothing of the window or of PDF is installed."""


WITHOUT_A_LIBRARY = (
    "import sys\n"
    "class Missing:\n"
    "    def find_spec(self, name, path, target=None):\n"
    "        if name == 'PySide6.QtNetwork':\n"
    "            where = f'{path[0]}/QtNetwork.abi3.so'\n"
    "            raise ImportError('libgssapi_krb5.so.2: gone', name='QtNetwork', path=where)\n"
    "sys.meta_path.insert(0, Missing())\n"
    "from app.__main__ import main\n"
    "main()\n"
)
"""Qt is installed, and one of the system's libraries that it takes is not: as Python says so."""


def carried_out(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_line_alone_is_whole_and_says_what_it_is_without() -> None:
    done = carried_out(WITHOUT_PARTS, "--self-test")
    assert (done.returncode, done.stderr) == (0, "")
    assert (
        "ok      modules (without PySide6 and shiboken6 and pyqtgraph, not installed)"
        in done.stdout
    )
    assert "ok      paper (without typst, not installed)" in done.stdout


def test_a_window_that_is_not_installed_is_named_with_its_command() -> None:
    done = carried_out(WITHOUT_PARTS)
    assert done.returncode == 1
    assert "The window is not installed" in done.stderr
    assert "leadline[window]" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_window_that_lacks_a_library_of_the_system_names_it() -> None:
    done = carried_out(WITHOUT_A_LIBRARY)
    assert done.returncode == 1
    assert "The window can't be shown: libgssapi_krb5.so.2" in done.stderr
    assert "libgssapi-krb5-2" in done.stderr
    assert "Internal error" not in done.stderr
