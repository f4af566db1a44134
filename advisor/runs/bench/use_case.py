"""Several directories measured one after another under equal conditions, in interleaved repeats."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace

from advisor.compare.comparison import LETTERS
from advisor.run import RunLabel
from advisor.runs import session
from advisor.runs.bench.places import least_room_bytes, looked_at, named, same_disk, smaller_files
from advisor.runs.bench.values import (
    MOST_PLACES,
    MOST_REPEATS,
    BenchEvent,
    BenchPlace,
    BenchRequest,
    PlacesSeen,
    TurnFailed,
    TurnStarted,
    turns,
)
from advisor.runs.events import CheckEvent, RunStarted
from advisor.runs.requests import ProbeRequest
from advisor.store.store import Store
from probes.cancel import CancelToken, closable
from probes.errors import Cancelled, GuardTripped, LeadlineError, StoreError, UsageError
from probes.figures import counted, seconds, size
from probes.targets.address import Prompts


class Offered:
    """The Prompts of one connection among several.

    ``known`` is shared by all of them, in memory alone: a password that was given before is offered
    once, and asked for again where it is refused.
    """

    def __init__(self, prompts: Prompts, known: dict[str, str]) -> None:
        self._prompts, self._known = prompts, known
        self._offered: set[str] = set()

    def password(self, account: str, sentence: str) -> str | None:
        """What was given earlier for this account, once; else what the user says."""
        if account in self._known and account not in self._offered:
            self._offered.add(account)
            return self._known[account]
        answer = self._prompts.password(account, sentence)
        if answer is not None:
            self._offered.add(account)
            self._known[account] = answer
        return answer

    def accept_host_key(self, host: str, key_type: str, fingerprint: str) -> bool:
        """As the user says."""
        return self._prompts.accept_host_key(host, key_type, fingerprint)

    def accept_certificate(self, server: str, fingerprint: str) -> bool:
        """As the user says."""
        return self._prompts.accept_certificate(server, fingerprint)


def bench(
    store: Store, request: BenchRequest, prompts: Prompts, token: CancelToken
) -> Iterator[BenchEvent]:
    """Look at all places, then measure each in its turn; every turn is a run of its own.

    A place that fails is left out from then on, and the others go on. Raises LeadlineError before
    the first turn; then only ``Cancelled``, StoreError and GuardTripped. What was measured is kept.
    """
    store.require_writable()
    known: dict[str, str] = {}
    seen = yield from _seen(request, prompts, known, token)
    yield seen
    wishes = replace(request.wishes, room_bytes=least_room_bytes(seen.places))
    order = turns(len(seen.places), request.repeats)
    failed: set[int] = set()
    for number, at in enumerate(order, start=1):
        place = seen.places[at]
        if at in failed:
            continue
        yield TurnStarted(number, len(order), at, place.name)
        label = RunLabel(place.name, project=request.project)
        asked = request.of(place.target, wishes)
        try:
            yield from _turn(store, asked, label, Offered(prompts, known), token)
        except (Cancelled, StoreError, GuardTripped):
            raise
        except LeadlineError as error:
            failed.add(at)
            yield TurnFailed(at, place.name, error)


def preview(request: BenchRequest, prompts: Prompts, token: CancelToken) -> Iterator[BenchEvent]:
    """Look at all places and say what would be done; nothing is measured or written."""
    yield (yield from _seen(request, prompts, {}, token))


def _turn(
    store: Store, request: ProbeRequest, label: RunLabel, prompts: Prompts, token: CancelToken
) -> Iterator[CheckEvent]:
    with closing(closable(session.measure(store, request, prompts, token))) as events:
        for event in events:
            if isinstance(event, RunStarted):
                store.label_run(event.run_id, label)
            yield event


def _seen(
    request: BenchRequest, prompts: Prompts, known: dict[str, str], token: CancelToken
) -> Generator[CheckEvent, None, PlacesSeen]:
    _check(request)
    found = []
    for spec in request.targets:
        token.check()
        asked, offered = request.of(spec, request.wishes), Offered(prompts, known)
        found.append((yield from looked_at(asked, offered, token)))
    places = [replace(place, name=name) for place, name in zip(found, named(found), strict=True)]
    notes = (*same_disk(places), *smaller_files(places))
    return PlacesSeen(tuple(places), notes, tuple(_lines(places, request)))


def _check(request: BenchRequest) -> None:
    if not 2 <= len(request.targets) <= MOST_PLACES:
        raise UsageError(
            f"{counted(len(request.targets), 'directory was', 'directories were')} named.",
            f"Name two to {MOST_PLACES} directories, each on a drive of its own.",
        )
    if not 1 <= request.repeats <= MOST_REPEATS:
        raise UsageError(f"Each directory can be measured 1 to {MOST_REPEATS} times.")


def _lines(places: Sequence[BenchPlace], request: BenchRequest) -> Iterator[str]:
    """What will be done, for people."""
    total_s = sum(place.plan.seconds for place in places) * request.repeats
    runs = len(places) * request.repeats
    yield f"{runs} runs in turn, about {seconds(round(total_s))} in all:"
    for letter, place in zip(LETTERS, places, strict=False):
        of = f" ({place.filesystem})" if place.filesystem else ""
        files = min(each.plan.file_bytes for each in places)
        yield f"  {letter}  {place.name}{of}: files of {size(files)}"
    rounds = [LETTERS[at] for at in turns(len(places), request.repeats)]
    each = len(places)
    lines = [" ".join(rounds[at : at + each]) for at in range(0, len(rounds), each)]
    yield f"  order: {', '.join(lines)}"
