"""``leadline watch``: a running server's own work as the instrument, and advice from it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from advisor.amounts import duration_s
from advisor.report.terminal.first_screen import first_screen
from advisor.report.terminal.run import whole_run
from advisor.runs import session
from advisor.runs.events import CheckEvent
from advisor.runs.requests import WatchRequest
from advisor.store.store import Store
from app.cli.arguments import options
from app.cli.arguments.addresses import with_stated
from app.cli.faults import ExitCode, tell
from app.cli.opening import opened_store
from app.cli.shown.measuring import Destination, Measuring
from app.fields.named_target import named
from app.fields.target import MACHINE, TargetForm
from probes.cancel import CancelToken
from probes.errors import LeadlineError, UsageError
from probes.figures import seconds
from probes.targets.address import Prompts

MOST_PAUSE_S = 7 * 24 * 3600.0


@click.command()
@click.argument("target", default="local")
@options.mysql
@options.of_form(TargetForm, "tls", "sudo", *MACHINE)
@click.option(
    "--seconds",
    "window_s",
    metavar="SECONDS",
    type=click.FloatRange(1, 24 * 3600),
    default=30.0,
    show_default=True,
    help="How long to look: up to a day.",
)
@click.option(
    "--every",
    metavar="TIME",
    default="",
    help="Watch again so often, as in 1h, until Ctrl-C; each look is a run. `leadline history` "
    "shows them.",
)
@options.trace
@options.full
@options.fail_on
@options.json_document("the result")
@options.output_file("the result")
def watch(
    *,
    target: str,
    window_s: float,
    every: str,
    trace: bool,
    full: bool,
    fail_on: str | None,
    as_json: bool,
    file: Path | None,
    **stated: Any,
) -> int:
    """Look at TARGET's server while it works, and advise from what is seen.

    TARGET is local (this computer), a saved name, ssh://[user@]host[:port], a container
    (podman://NAME, docker://NAME, kubectl://namespace/pod) or, where only the server can be
    reached, mysql://[user@]host[:port].

    No load is added, nothing is written and no setting is changed. Ctrl-C ends it at once.
    """
    with opened_store() as store:
        request = WatchRequest(with_stated(named(store, target), stated), window_s, trace=trace)
        whole = whole_run if full else first_screen
        to = Destination(as_json, file, whole, first_screen, fail_on)
        if every:
            return _again_and_again(store, request, to, _pause_s(every, window_s))
        return watching(store, request, to)


def _pause_s(every: str, window_s: float) -> float:
    pause_s = duration_s(every)
    if not window_s < pause_s <= MOST_PAUSE_S:
        raise UsageError(
            f"--every goes from more than one look's {window_s:.0f} s to a week.",
            "For example 1h.",
        )
    return pause_s


def _again_and_again(store: Store, request: WatchRequest, to: Destination, pause_s: float) -> int:
    """Look every ``pause_s`` until somebody ends it; a server that is away is looked for again."""
    while True:
        began_s = time.monotonic()
        try:
            code = watching(store, request, to)
        except UsageError:
            raise
        except LeadlineError as error:
            tell(error)
        else:
            if code == ExitCode.STOPPED:
                return code
        to.progress.print(f"The next look comes in {seconds(pause_s)}; Ctrl-C ends it.")
        time.sleep(max(0.0, pause_s - (time.monotonic() - began_s)))


def watching(store: Store, request: WatchRequest, to: Destination) -> int:
    """Watch and write the result; returns the exit code."""

    def start(store: Store, prompts: Prompts, token: CancelToken) -> Iterator[CheckEvent]:
        return session.watch(store, request, prompts, token)

    return Measuring(store, to).run(start)
