"""The sample that ships: a real server's check and watch, to try every page with."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

from advisor.runs.events import KeptRun
from advisor.runs.importing import take_case
from advisor.store.store import Store
from advisor.target_names import CASE_SUFFIX, SAMPLE


def take_sample(store: Store) -> Iterator[KeptRun]:
    """Keep the sample's runs, unless they are there already; the check comes last."""
    if store.runs(SAMPLE):
        return
    folder = files("resources").joinpath("sample")
    packed = sorted(folder.iterdir(), key=lambda each: each.name)
    with TemporaryDirectory(prefix="leadline-sample-") as made:
        for each in packed:
            if each.name.endswith(f"{CASE_SUFFIX}.gz"):
                path = Path(made, each.name.removesuffix(".gz"))
                path.write_bytes(gzip.decompress(each.read_bytes()))
                yield take_case(store, path, SAMPLE, shipped=True)
