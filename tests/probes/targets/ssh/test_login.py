"""Proving who one is: keys, agent, passphrases, passwords, questions, and several of them."""

from __future__ import annotations

import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import keyring
import paramiko
import pytest
from keyring.backend import KeyringBackend

from probes.cancel import CancelToken
from probes.errors import AuthenticationFailed, Cancelled
from probes.targets.address import SshAddress, TargetKind, TargetSpec
from probes.targets.connect import open_target
from tests.probes.targets.ssh.fake_ssh import CODE, PASSWORD, USER, FakeSsh, fake_ssh
from tests.prompts import Answers
from tests.servers.processes import program
from tests.servers.sshd import PASSPHRASE, Sshd


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory without keys."""
    (tmp_path / ".ssh").mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def spec(server: Sshd, identity: Path | str = "") -> TargetSpec:
    address = SshAddress(server.host, server.port, server.user, str(identity))
    return TargetSpec(TargetKind.SSH, "sshd", address)


def fake_spec(fake: FakeSsh, identity: Path | str = "") -> TargetSpec:
    return TargetSpec(
        TargetKind.SSH, "fake", SshAddress("127.0.0.1", fake.port, USER, str(identity))
    )


def connect(target: TargetSpec, prompts: Answers) -> None:
    with open_target(target, prompts, CancelToken()):
        pass


def know(home: Path, server: Sshd) -> None:
    (home / ".ssh" / "known_hosts").write_text(f"{server.known_hosts_line}\n")


def add_key(home: Path, key: Path, name: str = "id_ed25519") -> Path:
    there = home / ".ssh" / name
    there.write_bytes(key.read_bytes())
    there.chmod(0o600)
    return there


def test_the_usual_key(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    add_key(home, sshd.key)
    prompts = Answers()
    connect(spec(sshd), prompts)
    assert prompts.asked == []


def test_a_named_key_in_a_folder_with_spaces(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    folder = home / "my këys"
    folder.mkdir()
    key = folder / "the key"
    key.write_bytes(sshd.key.read_bytes())
    connect(spec(sshd, key), Answers())


@pytest.mark.parametrize("kind", [["rsa", "-b", "2048"], ["ecdsa"], ["ed25519"]])
@pytest.mark.parametrize("form", ["RFC4716", "PEM", "PKCS8"])
def test_every_format_that_openssh_writes(
    home: Path, sshd: Sshd, kind: list[str], form: str
) -> None:
    know(home, sshd)
    key = home / "key"
    make = [program("ssh-keygen"), "-q", "-t", *kind, "-m", form, "-N", PASSPHRASE, "-a", "1"]
    subprocess.run([*make, "-f", str(key)], check=True)
    authorized = sshd.directory / "authorized_keys"
    before = authorized.read_text()
    authorized.write_text(before + key.with_suffix(".pub").read_text())
    try:
        connect(spec(sshd, key), Answers("wrong", PASSPHRASE))
    finally:
        authorized.write_text(before)


def test_a_passphrase_is_asked_for(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    prompts = Answers("not this", PASSPHRASE)
    connect(spec(sshd, sshd.locked_key), prompts)
    assert [account for account, _ in prompts.asked] == [f"ssh key {sshd.locked_key}"] * 2
    first, second = (sentence for _, sentence in prompts.asked)
    assert "passphrase" in first
    assert first != second


def test_wrong_passphrases_end_in_a_sentence(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    prompts = Answers(*["hunter2"] * 5)
    with pytest.raises(AuthenticationFailed, match="passphrase") as caught:
        connect(spec(sshd, sshd.locked_key), prompts)
    assert len(prompts.asked) == 3
    assert str(sshd.locked_key) in caught.value.sentence
    assert "hunter2" not in f"{caught.value} {caught.value.details}"


def test_a_locked_key_is_left_alone_when_another_opens(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    add_key(home, sshd.locked_key, "id_ed25519")
    add_key(home, sshd.key, "id_ecdsa")
    prompts = Answers()
    connect(spec(sshd), prompts)
    assert prompts.asked == []


def test_a_declined_passphrase(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    with pytest.raises(AuthenticationFailed, match="tried"):
        connect(spec(sshd, sshd.locked_key), Answers(None))


def test_no_key_at_all(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    with pytest.raises(AuthenticationFailed, match="nothing to offer") as caught:
        connect(spec(sshd), Answers())
    assert "publickey" in caught.value.advice


def test_a_stranger_s_key_is_named(home: Path, sshd: Sshd, tmp_path: Path) -> None:
    know(home, sshd)
    key = tmp_path / "stranger"
    subprocess.run(
        [program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(key)], check=True
    )
    with pytest.raises(AuthenticationFailed) as caught:
        connect(spec(sshd, key), Answers())
    assert f"the key {key}" in caught.value.sentence
    assert f"{sshd.user}@{sshd.host}:{sshd.port}" in caught.value.sentence


def test_a_key_file_that_is_missing_or_no_key(home: Path, sshd: Sshd) -> None:
    know(home, sshd)
    with pytest.raises(AuthenticationFailed, match="No such file"):
        connect(spec(sshd, home / "none"), Answers())
    (home / "none").write_text("no key")
    with pytest.raises(AuthenticationFailed, match="no private key"):
        connect(spec(sshd, home / "none"), Answers())


def test_files_of_the_configuration_that_are_no_keys_are_passed_over(
    home: Path, sshd: Sshd
) -> None:
    know(home, sshd)
    (home / "no key").write_text("no key")
    key = add_key(home, sshd.key, "work")
    lines = [f'IdentityFile "{file}"\n' for file in (home / "none", home / "no key", key)]
    (home / ".ssh" / "config").write_text("".join(lines))
    connect(spec(sshd), Answers())


def test_the_target_s_own_key_comes_before_the_agent_s(
    home: Path, sshd: Sshd, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(home, sshd)
    with ssh_agent(monkeypatch, home):
        fill_agent(home, keys=8)
        connect(spec(sshd, add_key(home, sshd.key, "work")), Answers())


def test_the_ssh_agent(home: Path, sshd: Sshd, monkeypatch: pytest.MonkeyPatch) -> None:
    know(home, sshd)
    with ssh_agent(monkeypatch, home):
        key = add_key(home, sshd.key, "in the agent")
        subprocess.run([program("ssh-add"), "-q", str(key)], check=True)
        key.unlink()
        connect(spec(sshd), Answers())


def test_only_the_named_keys_of_the_agent(
    home: Path, sshd: Sshd, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(home, sshd)
    (home / ".ssh" / "config").write_text("IdentitiesOnly yes\n")
    with ssh_agent(monkeypatch, home):
        subprocess.run([program("ssh-add"), "-q", str(sshd.key)], check=True)
        with pytest.raises(AuthenticationFailed):
            connect(spec(sshd), Answers())
        # The locked file stays locked: its public half names the agent's key.
        named = home / "named"
        named.write_bytes(sshd.locked_key.read_bytes())
        named.with_name("named.pub").write_bytes(sshd.key.with_suffix(".pub").read_bytes())
        prompts = Answers()
        connect(spec(sshd, named), prompts)
        assert prompts.asked == []


# paramiko does not close the socket with which it has looked for an agent in vain.
@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_an_agent_that_is_gone(home: Path, sshd: Sshd, monkeypatch: pytest.MonkeyPatch) -> None:
    know(home, sshd)
    add_key(home, sshd.key)
    monkeypatch.setenv("SSH_AUTH_SOCK", str(home / "no agent"))
    connect(spec(sshd), Answers())


def test_too_many_keys_hint_at_the_right_one(
    home: Path, sshd: Sshd, monkeypatch: pytest.MonkeyPatch
) -> None:
    know(home, sshd)
    with ssh_agent(monkeypatch, home):
        fill_agent(home, keys=8)
        with pytest.raises(AuthenticationFailed) as caught:
            connect(spec(sshd), Answers())
    assert "IdentitiesOnly" in caught.value.advice


def test_a_password(home: Path) -> None:
    prompts = Answers("wrong", PASSWORD, trust=True)
    with fake_ssh({"password"}) as fake:
        connect(fake_spec(fake), prompts)
    assert fake.attempts == ["password refused", "password taken"]
    assert {account for account, _ in prompts.asked} == {f"ssh {USER}@127.0.0.1:{fake.port}"}


def test_wrong_passwords(home: Path) -> None:
    prompts = Answers(*["hunter2"] * 5, trust=True)
    with fake_ssh({"password"}) as fake, pytest.raises(AuthenticationFailed) as caught:
        connect(fake_spec(fake), prompts)
    assert len(prompts.asked) == 3
    assert "a password" in caught.value.sentence
    assert "hunter2" not in f"{caught.value} {caught.value.details}"


def test_a_declined_password(home: Path) -> None:
    prompts = Answers(None, "never given", trust=True)
    with fake_ssh({"password"}) as fake, pytest.raises(AuthenticationFailed):
        connect(fake_spec(fake), prompts)
    assert len(prompts.asked) == 1
    assert fake.attempts == []


@pytest.mark.parametrize(
    ("method", "questions"), [("password", []), ("keyboard-interactive", ["Code:"])]
)
def test_a_password_from_the_keyring(
    home: Path, request: pytest.FixtureRequest, method: str, questions: list[str]
) -> None:
    class Kept(KeyringBackend):
        priority = 1

        def get_password(self, service: str, username: str) -> str | None:
            known = (service, username) == ("leadline", f"ssh {USER}@127.0.0.1:{fake.port}")
            return PASSWORD if known else None

        def set_password(self, service: str, username: str, password: str) -> None:
            raise AssertionError("Leadline never writes to a keyring")

    before = keyring.get_keyring()
    request.addfinalizer(lambda: keyring.set_keyring(before))
    keyring.set_keyring(Kept())  # type: ignore[no-untyped-call]  # keyring has no types
    prompts = Answers(CODE, trust=True)
    with fake_ssh({method}) as fake:
        connect(fake_spec(fake), prompts)
    assert [sentence.rpartition(" ")[2] for _, sentence in prompts.asked] == questions


def test_the_server_s_own_questions(home: Path) -> None:
    prompts = Answers(PASSWORD, CODE, trust=True)
    with fake_ssh({"keyboard-interactive", "password"}) as fake:
        connect(fake_spec(fake), prompts)
    assert ["Password:" in prompts.asked[0][1], "Code:" in prompts.asked[1][1]] == [True, True]
    # Questions reach the person from the job's thread, never from the library's.
    assert prompts.threads == {threading.current_thread()}


@pytest.mark.parametrize("question", ["x" * 200_000, "Who\nare you?\n" * 9000])
def test_a_long_question_is_shown_in_part(home: Path, question: str) -> None:
    prompts = Answers(PASSWORD, CODE, trust=True)
    with fake_ssh({"keyboard-interactive"}) as fake:
        fake.question = question
        connect(fake_spec(fake), prompts)
    said = prompts.asked[0][1]
    assert len(said) < 700
    assert said.isprintable()


def test_of_many_methods_some_are_named(home: Path) -> None:
    methods = {f"method-{number}" for number in range(5000)}
    with (
        fake_ssh(methods) as fake,
        pytest.raises(AuthenticationFailed) as caught,
    ):
        connect(fake_spec(fake), Answers(trust=True))
    assert "and 4990 more" in caught.value.advice
    assert len(caught.value.advice) < 400


def test_declined_questions(home: Path) -> None:
    prompts = Answers(None, trust=True)
    with fake_ssh({"keyboard-interactive"}) as fake, pytest.raises(AuthenticationFailed):
        connect(fake_spec(fake), prompts)
    assert len(prompts.asked) == 1


def test_a_key_and_then_a_password(home: Path) -> None:
    key = paramiko.RSAKey.generate(2048)
    file = home / "key"
    key.write_private_key_file(str(file))
    prompts = Answers(PASSWORD, trust=True)
    with fake_ssh({"publickey"}, {"password"}, key=key) as fake:
        connect(fake_spec(fake, file), prompts)
    assert fake.attempts == ["publickey taken", "password taken"]


def test_a_server_that_lets_everybody_in(home: Path) -> None:
    prompts = Answers(trust=True)
    with fake_ssh() as fake:
        connect(fake_spec(fake), prompts)
    assert prompts.asked == []


def test_cancelling_while_a_question_is_open(home: Path) -> None:
    token = CancelToken()

    class Cancels(Answers):
        def password(self, account: str, sentence: str) -> str | None:
            token.cancel()
            raise Cancelled

    with (
        fake_ssh({"keyboard-interactive"}) as fake,
        pytest.raises(Cancelled),
        open_target(fake_spec(fake), Cancels(trust=True), token),
    ):
        pass


def fill_agent(home: Path, keys: int) -> None:
    """Give the agent keys that open nothing."""
    for number in range(keys):
        key = home / f"key {number}"
        make = [program("ssh-keygen"), "-q", "-t", "ed25519", "-N", "", "-f", str(key)]
        subprocess.run(make, check=True)
        subprocess.run([program("ssh-add"), "-q", str(key)], check=True)


@contextmanager
def ssh_agent(monkeypatch: pytest.MonkeyPatch, home: Path) -> Iterator[None]:
    """A real ssh-agent in the environment."""
    socket = str(home / "agent.sock")
    with subprocess.Popen(
        [program("ssh-agent"), "-D", "-a", socket], stdout=subprocess.DEVNULL
    ) as agent:
        while not os.path.exists(socket):  # noqa: PTH110 - a socket, not a file
            assert agent.poll() is None
        monkeypatch.setenv("SSH_AUTH_SOCK", socket)
        try:
            yield
        finally:
            agent.terminate()
