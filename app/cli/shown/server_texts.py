"""What an import of a server's texts shows: what was read, what was noted, what is missing."""

from __future__ import annotations

from rich.text import Text

from advisor.runs.sent.server_texts import KeptServer
from app.cli.shown.terminal import messages, output
from probes.figures import counted, listed, seconds
from probes.texts.collection import Collection

MOST_SHOWN = 20


def show_server(kept: KeptServer) -> None:
    """Print it: the result on standard output, what was left out beside it."""
    console, beside = output(), messages()
    texts = [text for text in kept.collection.texts if text.found]
    head = Text(f"Run {kept.run_id}: {kept.name}", style="bold")
    console.print(head, f"({_status(kept.collection)})", soft_wrap=True)
    for text in texts[:MOST_SHOWN]:
        console.print(Text(f"  {text.name}: {listed(text.found)}"), soft_wrap=True)
    if len(texts) > MOST_SHOWN:
        console.print(f"  and {counted(len(texts) - MOST_SHOWN, 'more text')}")
    for note in kept.collection.notes[:MOST_SHOWN]:
        beside.print(Text(f"  {note}", style="yellow"), soft_wrap=True)
    nothing = [text.name for text in kept.collection.texts if not text.found]
    for name, why in kept.passed[:MOST_SHOWN]:
        beside.print(Text(f"  Left out: {name}: {why}", style="yellow"), soft_wrap=True)
    if nothing:
        named = listed([*nothing[:MOST_SHOWN], *(["more"] if len(nothing) > MOST_SHOWN else [])])
        beside.print(Text(f"  Nothing of a server in {named}.", style="yellow"), soft_wrap=True)
    if kept.wanted:
        console.print("What nobody sent, and what it decides:")
    for each in kept.wanted:
        console.print(Text(f"  {each.decides}: {each.command}"), soft_wrap=True)
    console.print(
        Text(f"`leadline advise {kept.name}` says what to change, `leadline report {kept.name}` "
             "writes it down."),
        soft_wrap=True,
    )  # fmt: skip


def _status(collection: Collection) -> str:
    status = collection.status
    if not status.samples:
        return "no status"
    if status.since_start:
        return f"one status: a mean over {seconds(round(status.seconds))}, since the server's start"
    if status.samples == 1:
        return "one status"
    return f"{status.samples} statuses over {seconds(status.seconds)}"


def server_document(kept: KeptServer) -> dict[str, object]:
    """The same as a document for programs."""
    status = kept.collection.status
    return {
        "run": kept.run_id,
        "target": kept.name,
        "texts": [{"name": text.name, "found": list(text.found)} for text in kept.collection.texts],
        "left_out": [{"name": name, "because": why} for name, why in kept.passed],
        "statuses": status.samples,
        "seconds": status.seconds,
        "since_start": status.since_start,
        "notes": list(kept.collection.notes),
        "lacks": [
            {"fact": each.fact, "decides": each.decides, "command": each.command}
            for each in kept.wanted
        ],
    }
