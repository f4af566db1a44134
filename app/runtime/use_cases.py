"""What the window asks of the program below it, handed over in one value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # What the use cases name is loaded with them: the window's frame is there before.
    from advisor.case import Case
    from advisor.compare.comparison import Comparison
    from advisor.compare.contender import Contender
    from advisor.fleet.history import PastLook
    from advisor.fleet.server_row import ServerRow
    from advisor.fleet.two_looks import TwoLooks
    from advisor.forecasts.kept import KeptScenario
    from advisor.forecasts.under import UnderServer
    from advisor.forecasts.what_if import Forecaster, WhatIf
    from advisor.outcomes import Judgement, Recommendation
    from advisor.plan.change_plan import ChangePlan
    from advisor.run import RunSummary, Voice
    from advisor.runs.bench.values import BenchEvent, BenchRequest
    from advisor.runs.events import (
        CheckEvent,
        ConnectionReport,
        KeptRun,
        RefusedFile,
        StageStarted,
    )
    from advisor.runs.lab.events import LabEvent
    from advisor.runs.lab.request import LabRequest
    from advisor.runs.requests import Request, WatchRequest
    from advisor.runs.sent.asked import ServerTexts
    from advisor.runs.trial.events import TrialEvent
    from advisor.runs.trial.request import Consent, TrialRequest
    from advisor.store.store import Store
    from advisor.upgrade.lens import LensReport
    from probes.cancel import CancelToken
    from probes.errors import LeadlineError
    from probes.events import Warned
    from probes.inventory.servers_here import ServerHere
    from probes.targets.address import Prompts, TargetSpec
    from probes.version import ServerVersion


@dataclass(frozen=True, slots=True)
class UseCases:
    """The use cases of ``advisor.runs.session``, the store, rules, plans, comparisons and imports.

    A test hands in others. All of them are called in a job's thread only; ``open_store`` opens a
    connection that belongs to that job.
    """

    open_store: Callable[[], AbstractContextManager[Store]]
    measure: Callable[[Store, Request, Prompts, CancelToken], Iterator[CheckEvent]]
    watch: Callable[[Store, WatchRequest, Prompts, CancelToken], Iterator[CheckEvent]]
    preview: Callable[[Request, Prompts, CancelToken], Iterator[CheckEvent]]
    look: Callable[[TargetSpec, Prompts, CancelToken], Iterator[CheckEvent]]
    test_connection: Callable[[TargetSpec, Prompts, CancelToken], ConnectionReport]
    servers_here: Callable[[], tuple[ServerHere, ...]]
    load_case: Callable[[Store, Voice], Case]
    judge: Callable[[Case], Judgement]
    references: Callable[[], list[Contender]]
    contender: Callable[[Store, Sequence[int]], Contender]
    compare: Callable[[Store, Sequence[Contender]], Comparison]
    under: Callable[[Case, Sequence[Contender], Mapping[str, float]], UnderServer]
    bench: Callable[[Store, BenchRequest, Prompts, CancelToken], Iterator[BenchEvent]]
    bench_preview: Callable[[BenchRequest, Prompts, CancelToken], Iterator[BenchEvent]]
    trial: Callable[[Store, TrialRequest, Consent, Prompts, CancelToken], Iterator[TrialEvent]]
    mend: Callable[[Store, Prompts, CancelToken], Iterator[StageStarted | Warned]]
    lab: Callable[[Store, LabRequest, Prompts, CancelToken], Iterator[LabEvent]]
    lab_preview: Callable[[LabRequest, Prompts, CancelToken], Iterator[LabEvent]]
    import_files: Callable[[Store, Sequence[Path]], Iterator[KeptRun | RefusedFile]]
    take_server: Callable[[Store, ServerTexts], Iterator[KeptRun]]
    take_sample: Callable[[Store], Iterator[KeptRun]]
    answer: Callable[[Store, RunSummary], str]
    make_plan: Callable[[Case, Judgement, Sequence[Recommendation]], ChangePlan]
    lens: Callable[[Case, ServerVersion], LensReport]
    forecaster: Callable[[Case], Forecaster | LeadlineError]
    what_if: Callable[[Forecaster, Mapping[str, str], Contender | None], WhatIf]
    scenario: Callable[[str, WhatIf, Mapping[str, str], str], KeptScenario]
    servers: Callable[[Store], Iterator[ServerRow]]
    history: Callable[[Store, str], tuple[PastLook, ...]]
    two_looks: Callable[[Store, int, int], TwoLooks]
    kept: Callable[[Mapping[str, str]], list[KeptScenario]]
