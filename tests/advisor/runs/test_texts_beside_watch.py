"""A server's texts and a watch by its account, of the same seconds: judged alike where both are."""

from __future__ import annotations

import subprocess
import time
from contextlib import closing

from advisor.case import Case
from advisor.judging.engine import judge
from advisor.outcomes import Judgement, Verdict
from probes.cancel import CancelToken
from probes.inventory.ask import ask
from probes.inventory.read import read
from probes.mysql.connection import connect
from probes.steps import result_of
from probes.targets.address import MySQLAddress
from probes.targets.local import LocalTarget
from probes.texts.collection import collect
from probes.texts.reading.pieces import ServerText
from probes.texts.typed import Typed
from tests.prompts import Unasked
from tests.servers.mariadb import BOSS, MariaDB
from tests.servers.processes import program

TEXTS = {
    "variables.txt": "SHOW GLOBAL VARIABLES",
    "origins.txt": "SELECT * FROM information_schema.SYSTEM_VARIABLES",
    "innodb.txt": "SHOW ENGINE INNODB STATUS",
    "engines.txt": "SHOW ENGINE PERFORMANCE_SCHEMA STATUS",
}


def printed(mariadb: MariaDB, sql: str) -> str:
    argv = [program("mariadb"), "--no-defaults", f"--socket={mariadb.socket}", "--skip-ssl"]
    argv += [f"--user={BOSS[0]}", f"--password={BOSS[1]}", "--table", f"--execute={sql}"]
    return subprocess.run(argv, check=True, capture_output=True, text=True).stdout


def verdicts(judgement: Judgement) -> dict[str, tuple[Verdict, str, str]]:
    return {one.rule: (one.verdict, one.setting, one.proposed) for one in judgement.recommendations}


def test_what_both_judge_is_judged_alike(mariadb: MariaDB) -> None:
    texts = [ServerText(name, printed(mariadb, sql)) for name, sql in TEXTS.items()]
    texts.append(ServerText("status1.txt", printed(mariadb, "SHOW GLOBAL STATUS")))
    address = MySQLAddress(socket=mariadb.socket, user=BOSS[0])
    with (
        closing(LocalTarget()) as target,
        connect(
            address, via=target, prompts=Unasked(), token=CancelToken(), password=BOSS[1]
        ) as session,
    ):
        raw = result_of(ask(None, session, directory="", window_s=2.0, token=CancelToken()))
    texts.append(ServerText("status2.txt", printed(mariadb, "SHOW GLOBAL STATUS")))
    collection = collect(texts, Typed(), time.time())
    assert collection.status.samples == 2
    watched = verdicts(judge(Case("db7", read(raw))))
    read_of = verdicts(judge(Case("db7", read(collection.raw))))
    both = watched.keys() & read_of.keys()
    assert len(both) > 40
    assert {rule: read_of[rule] for rule in both} == {rule: watched[rule] for rule in both}
    # What a status does not say: times of file I/O, and where clients are.
    assert len(watched.keys() - read_of.keys()) < 20
