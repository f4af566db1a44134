"""The target that is meant by what somebody types: a saved name, or an address."""

from __future__ import annotations

from advisor.store.store import Store
from advisor.target_names import LOCAL
from probes.errors import UsageError
from probes.mysql.any_address import any_address
from probes.targets.address import TargetSpec
from probes.targets.allowed_characters import check_target
from probes.targets.parse import LEAVE_OUT, parse_target

_OF_ADDRESSES = ("@", "=", "/", " ", ".cnf", ".ini")
"""What no target's name has that somebody would save, and every address has one of."""


def named(store: Store, text: str) -> TargetSpec:
    """The target for ``local``, a saved name or an address of any form; raises UsageError."""
    if "://" in text:
        return _at(text)
    saved = store.target(text)
    if saved is not None:
        # It may have been saved before addresses were checked.
        check_target(saved)
        return saved
    if text == LOCAL:
        return TargetSpec()
    if any(each in text for each in _OF_ADDRESSES):
        return _at(text)
    known = ", ".join([LOCAL, *(spec.name for spec in store.targets())])
    raise UsageError(
        f"There is no target named {text!r}.",
        f"Known names are: {known}. An address looks like root@db7, ssh://root@db7, "
        "mysql://app@db7 or podman://NAME.",
    )


def _at(text: str) -> TargetSpec:
    """Our own addresses strictly, those of other tools as they have them; no password is taken."""
    try:
        return parse_target(text)
    except UsageError:
        if text.startswith("ssh://"):
            raise
    found = any_address(text)
    if found.password:
        raise UsageError("The address holds a password, which a command line shows.", LEAVE_OUT)
    return found.target
