"""Known, unknown, changed and revoked host keys."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import HostKeyRejected
from probes.targets.address import TargetSpec
from probes.targets.connect import open_target
from probes.targets.parse import parse_target
from probes.targets.ssh.known_hosts import known_keys
from tests.prompts import Answers
from tests.servers.processes import program
from tests.servers.sshd import Sshd, private_sshd

OTHER = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJJJ1t4Oa0a1HZu5sj0sEQmNfY8lyfGZ0nS7Vx2f0wfa"


def connect(spec: TargetSpec, prompts: Answers) -> None:
    with open_target(spec, prompts, CancelToken()) as target:
        assert target.run(["true"]).status == 0


@pytest.fixture
def known_hosts(ssh_home: Path) -> Path:
    """The file of the test's home, emptied."""
    file = ssh_home / ".ssh" / "known_hosts"
    file.write_text("")
    return file


def fingerprint(sshd: Sshd) -> str:
    """What OpenSSH itself calls the host key."""
    argv = [program("ssh-keygen"), "-lf", str(sshd.directory / "host_key.pub")]
    return subprocess.run(argv, capture_output=True, check=True).stdout.split()[1].decode()


def openssh_finds(known_hosts: Path, name: str) -> bool:
    """Whether OpenSSH reads our line as we do."""
    argv = [program("ssh-keygen"), "-F", name, "-f", str(known_hosts)]
    return subprocess.run(argv, capture_output=True, check=False).returncode == 0


def test_an_unknown_key_is_shown_and_refused(
    sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path
) -> None:
    prompts = Answers()
    with pytest.raises(HostKeyRejected, match="unknown") as caught:
        connect(ssh_spec, prompts)
    shown = (f"[{sshd.host}]:{sshd.port}", "ssh-ed25519", fingerprint(sshd))
    assert prompts.host_keys == [shown]
    assert fingerprint(sshd) in caught.value.sentence
    assert caught.value.advice
    assert known_hosts.read_text() == ""


@pytest.mark.parametrize("hashed", [False, True])
def test_an_accepted_key_is_remembered(
    sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path, hashed: bool
) -> None:
    known_hosts.write_text(f"elsewhere {OTHER}")
    known_hosts.with_name("config").write_text(f"HashKnownHosts {'yes' if hashed else 'no'}\n")
    prompts = Answers(trust=True)
    connect(ssh_spec, prompts)
    connect(ssh_spec, prompts)
    assert len(prompts.host_keys) == 1
    name = f"[{sshd.host}]:{sshd.port}"
    assert (name in known_hosts.read_text()) is not hashed
    assert openssh_finds(known_hosts, name)
    assert openssh_finds(known_hosts, "elsewhere")


def test_a_first_key_makes_the_file(sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path) -> None:
    known_hosts.unlink()
    connect(ssh_spec, Answers(trust=True))
    assert sshd.host_key in known_hosts.read_text()


def test_a_key_that_can_t_be_remembered(
    ssh_spec: TargetSpec, known_hosts: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / "file" / "known_hosts"
    known_hosts.with_name("config").write_text(f'UserKnownHostsFile "{place}"\n')
    with pytest.raises(HostKeyRejected, match="remembered"):
        connect(ssh_spec, Answers(trust=True))


def test_hashed_by_openssh_itself(sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path) -> None:
    known_hosts.write_text(f"{sshd.known_hosts_line}\n")
    hash_them = [program("ssh-keygen"), "-q", "-H", "-f", str(known_hosts)]
    subprocess.run(hash_them, check=True, capture_output=True)
    assert sshd.host not in known_hosts.read_text()
    connect(ssh_spec, Answers())


def test_a_changed_key_is_refused_without_a_question(
    sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path
) -> None:
    name = f"[{sshd.host}]:{sshd.port}"
    known_hosts.write_text(f"# a comment\n{name} {OTHER}\n")
    prompts = Answers(trust=True)
    with pytest.raises(HostKeyRejected, match="changed") as caught:
        connect(ssh_spec, prompts)
    assert prompts.host_keys == []
    [expected] = known_keys(name, [known_hosts])
    assert fingerprint(sshd) in caught.value.sentence
    assert expected.fingerprint in caught.value.sentence
    assert f"{known_hosts}, line 2" in caught.value.advice
    assert known_hosts.read_text().count("\n") == 2


def test_a_known_key_of_another_kind_counts_as_changed(
    sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path
) -> None:
    other = OTHER.replace("ssh-ed25519", "ecdsa-sha2-nistp256")
    known_hosts.write_text(f"[{sshd.host}]:{sshd.port} {other}\n")
    with pytest.raises(HostKeyRejected, match="changed"):
        connect(ssh_spec, Answers(trust=True))


def test_the_kind_that_is_known_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rsa = tmp_path / "rsa"
    make = [program("ssh-keygen"), "-q", "-t", "rsa", "-b", "2048", "-N", "", "-f", str(rsa)]
    subprocess.run(make, check=True)
    with private_sshd([f"HostKey {rsa}"]) as server:
        home = server.write_home(tmp_path / "home")
        monkeypatch.setenv("HOME", str(home))
        public = " ".join(rsa.with_suffix(".pub").read_text().split()[:2])
        line = f"[{server.host}]:{server.port} {public}\n"
        (home / ".ssh" / "known_hosts").write_text(line)
        spec = spec_of(server)
        connect(spec, Answers())


def test_a_revoked_key(sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path) -> None:
    known_hosts.write_text(f"{sshd.known_hosts_line}\n@revoked * {sshd.host_key}\n")
    with pytest.raises(HostKeyRejected, match="revoked"):
        connect(ssh_spec, Answers(trust=True))


def test_strict_checking_asks_nothing(ssh_spec: TargetSpec, known_hosts: Path) -> None:
    known_hosts.with_name("config").write_text("StrictHostKeyChecking yes\n")
    prompts = Answers(trust=True)
    with pytest.raises(HostKeyRejected, match="StrictHostKeyChecking"):
        connect(ssh_spec, prompts)
    assert prompts.host_keys == []


def test_another_file_and_another_name(
    sshd: Sshd, ssh_spec: TargetSpec, known_hosts: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "my hösts"
    elsewhere.write_text(f"the-alias {sshd.host_key}\n")
    known_hosts.with_name("config").write_text(
        f'HostKeyAlias the-alias\nUserKnownHostsFile /none "{elsewhere}"\n'
    )
    connect(ssh_spec, Answers())


@pytest.mark.parametrize(
    ("hosts", "name", "known"),
    [
        ("db7", "db7", True),
        ("DB7,10.0.0.7", "db7", True),
        ("db?,other", "db7", True),
        ("*.example,!secret.example", "db.example", True),
        ("*.example,!secret.example", "secret.example", False),
        ("[db7]:2222", "[db7]:2222", True),
        ("[*]:2222", "[db7]:2222", True),
        ("db7", "[db7]:2222", False),
        ("[db7]:2222", "db7", False),
        ("|1|broken|hash", "db7", False),
        ("|1||", "db7", False),
        ("@cert-authority db7", "db7", False),
    ],
)
def test_lines(tmp_path: Path, hosts: str, name: str, known: bool) -> None:
    file = tmp_path / "known_hosts"
    file.write_text(f"\n# db7 {OTHER}\nno line\n{hosts} {OTHER} and a comment\ndb7 ssh-rsa !!\n")
    assert bool(known_keys(name, [file, tmp_path / "none"])) is known


def spec_of(server: Sshd) -> TargetSpec:
    return parse_target(f"ssh://{server.user}@{server.host}:{server.port}")
