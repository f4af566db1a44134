"""Opening a target by its description."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.targets.address import Prompts, SshAddress, TargetKind, TargetSpec
from probes.targets.allowed_characters import check_target
from probes.targets.container.target import ContainerTarget
from probes.targets.local import LocalTarget
from probes.targets.target import EngineHost, Target
from probes.targets.this_computer import require_measurable


@contextmanager
def open_target(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Iterator[Target]:
    """The machine to work on; closed, with all that was put there, at the context's end.

    A target with MySQL alone is measured from this computer. Raises TargetError, UsageError,
    Cancelled.
    """
    # Not only where addresses are read: a saved one may be older than that check.
    check_target(spec)
    if spec.kind is TargetKind.TEXTS:
        raise UsageError(
            f"{spec.name} is known from texts alone: nothing is known of how to reach it.",
            f"Import newer ones (`leadline import FILE... --as {spec.name}`), or save its address "
            f"(`leadline targets add {spec.name} ssh://user@host`).",
        )
    token.check()
    target = _open(spec, prompts, token)
    try:
        yield target
    finally:
        target.close()


def _open(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> Target:
    if spec.kind is TargetKind.LOCAL:
        require_measurable()
    if spec.kind is TargetKind.CONTAINER:
        return _container(spec, prompts, token)
    if spec.kind is not TargetKind.SSH:
        return LocalTarget()
    if spec.ssh is None:
        raise _no_address(spec, "SSH address")
    return _over_ssh(spec.ssh, prompts, token)


def _container(spec: TargetSpec, prompts: Prompts, token: CancelToken) -> ContainerTarget:
    """The container by its engine on this computer, or behind SSH."""
    if spec.container is None:
        raise _no_address(spec, "container")
    host = LocalTarget() if spec.ssh is None else _over_ssh(spec.ssh, prompts, token)
    try:
        return ContainerTarget(spec.container, host, sudo=spec.sudo)
    except BaseException:
        host.close()
        raise


def _over_ssh(address: SshAddress, prompts: Prompts, token: CancelToken) -> EngineHost:
    from probes.targets.ssh.target import SshTarget  # noqa: PLC0415 - its library is large

    return SshTarget(address, prompts, token)


def _no_address(spec: TargetSpec, what: str) -> UsageError:
    return UsageError(
        f"The target {spec.name} has no {what}.",
        "Edit it and give its address: a case file does not hold it.",
    )
