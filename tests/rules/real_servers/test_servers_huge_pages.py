"""Which servers turn transparent huge pages off for themselves, asked of running ones."""

import re
from pathlib import Path

import pytest

from advisor.rules.host.transparent_hugepages import DO_WITHOUT
from tests.servers.eleven import ServerBuild, chosen


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_the_rule_knows_who_does_without(build: ServerBuild) -> None:
    with build.start() as server:
        status = Path(f"/proc/{server.pid}/status").read_text()
    told = re.search(r"^THP_enabled:\s+([01])$", status, re.MULTILINE)
    if told is None:
        pytest.skip("this kernel does not tell")
    does_without = any(versions.covers(build.version) for versions in DO_WITHOUT)
    assert (told[1] == "0") == does_without
