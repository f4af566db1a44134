"""The local database for a command, with what its user must know about it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from advisor.store.store import Store
from app.cli.shown.terminal import messages


@contextmanager
def opened_store() -> Iterator[Store]:
    """The store; its warnings go to standard error. Raises StoreError."""
    with Store.open() as store:
        for warning in store.warnings:
            warn(warning)
        yield store


def warn(sentence: str) -> None:
    """Say something that the user must know, on standard error."""
    messages().print(sentence, style="yellow", soft_wrap=True)
