"""Lines of real option files, as real servers tell of them."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from advisor.case import Case
from advisor.facts.server.lines import lines_of
from advisor.judging.engine import judge
from advisor.outcomes import NotJudged, Recommendation
from probes.cancel import CancelToken
from probes.inventory.ask_mysql import MySQLAsker
from probes.inventory.facts import Inventory, MySQLFacts
from probes.inventory.mysql import read_mysql
from probes.mysql.connection import connect
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.version import Flavour
from tests.prompts import Unasked
from tests.servers.eleven import RunningServer, ServerBuild, chosen


def facts_of(server: RunningServer) -> MySQLFacts:
    """What an inventory reads of a server's settings."""
    place = MySQLAddress(socket=server.socket, user="root")
    token = CancelToken()
    with (
        closing(LocalTarget()) as here,
        connect(place, via=here, prompts=Unasked(), token=token, password="") as session,
    ):
        asker = MySQLAsker(session)
        asker.ask_settings()
    facts = read_mysql(asker.answers).facts
    assert facts is not None
    return facts


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_a_server_tells_which_lines_were_set(build: ServerBuild, tmp_path: Path) -> None:
    option_file = tmp_path / "my.cnf"
    option_file.write_text(
        "[mysqld]\ninnodb_read_ahead_threshold = 40\ninnodb_old_blocks_time = 1000\n"
        "innodb_fast_shutdown = 2\n"
    )
    with build.start(cnf_path=option_file) as server:
        server.sql("SET GLOBAL innodb_max_dirty_pages_pct = 42")
        facts = facts_of(server)
    outcomes = judge(Case("test", Inventory("2026-01-01T00:00:00Z", mysql=facts)))

    if not any(variable.origin for variable in facts.variables.values()):
        silent = {one.rule for one in outcomes.not_judged if isinstance(one, NotJudged)}
        assert {"lines.default", "lines.harmful", "lines.unsaved"} <= silent
        return
    lines = lines_of(facts)
    set_here = {line.name: line for line in lines.written if line.name.startswith("innodb")}
    assert set(set_here) == {
        "innodb_fast_shutdown",
        "innodb_old_blocks_time",
        "innodb_read_ahead_threshold",
    }
    if any("/" in variable.origin for variable in facts.variables.values()):
        assert set_here["innodb_read_ahead_threshold"].origin == str(option_file)
    assert [line.name for line in lines.running] == ["innodb_max_dirty_pages_pct"]
    told = {one.rule: one for one in outcomes.recommendations if isinstance(one, Recommendation)}
    assert told["lines.harmful"].proposed == "without innodb_fast_shutdown"
    assert told["lines.default"].proposed == "without innodb_old_blocks_time"
    assert "innodb_max_dirty_pages_pct = 42" in told["lines.unsaved"].saw


@pytest.mark.parametrize("build", chosen(), ids=lambda build: build.name)
def test_what_was_persisted_looks_as_if_set_by_hand_until_the_next_start(
    build: ServerBuild,
) -> None:
    """So lines.unsaved may not say for sure that a restart forgets it."""
    if not build.version.at_least(Flavour.MYSQL, 8):
        pytest.skip(f"{build.version} persists nothing")
    with build.start() as server:
        server.sql("SET PERSIST innodb_flush_neighbors = 1")
        running = lines_of(facts_of(server)).running
    assert [line.name for line in running] == ["innodb_flush_neighbors"]
