"""What a trial has left open: named at the next start, and set back when a person asks for it."""

from __future__ import annotations

from collections.abc import Iterator

from advisor.runs.events import Stage, StageStarted
from advisor.runs.link import linked
from advisor.runs.trial.preparing import uncancelled
from advisor.store.store import Store
from advisor.store.trial_journal import JournalEntry, left_text
from probes.cancel import CancelToken
from probes.errors import LeadlineError
from probes.events import Warned
from probes.figures import listed
from probes.targets.address import Prompts
from probes.trial.hand import values_of
from probes.trial.session_hand import restore
from probes.trial.surroundings import started_since


def mend(store: Store, prompts: Prompts, token: CancelToken) -> Iterator[StageStarted | Warned]:
    """Set back what trials have left on their servers, and close their journals.

    Yields what was found of each. Raises StoreError and Cancelled; a server that can't be reached
    is a warning, and its journal stays.
    """
    for entry in store.open_trials():
        if not isinstance(entry, JournalEntry):
            yield Warned("not_mended", left_text(entry))
            continue
        yield StageStarted(Stage.CONNECT, f"Connecting to {entry.target.name}.")
        try:
            with linked(entry.target, prompts, token) as link, uncancelled(link) as asking:
                if started_since(asking, entry.began_at):
                    values = values_of(asking, entry.settings)
                    others = None
                else:
                    others = restore(asking, entry.settings)
        except LeadlineError as error:
            token.check()
            yield Warned("not_mended", f"{entry.target.name}: {error.sentence}")
            continue
        store.trial_journal.end(entry.run_id)
        if others is None:
            now = listed([f"{each.name} = {values[each.name]}" for each in entry.settings])
            text = f"{entry.target.name} was started again since, and has what its files say: {now}"
            yield StageStarted(Stage.MEASURE, f"{text}. Nothing that was tried is left.")
        elif others:
            names = ", ".join(others)
            text = f"{entry.target.name}: somebody else has set {names} since: that stays."
            yield Warned("set_by_others", text)
        else:
            old = ", ".join(f"{each.name} = {each.old}" for each in entry.settings if each.new)
            yield StageStarted(Stage.MEASURE, f"{entry.target.name} has {old}, as before.")
