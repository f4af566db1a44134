"""The man page has every command and option; each shell completes by what the build writes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest

from app.cli.main import COMMANDS, cli
from docs.build.commands import COMPLETIONS, MAN, commands, escaped, marked, roff_prose, write
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def share(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("share")
    assert write(folder) == [MAN, *COMPLETIONS]
    return folder


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH on which ``leadline`` is this tree's."""
    folder = tmp_path_factory.mktemp("bin")
    command = folder / "leadline"
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m app "$@"\n')
    command.chmod(0o755)
    return f"{folder}{os.pathsep}{os.environ['PATH']}"


def said(path: str, *argv: str) -> str:
    environment = os.environ | {"PATH": path}
    done = subprocess.run(argv, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_page_has_every_command_and_option(share: Path) -> None:
    page = (share / MAN).read_text("utf-8")
    top = click.Context(cli, info_name="leadline", **cli.context_settings)
    contexts = [top, *commands(top)]
    assert {context.info_name for context in contexts} > set(COMMANDS)
    for context in contexts[1:]:
        assert f"\n.SS {escaped(context.command_path)}\n" in page
        for option in context.command.get_params(context):
            if isinstance(option, click.Option) and not option.hidden:
                assert f"\\fB{escaped(option.opts[0])}" in page
    assert r"\-h, \-\-help" in page


@pytest.mark.skipif(shutil.which("groff") is None, reason="there is no groff here")
def test_the_page_is_roff_without_a_warning(share: Path) -> None:
    page = str(share / MAN)
    argv = ["groff", "-man", "-ww", "-Kutf8", "-Tutf8", page]
    done = subprocess.run(argv, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    assert "\b" not in (share / MAN).read_text("utf-8")


def test_what_roff_would_obey_is_printed() -> None:
    assert list(roff_prose(".so /etc/passwd\n\n\b\n'a\n  -b\\n")) == [
        *(".PP", r"\&.so /etc/passwd"),
        *(".PP", ".nf", r"\&'a", r"  \-b\en", ".fi"),
    ]
    assert marked("see `leadline check`") == r"see \fBleadline check\fR"


BASH = """
source "$1"
COMP_WORDS=(leadline ru) COMP_CWORD=1
_leadline_completion leadline
printf '%s\\n' "${COMPREPLY[@]}"
"""
ZSH = """
autoload -U compinit && compinit -u -D
_describe() { print -l "${completions_with_descriptions[@]}" }
compdef() { }
source "$1"
words=(leadline ru) CURRENT=2
_leadline_completion
"""
FISH = 'source "$argv[1]"; complete -C "leadline ru"'
SHELLS = {
    "bash": (["bash", "-c", BASH, "bash"], ["runs", "rules"]),
    "zsh": (["zsh", "-f", "-c", ZSH, "zsh"], ["runs", "rules"]),
    "fish": (["fish", "--no-config", "-c", FISH], ["rules", "runs"]),
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_shell_completes(share: Path, path: str, shell: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"there is no {shell} here")
    argv, expected = SHELLS[shell]
    file = next(name for name, kind in COMPLETIONS.items() if kind.name == shell)
    lines = said(path, *argv, str(share / file)).split("\n")
    found = [line.partition("\t")[0].partition(":")[0] for line in lines if line]
    assert [name for name in found if name in COMMANDS] == expected


def test_commands_are_completed_without_loading_them() -> None:
    script = (
        "import sys\n"
        "from app.__main__ import main\n"
        "try:\n"
        "    main()\n"
        "finally:\n"
        "    assert not {name for name in sys.modules if name.startswith('advisor.rules')}\n"
        "    assert 'app.cli.commands.runs' not in sys.modules\n"
    )
    asked = {"_LEADLINE_COMPLETE": "bash_complete", "COMP_WORDS": "leadline ", "COMP_CWORD": "1"}
    argv = [sys.executable, "-c", script]
    environment = os.environ | asked
    done = subprocess.run(
        argv, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split() == [f"plain,{name}" for name in COMMANDS]
