"""A server's own work as a person reads it: who is at work, what misses, what each call takes."""

from __future__ import annotations

from advisor.wording.watch.rows import rows, work_sentences
from app.presenters.overview import FactRow
from app.runtime.translation import tr
from probes.watch.watched import Watched


def work_rows(watched: Watched) -> list[FactRow]:
    """What is seen first, then a row for each kind of call on the server's files."""
    said = [
        FactRow("" if index else tr("Seen"), text)
        for index, text in enumerate(work_sentences(watched))
    ]
    calls = []
    for row in rows(watched):
        role, operation, per_s, size, each, inside, behind = row
        amount = f"{per_s}, {size}" if size else per_s
        note = tr("{number} at a time on average", number=inside) if inside else ""
        if behind:
            note = tr(
                "{number} at a time on average, {behind} in the background",
                number=inside,
                behind=behind,
            )
        text = tr("{amount}, {each} each", amount=amount, each=each)
        calls.append(FactRow(f"{role.capitalize()} {operation}s", text, note))
    return said + calls
