"""Questions at a real terminal: nothing is echoed, Ctrl-C gives up; without one, a fault."""

from __future__ import annotations

import shlex
import sys

import pytest

from app.cli.interrupts import Interrupts
from app.cli.shown.prompts import TerminalPrompts
from probes.cancel import CancelToken
from probes.errors import AuthenticationFailed, HostKeyRejected, MySQLAccessDenied
from tests.app.cli.terminals import CTRL_C, at_terminal

SCRIPT = """
import sys
from app.cli.interrupts import Interrupts
from app.cli.shown.prompts import TerminalPrompts
from probes.cancel import CancelToken
from probes.errors import Cancelled

token = CancelToken()
interrupts = Interrupts(token)
prompts = TerminalPrompts(interrupts)
with interrupts.watched():
    try:
        if sys.argv[1] == "password":
            print("got", len(prompts.password("mysql app@db7", "It is needed.") or ""))
        else:
            print("trusted", prompts.accept_host_key("db7", "ssh-ed25519", "SHA256:abc"))
    except Cancelled:
        print("cancelled")
sys.exit()
"""


def asked(what: str, until: str, answer: bytes) -> str:
    # getpass turns the echo off before it prints its question.
    return at_terminal([what], until=until, answer=answer, before=SCRIPT)


def test_a_password_is_asked_for_and_not_shown() -> None:
    shown = asked("password", "Password for mysql app@db7: ", b"hunter2\n")
    assert "It is needed." in shown
    assert "got 7" in shown
    assert "hunter2" not in shown


def test_ctrl_c_gives_a_question_up() -> None:
    assert "cancelled" in asked("password", "Password for", CTRL_C)
    assert "cancelled" in asked("host key", "[y/N]", CTRL_C)


@pytest.mark.parametrize(
    ("answer", "trusted"), [(b"y\n", True), (b"yes\n", True), (b"\n", False), (b"n\n", False)]
)
def test_a_host_key_is_trusted_by_a_yes_alone(answer: bytes, trusted: bool) -> None:
    shown = asked("host key", "[y/N]", answer)
    assert "SHA256:abc" in shown
    assert f"trusted {trusted}" in shown


def test_without_a_terminal_every_question_is_a_fault_with_advice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prompts = TerminalPrompts(Interrupts(CancelToken()))
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(
        MySQLAccessDenied, match=r"needed\. There is no terminal .* mysql app@db7"
    ) as caught:
        prompts.password("mysql app@db7", "It is needed.")
    assert "option file" in caught.value.advice
    assert "keyring set leadline 'mysql app@db7'" in caught.value.advice
    with pytest.raises(MySQLAccessDenied) as caught:
        prompts.password("mysql $(x)'@db7", "")
    # The line is there to be copied into a shell.
    assert shlex.split(caught.value.advice.split("`")[1])[-1] == "mysql $(x)'@db7"
    assert "'mysql $(x)'" in caught.value.advice
    with pytest.raises(AuthenticationFailed, match="ssh root@db7"):
        prompts.password("ssh root@db7", "It is needed.")
    with pytest.raises(HostKeyRejected, match="SHA256:abc"):
        prompts.accept_host_key("db7", "ssh-ed25519", "SHA256:abc")
