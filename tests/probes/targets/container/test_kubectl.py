"""A pod as a target, by a kubectl that answers from recorded pods and runs commands here."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from probes.cancel import CancelToken
from probes.errors import TargetError, TargetUnreachable
from probes.targets.connect import open_target
from probes.targets.parse import parse_target
from probes.targets.silent import Silent
from probes.targets.target import SocketAddress
from tests.servers.containers.kubectl import FakeKubectl, pod
from tests.servers.mariadb import MariaDB


@pytest.fixture
def kubectl(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FakeKubectl:
    folder = tmp_path / "programs"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")
    return FakeKubectl(folder)


def refusal(address: str) -> TargetError:
    with (
        pytest.raises(TargetError) as caught,
        open_target(parse_target(address), Silent(), CancelToken()),
    ):
        pass
    return caught.value


def test_commands_files_and_sockets_of_a_pod(
    kubectl: FakeKubectl, mariadb: MariaDB, tmp_path: Path
) -> None:
    kubectl.has("db-0", pod())
    spec = parse_target("kubectl://prod/db-0")
    with open_target(spec, Silent(), CancelToken()) as target:
        assert target.name == "pod prod/db-0"
        assert target.run(["cat"], stdin=b"a\0b").stdout == b"a\0b"
        source, copy = tmp_path / "source", tmp_path / "a copy"
        source.write_bytes(os.urandom(1 << 20))
        target.put_file(source, str(copy), 0o640)
        assert target.read_file(str(copy)) == source.read_bytes()
        assert copy.stat().st_mode & 0o777 == 0o640
        greetings = []
        for place in (
            SocketAddress(unix_path=mariadb.socket),
            SocketAddress(host="127.0.0.1", port=mariadb.port),
        ):
            joined = target.open_socket(place)
            greetings.append(b"MariaDB" in joined.carrier.recv(200))
            joined.carrier.close()
        assert greetings == [True, True]
        with pytest.raises(TargetUnreachable, match="no such file or directory"):
            target.open_socket(SocketAddress(unix_path=str(tmp_path / "none")))
        with pytest.raises(TargetUnreachable, match="connection refused"):
            target.open_socket(SocketAddress(host="127.0.0.1", port=1))
        brought = Path(target.agent())
        assert brought.exists()
    assert not brought.parent.exists()
    inside = [line for line in kubectl.asked if line.startswith("exec")]
    assert all("db-0 --namespace prod --container mariadb -- " in line for line in inside)


@pytest.mark.parametrize(
    ("said", "sentence", "advice"),
    [
        ('Error from server (NotFound): namespaces "prod" not found', "There is no pod", "Running"),
        (
            'Error from server (Forbidden): pods "db-0" is forbidden: User "me" cannot get it',
            "This account may not use kubectl",
            "create pods/exec",
        ),
        ("error: You must be logged in to the server (Unauthorized)", "does not know", "Log in"),
        (
            "The connection to the server localhost:8080 was refused - did you specify the right"
            " host or port?",
            "does not answer",
            "context",
        ),
        ("error: something new", "does not show the pod prod/db-0: error: something new", ""),
    ],
)
def test_what_kubectl_refuses(kubectl: FakeKubectl, said: str, sentence: str, advice: str) -> None:
    kubectl.fails(said)
    fault = refusal("kubectl://prod/db-0")
    assert sentence in fault.sentence
    assert advice in fault.advice or "None runs" in fault.advice
    assert said in fault.details


def test_a_wrong_name_is_answered_by_those_that_run(kubectl: FakeKubectl) -> None:
    kubectl.has("db-0", pod())
    fault = refusal("kubectl://prod/db-9")
    assert fault.sentence == "There is no pod prod/db-9 on this computer."
    assert fault.advice == "Running there: db-0."


def test_a_pod_that_waits_is_not_running(kubectl: FakeKubectl) -> None:
    kubectl.has("db-0", pod(status={"phase": "Pending"}))
    fault = refusal("kubectl://prod/db-0")
    assert fault.sentence == "The pod prod/db-0 on this computer does not run: it is pending."
    assert "kubectl describe pod db-0 --namespace prod" in fault.advice


def test_no_right_to_exec_is_another_fault_than_no_shell(kubectl: FakeKubectl) -> None:
    kubectl.has("db-0", pod())
    kubectl.fails(
        'Error from server (Forbidden): pods "db-0" is forbidden: User "me" cannot create resource'
        ' "pods/exec"',
        "exec-fault",
    )
    assert "may run nothing in the pod prod/db-0" in refusal("kubectl://prod/db-0").sentence
    kubectl.fails('exec failed: exec: "sh": executable file not found in $PATH', "exec-fault")
    assert "No shell runs in the pod prod/db-0" in refusal("kubectl://prod/db-0").sentence


@pytest.mark.parametrize("engine", ["docker", "podman", "kubectl"])
def test_an_engine_that_is_not_there(
    engine: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    fault = refusal(f"{engine}://prod/db-0" if engine == "kubectl" else f"{engine}://db")
    assert fault.sentence == f"There is no {engine} on the PATH of this computer."
    assert f"{engine}+ssh://user@host/" in fault.advice
