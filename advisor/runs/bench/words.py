"""How the places of a bench are written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime

from advisor.run import RunLabel
from advisor.target_names import LOCAL
from advisor.typed_path import typed_path
from probes.errors import UsageError
from probes.targets.address import TargetSpec
from probes.targets.allowed_characters import check_target
from probes.targets.parse import parse_target


def usual_project(now: datetime) -> str:
    """What the runs of a bench belong to where nobody said."""
    return f"bench {now:%Y-%m-%d %H:%M}"


def project_of(typed: str, now: datetime) -> str:
    """The project as it was typed, else the usual one; raises UsageError."""
    return RunLabel.typed("", project=typed).project or usual_project(now)


def place_of(word: str, known: Callable[[str], TargetSpec | None]) -> TargetSpec:
    """A place as it is typed: ``/srv/a`` here, ``db7:/srv/a``, a saved target, or an address.

    ``known`` gives the target that was saved by a name. A target without a directory is measured
    where its server's data lie. Raises UsageError.
    """
    if "://" in word:
        return parse_target(word)
    name, colon, directory = word.partition(":/")
    if colon and name.strip("./") and "/" not in name:
        spec = TargetSpec() if name == LOCAL else known(name)
        if spec is None:
            raise UsageError(
                f"There is no target named {name!r}.",
                "Save it first, or write a directory of this computer as /srv/new.",
            )
        check_target(spec)
        return replace(spec, directory=f"/{directory}")
    saved = known(word)
    if saved is not None:
        check_target(saved)
        return saved
    return TargetSpec(directory=str(typed_path(word).absolute()))
