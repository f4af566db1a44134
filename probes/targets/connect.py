"""Opening a target by its description."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from probes.cancel import CancelToken
from probes.errors import UsageError
from probes.targets.address import Prompts, TargetKind, TargetSpec
from probes.targets.allowed_characters import check_target
from probes.targets.local import LocalTarget
from probes.targets.target import Target
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
    if spec.kind is not TargetKind.SSH:
        return LocalTarget()
    if spec.ssh is not None:
        from probes.targets.ssh.target import SshTarget  # noqa: PLC0415 - its library is large

        return SshTarget(spec.ssh, prompts, token)
    raise UsageError(
        f"The target {spec.name} has no SSH address.",
        "Edit it and give its address: a case file does not hold it.",
    )
