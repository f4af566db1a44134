"""Real servers, one after the other, each with its own defaults."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from advisor.variables.sheets import SHEETS
from tests.servers.eleven import RunningServer, ServerBuild, chosen


@pytest.fixture(scope="package", params=chosen(), ids=lambda build: build.name)
def build(request: pytest.FixtureRequest) -> ServerBuild:
    """A server program whose series the catalogue was measured on."""
    found: ServerBuild = request.param
    spans = (span for sheet in SHEETS.values() for span in sheet.spans)
    if not any(span.was_measured(found.version) and span.covers(found.version) for span in spans):
        pytest.skip(f"the catalogue was made before there was a {found.version}")
    return found


@pytest.fixture(scope="package")
def server(build: ServerBuild) -> Iterator[RunningServer]:
    """That server, running with nothing set; shared, so leave it as it was."""
    with build.start() as running:
        yield running
