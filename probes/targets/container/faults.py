"""What docker, podman and kubectl refuse, as sentences."""

from __future__ import annotations

from enum import Enum

from probes.boundary.malformed import shown
from probes.errors import TargetError, TargetUnreachable
from probes.redaction import cleaned
from probes.targets.address import ContainerAddress, ContainerEngine
from probes.targets.target import CommandResult

_NOT_FOUND, _NOT_ALLOWED = 127, 126
_LETTERS = 300
_MOST_NAMES = 8

_NO_RIGHTS = ("permission denied", "(forbidden)", "forbidden:", "operation not permitted")


class _Fault(Enum):
    """What an engine means, by phrases of which its message holds one; the first that fits counts.

    In the words of docker 28, podman 4, kubectl 1.32 and sudo 1.9.
    """

    NO_PROGRAM = ("command not found", "executable file not found in $path")
    NO_SUDO = ("a password is required", "is not in the sudoers file", "not allowed to execute")
    NO_LOGIN = ("(unauthorized)", "must be logged in")
    NO_RIGHTS = _NO_RIGHTS
    NO_SUCH = ("no such container", "no container with name", "no such object", '" not found')
    NOT_THERE = (
        "cannot connect to the docker daemon",
        "cannot connect to podman",
        "unable to connect to the server",
        "connection to the server",
        "connection refused",
        "no configuration has been provided",
        "current-context is not set",
        "i/o timeout",
    )
    OTHER = ("",)


def refused(
    address: ContainerAddress, result: CommandResult, host: str, names: list[str]
) -> TargetError:
    """Why an engine on ``host`` says nothing of a container; ``names`` are those that run there."""
    heard = cleaned(result.stderr.decode("utf-8", "replace")).strip()
    engine, fault = address.engine.value, _fault(result.status, heard.lower())
    last = shown(heard.splitlines()[-1], _LETTERS) if heard else f"it ended with {result.status}"
    sentence, advice = {
        _Fault.NO_PROGRAM: (
            f"There is no {engine} on the PATH of {host}.",
            f"Install it there, or name the machine that has it: {engine}+ssh://user@host/"
            f"{address.path}.",
        ),
        _Fault.NO_SUDO: (
            f"`sudo -n` does not run {engine} on {host}.",
            "Allow that account to run it without a password, or leave --sudo out.",
        ),
        _Fault.NO_LOGIN: (
            f"The cluster does not know the account of {engine} on {host}.",
            "Log in to it again, then try `kubectl get pods`.",
        ),
        _Fault.NO_RIGHTS: (f"This account may not use {engine} on {host}.", _rights(address)),
        _Fault.NO_SUCH: (f"There is no {thing(address)} on {host}.", _beside(address, names)),
        _Fault.NOT_THERE: (f"What {engine} asks does not answer on {host}.", _service(address)),
        _Fault.OTHER: (f"{engine} on {host} does not show the {thing(address)}: {last}", ""),
    }[fault]
    kind = TargetUnreachable if fault is _Fault.NOT_THERE else TargetError
    return kind(sentence, advice, heard)


def thing(address: ContainerAddress) -> str:
    """How messages call it: "container db", "pod prod/db-0"."""
    kind = "pod" if address.engine is ContainerEngine.KUBECTL else "container"
    return f"{kind} {address.path}"


def not_running(address: ContainerAddress, state: str, host: str) -> TargetError:
    """The fault of a container that is there, and does not run."""
    engine, name = address.engine.value, address.name
    advice = f"Start it: {engine} start {name}."
    if state == "paused":
        advice = f"Let it go on: {engine} unpause {name}."
    if address.engine is ContainerEngine.KUBECTL:
        advice = f"See why: kubectl describe pod {name} --namespace {address.namespace}."
    return TargetError(f"The {thing(address)} on {host} does not run: it is {state}.", advice)


def no_exec(address: ContainerAddress, result: CommandResult, host: str) -> TargetError:
    """The fault of a container in which no shell can be run."""
    heard = cleaned(result.stderr.decode("utf-8", "replace")).strip()
    if _any(_NO_RIGHTS, heard.lower()) and result.status not in (_NOT_FOUND, _NOT_ALLOWED):
        return TargetError(
            f"This account may run nothing in the {thing(address)} on {host}.",
            "Leadline looks at its server by `exec`: it takes the right to create pods/exec."
            if address.engine is ContainerEngine.KUBECTL
            else _rights(address),
            heard,
        )
    return TargetError(
        f"No shell runs in the {thing(address)} on {host}.",
        "Leadline looks at its server by `exec`, which takes sh and cat there. Without them, name "
        "the server's port: mysql://user@host:port.",
        heard,
    )


def _rights(address: ContainerAddress) -> str:
    if address.engine is ContainerEngine.KUBECTL:
        return "It takes the rights to get pods and to create pods/exec in that namespace."
    group = " Or be in the group docker." if address.engine is ContainerEngine.DOCKER else ""
    return f"With --sudo, {address.engine.value} is run by `sudo -n`.{group}"


def _beside(address: ContainerAddress, names: list[str]) -> str:
    engine = address.engine
    if names:
        more = f" and {len(names) - _MOST_NAMES} more" if len(names) > _MOST_NAMES else ""
        return f"Running there: {', '.join(names[:_MOST_NAMES])}{more}."
    if engine is ContainerEngine.KUBECTL:
        return f"None runs in the namespace {address.namespace}."
    rootless = (
        " Containers of root are seen by root alone (--sudo), those of an account by that account."
        if engine is ContainerEngine.PODMAN
        else ""
    )
    return f"None runs there.{rootless}"


def _service(address: ContainerAddress) -> str:
    if address.engine is ContainerEngine.KUBECTL:
        return "Try `kubectl get pods`: it needs a context whose cluster answers."
    return f"Try `{address.engine.value} ps`: it needs its service."


def _fault(status: int, text: str) -> _Fault:
    if status in (_NOT_FOUND, _NOT_ALLOWED):
        return _Fault.NO_PROGRAM
    return next(fault for fault in _Fault if _any(fault.value, text))


def _any(phrases: tuple[str, ...], text: str) -> bool:
    return any(each in text for each in phrases)
