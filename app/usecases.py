"""What the window asks of the program below it, handed over in one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass

from advisor.case import Case
from advisor.events import CheckEvent, ConnectionReport
from advisor.outcomes import Judgement
from advisor.requests import CheckRequest, ProbeRequest
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.targets.address import Prompts, TargetSpec


@dataclass(frozen=True, slots=True)
class UseCases:
    """The use cases of ``advisor.session``, the store and the rules.

    A test hands in others. All of them are called in a job's thread only; ``open_store`` opens a
    connection that belongs to that job.
    """

    open_store: Callable[[], AbstractContextManager[Store]]
    check: Callable[[Store, CheckRequest, Prompts, CancelToken], Iterator[CheckEvent]]
    preview: Callable[[CheckRequest, Prompts, CancelToken], Iterator[CheckEvent]]
    probe: Callable[[Store, ProbeRequest, Prompts, CancelToken], Iterator[CheckEvent]]
    preview_probe: Callable[[ProbeRequest, Prompts, CancelToken], Iterator[CheckEvent]]
    look: Callable[[TargetSpec, Prompts, CancelToken], Iterator[CheckEvent]]
    test_connection: Callable[[TargetSpec, Prompts, CancelToken], ConnectionReport]
    load_case: Callable[[Store, int], Case]
    judge: Callable[[Case], Judgement]
