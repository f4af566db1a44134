"""What is laid side by side: which runs and references were picked, and their comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from advisor.compare.comparison import MOST, Comparison
from advisor.compare.contender import Contender
from advisor.run import Voice
from app.controllers.drive_keys import DriveKey, ReferenceKey, RunKey
from app.controllers.stored_runs import StoredRuns
from app.runtime.drive_prices import DrivePrices
from app.runtime.jobs import Job, JobRunner, once
from app.runtime.use_cases import UseCases
from probes.cancel import CancelToken
from probes.errors import LeadlineError

if TYPE_CHECKING:
    from advisor.forecasts.under import UnderServer

LEAST = 2


class ComparisonController(QObject):
    """Loads contenders and compares them in jobs; lives in the GUI thread.

    Signals: ``changed()`` when candidates, picks or the comparison differ;
    ``failed(LeadlineError)``.
    """

    changed = Signal()
    failed = Signal(LeadlineError)

    def __init__(
        self,
        runner: JobRunner,
        use_cases: UseCases,
        stored_runs: StoredRuns,
        prices: DrivePrices,
    ) -> None:
        super().__init__()
        self._runner, self._use_cases, self._stored_runs = runner, use_cases, stored_runs
        self._references: tuple[Contender, ...] | None = None
        self._asking_references = False
        self._picked: tuple[DriveKey, ...] = ()
        self._comparison: Comparison | None = None
        self._busy = False
        self._prices = prices
        prices.changed.connect(self._price)
        self._server: Voice | None = None
        self.under: UnderServer | None = None
        self.under_refused: LeadlineError | None = None
        stored_runs.changed.connect(self._forget_deleted)

    @property
    def references(self) -> tuple[Contender, ...]:
        """The published tables; empty until they were read."""
        return self._references or ()

    @property
    def picked(self) -> tuple[DriveKey, ...]:
        """Keys of what shall be compared, in the order of picking."""
        return self._picked

    @property
    def possible(self) -> bool:
        """Whether enough is picked."""
        return LEAST <= len(self._picked) <= MOST

    @property
    def comparison(self) -> Comparison | None:
        """What was compared last, None while another choice is made."""
        return self._comparison

    @property
    def busy(self) -> bool:
        """Whether contenders are being loaded."""
        return self._busy

    def want_references(self) -> None:
        """Read the published tables, once."""
        if self._references is not None or self._asking_references:
            return
        self._asking_references = True
        self._runner.ask(
            "read the references",
            lambda _token: tuple(self._use_cases.references()),
            self._take_references,
            self.failed,
        )

    def pick(self, key: DriveKey, on: bool) -> None:
        """Add to what is compared, or take away; what is beyond the most is refused."""
        if on and key not in self._picked and len(self._picked) < MOST:
            self._picked = (*self._picked, key)
        elif not on:
            self._picked = tuple(one for one in self._picked if one != key)
        self.changed.emit()

    def pick_alone(self, keys: Sequence[DriveKey]) -> None:
        """Have these compared and nothing else; the most at most."""
        self._picked, self._comparison = tuple(keys[:MOST]), None
        self.changed.emit()

    def choose_again(self) -> None:
        """Back to the choice; what was picked stays picked."""
        self._comparison = None
        self.changed.emit()

    def compare(self, names: Mapping[RunKey, str]) -> None:
        """Load what was picked and compare it; ``names`` are what to call runs."""
        if not self.possible or self._busy:
            return
        picked = self._picked
        self._busy = True
        self._runner.ask(
            "compare",
            lambda token: self._work(picked, names, token),
            self._take,
            self.failed,
            done=self._end,
        )
        self.changed.emit()

    @property
    def prices(self) -> Mapping[str, float]:
        """What drives cost, by their contenders' keys, as the user said last."""
        return self._prices.known

    def price(self, prices: Mapping[str, float]) -> None:
        """Use these prices for the drives that are compared."""
        if self._comparison is not None:
            self._prices.keep(prices, {each.key: each.name for each in self._comparison.contenders})

    def _price(self) -> None:
        if self._comparison is not None:
            self._take(self._comparison)
            self.changed.emit()

    @property
    def wants_under(self) -> bool:
        """Whether the compared drives were not forecast under a server yet."""
        return self._comparison is not None and self._server is None

    def ask_under(self, voice: Voice) -> None:
        """Forecast a server on each compared drive: ``under`` or ``under_refused``."""
        comparison = self._comparison
        if comparison is None or voice == self._server:
            return
        self._forget_under()
        self._server = voice
        prices = dict(self.prices)
        job = Job(
            "compare drives under a server",
            once(lambda _token: self._under(comparison, voice, prices)),
        )
        job.reported.connect(lambda found: self._take_under(comparison, voice, found))
        job.failed.connect(lambda error: self._take_under(comparison, voice, error))
        self._runner.start(job)

    def _forget_under(self) -> None:
        self._server = self.under = self.under_refused = None

    def _under(
        self, comparison: Comparison, voice: Voice, prices: Mapping[str, float]
    ) -> UnderServer:
        """In a job's thread."""
        with self._use_cases.open_store() as store:
            case = self._use_cases.load_case(store, voice)
        return self._use_cases.under(case, comparison.contenders, prices)

    def _take_under(
        self, comparison: Comparison, voice: Voice, found: UnderServer | LeadlineError
    ) -> None:
        if comparison is self._comparison and voice == self._server:
            refused = found if isinstance(found, LeadlineError) else None
            self.under_refused = refused
            self.under = None if isinstance(found, LeadlineError) else found
            self.changed.emit()

    def _work(
        self, keys: Sequence[DriveKey], names: Mapping[RunKey, str], token: CancelToken
    ) -> Comparison:
        """Load and compare; in a job's thread."""
        known = {one.key: one for one in self._use_cases.references()}
        found = []
        with self._use_cases.open_store() as store:
            for key in keys:
                token.check()
                match key:
                    case RunKey(run_ids):
                        loaded = self._use_cases.contender(store, run_ids)
                        found.append(replace(loaded, name=names.get(key, loaded.name)))
                    case ReferenceKey(name) if name in known:
                        found.append(known[name])
            return self._use_cases.compare(store, found)

    def _take_references(self, found: tuple[Contender, ...]) -> None:
        self._references = found
        self.changed.emit()

    def _take(self, comparison: Comparison) -> None:
        prices = tuple(self.prices.get(each.key) for each in comparison.contenders)
        self._comparison = replace(comparison, prices=prices)
        self._forget_under()

    def _end(self) -> None:
        self._busy = False
        self.changed.emit()

    def _forget_deleted(self) -> None:
        known = {run.id for run in self._stored_runs.shelf.runs}
        kept = tuple(
            key
            for key in self._picked
            if isinstance(key, ReferenceKey) or known.issuperset(key.run_ids)
        )
        if kept != self._picked:
            self._picked = kept
            self._comparison = None
        self.changed.emit()
