"""Many servers: rows as they are kept of watches, and archives that stand for others."""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from advisor.fleet.server_row import ANSWER, ServerRow
from advisor.runs.collected import keeping
from advisor.store.store import Store
from probes.inventory.facts import RawInventory


def kept_rows(store: Store, rows: Mapping[str, ServerRow]) -> None:
    """Keep a watch of each target, with the row that it was judged to."""
    for name, row in rows.items():
        with keeping(store, name, RawInventory(row.taken_at, {})) as recorder:
            kept = replace(row, target=name, run_id=recorder.run_id)
            store.add_answers(recorder.run_id, {ANSWER: kept.written()})


def renamed(archive: Path, file: Path, name: str, other: tuple[str, str]) -> None:
    """Write an archive once more as that of another server, with a part of its texts changed."""
    with tarfile.open(archive) as old, tarfile.open(file, "w:gz") as new:
        for member in old:
            content = old.extractfile(member)
            text = b"" if content is None else content.read()
            text = text.replace(b"name db7\n", f"name {name}\n".encode())
            if other[0]:
                text = text.replace(other[0].encode(), other[1].encode())
            member.name = member.name.replace("db7-collect", f"{name}-collect")
            member.size = len(text)
            new.addfile(member, io.BytesIO(text))
