"""What a server does with its files one by one: figures, real servers, and what goes wrong."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from advisor.wording.watch.file_rows import file_rows, file_sentences, most_of_it
from probes.boundary.malformed import Malformed
from probes.errors import MySQLAccessDenied
from probes.inventory.redact import clean_answer
from probes.watch.by_file import ByFile
from probes.watch.file_roles import role_of
from probes.watch.file_series import BY_FILE, MOST_FILES, FileSeries, grown, home_of
from probes.watch.reading.by_file import read_by_file
from probes.watch.reading.whole import read_watch
from probes.watch.words import FileRole, Operation
from tests.probes.watch.reading.test_server import US, files, reads, seen
from tests.probes.watch.test_server_series import asked_as, missing, watched
from tests.servers.eleven import RunningServer, servers
from tests.servers.mysql97 import BARE, MySQL

DATA = "innodb/innodb_data_file"
NOTHING = (0,) * 8


class Server:
    """Gives the prepared rows of one look after the other; ``lost`` files it never counted."""

    def __init__(self, *looks: Mapping[str, Sequence[int]], lost: int = 0) -> None:
        self._looks, self._lost = iter(looks), lost

    def rows(self, sql: str) -> list[dict[str, object]]:
        if sql.startswith("SHOW"):
            return [
                {"Variable_name": "Performance_schema_file_instances_lost", "Value": self._lost}
            ]
        columns = sql.partition("kind, ")[2].partition(" FROM")[0].split(", ")
        return [
            {"path": path, "kind": DATA, **dict(zip(columns, figures, strict=True))}
            for path, figures in next(self._looks).items()
        ]


@contextmanager
def failing(fact: str, denied: str) -> Iterator[None]:
    yield


def looked(*looks: Mapping[str, Sequence[int]], lost: int = 0) -> dict[str, str]:
    """The answer of two looks at a server in /data."""
    session: Any = Server(*looks, lost=lost)
    series = FileSeries(session, failing, "/data", possible=True)
    for _ in looks:
        series.look()
    return series.answers


def told(*looks: Mapping[str, Sequence[int]], lost: int = 0) -> ByFile:
    found, because = read_by_file(looked(*looks, lost=lost))
    assert because == ""
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("kind", "path", "role"),
    [
        (DATA, "/data/shop/orders.ibd", FileRole.DATA),
        (DATA, "/data/undo_001", FileRole.UNDO),
        (DATA, "/data/undo003", FileRole.UNDO),
        (DATA, "/data/mine.ibu", FileRole.UNDO),
        (DATA, "/data/shop/undo_001.ibd", FileRole.DATA),
        (DATA, "/data/ibdata1", FileRole.SYSTEM),
        (DATA, "/data/ibtmp1", FileRole.TEMP),
        ("innodb/innodb_temp_file", "/data/#innodb_temp/temp_3.ibt", FileRole.TEMP),
        ("innodb/innodb_log_file", "/data/#innodb_redo/#ib_redo7", FileRole.REDO),
        ("innodb/innodb_dblwr_file", "/data/#ib_16384_0.dblwr", FileRole.DOUBLEWRITE),
        ("aria/MAD", "/tmp/#sql-temptable-1-2-3.MAD", FileRole.TEMP),
        ("sql/binlog", "/logs/bin.000007", FileRole.BINLOG),
        ("sql/pid", "/run/mysqld.pid", FileRole.OTHER),
    ],
)
def test_a_file_has_the_role_that_its_kind_and_its_name_say(
    kind: str, path: str, role: FileRole
) -> None:
    assert role_of(kind, path) is role


def test_what_has_grown_since_the_first_look_counts() -> None:
    found = told(
        {"/data/a.ibd": reads(1000, 100), "/data/b.ibd": reads(5, 100)},
        {"/data/a.ibd": reads(1010, 100), "/data/b.ibd": reads(45, 100), "/data/c.ibd": NOTHING},
    )
    assert [(found.named(each), each.reads.calls) for each in found.files] == [
        ("b.ibd", 40),
        ("a.ibd", 10),
    ]
    assert found.files[0].reads.waited_us == pytest.approx(4000)
    assert found.files[0].reads.size_bytes == 40 * 16384
    assert found.seen == 3
    assert found.seconds > 0


def test_a_truncated_table_counts_from_nothing_and_a_dropped_one_is_told_of() -> None:
    steady = {f"/data/{name}.ibd": reads(9, 1) for name in "abcd"}
    found = told(
        {**steady, "/data/truncated.ibd": reads(500, 1), "/data/dropped.ibd": reads(9, 1)},
        {**steady, "/data/truncated.ibd": reads(3, 1)},
    )
    ((name, calls),) = [(found.named(each), each.reads.calls) for each in found.files]
    assert (name, calls) == ("truncated.ibd", 3)
    assert list(file_sentences(found)) == [
        "What was done with 1 file that the server deleted meanwhile is not known."
    ]


def test_counters_that_were_reset_say_nothing() -> None:
    """Those that were used since then have more than before, others have none at all."""
    before = {f"/data/{at}.ibd": reads(9, 1) for at in range(9)}
    answers = looked(before, {"/data/0.ibd": reads(12, 1)})
    assert read_by_file(answers) == (
        None,
        "its counters by file were reset meanwhile (TRUNCATE)",
    )


def test_of_ten_thousand_files_those_that_most_was_done_with_are_kept() -> None:
    names = [f"/data/shop/t{at:05d}.ibd" for at in range(MOST_FILES - 1)]
    before = dict.fromkeys(names, reads(1, 1))
    # The larger the number, the more time; the first has taken least, and moved most.
    after = {name: reads(2 + at, 1) for at, name in enumerate(names)}
    after[names[0]] = (2, US, 1 << 40, 0, 0, 0, 0, 0)
    answers = looked(before, after)
    assert len(answers[BY_FILE]) < 64 << 10
    found, _ = read_by_file(answers)
    assert found is not None
    assert found.named(found.files[0]) == f"shop/t{MOST_FILES - 2:05d}.ibd"
    assert names[0] in {each.path for each in found.files}
    assert sum(each.files for each in found.all) == len(names)
    assert sum(each.reads.calls for each in found.all) == sum(range(1, MOST_FILES))
    assert not found.cut


def test_a_file_that_the_first_look_may_have_left_out_is_not_guessed_at() -> None:
    before = {f"/data/{at}.ibd": reads(9, 1) for at in range(MOST_FILES)}
    after = {**before, "/data/new.ibd": reads(70, 1), "/data/0.ibd": reads(10, 1)}
    keyed = [{(path, DATA): figures for path, figures in each.items()} for each in (before, after)]
    assert [path for path, _ in grown(*keyed).files] == ["/data/0.ibd"]
    found = told(before, after)
    assert found.cut
    assert "10,000" in next(file_sentences(found))


def test_files_without_a_counter_are_told_of() -> None:
    found = told({"/data/a.ibd": reads(1, 1)}, {"/data/a.ibd": reads(2, 1)}, lost=7)
    (said,) = file_sentences(found)
    assert "`performance_schema_max_file_instances`" in said


def test_the_data_directory_is_where_the_servers_own_tables_lie() -> None:
    """It may be a link, which the server resolves in the names of its files alone."""
    paths = ["/mnt/x/shop/a.ibd", "/fast/data/mysql.ibd"]
    assert home_of(paths, "/var/lib/mysql") == "/fast/data/"
    assert home_of(["/fast/data/mysql/innodb_table_stats.ibd"], "/var/lib/mysql") == "/fast/data/"
    assert home_of(["/mnt/x/shop/a.ibd"], "/var/lib/mysql/") == "/var/lib/mysql/"


def test_files_elsewhere_are_named_by_their_path_and_told_of() -> None:
    found = told(
        {"/data/a.ibd": NOTHING, "/mnt/b.ibd": NOTHING},
        {"/data/a.ibd": reads(75, 1), "/mnt/b.ibd": reads(25, 1)},
    )
    assert [found.named(each) for each in found.files] == ["a.ibd", "/mnt/b.ibd"]
    assert found.away_share(Operation.READ) == pytest.approx(0.25)
    (said,) = file_sentences(found)
    assert "25 % of the reads" in said.replace("\u202f", " ")


def test_rows_hold_the_files_that_most_time_goes_to_and_all_others_in_one() -> None:
    after = {f"/data/{at}.ibd": reads(10, 100 if at < 3 else 1) for at in range(20)}
    rows = file_rows(told(dict.fromkeys(after, NOTHING), after))
    assert [row[0] for row in rows] == ["0.ibd", "1.ibd", "2.ibd", "17 other files"]
    assert {row[1] for row in rows[:3]} == {"data"}
    assert all(row[2].endswith("/s") for row in rows)


def test_a_sentence_names_the_files_that_most_of_the_time_goes_to() -> None:
    after = {
        "/data/a.ibd": reads(60, 10),
        "/data/b.ibd": reads(35, 10),
        "/data/c.ibd": reads(5, 10),
    }
    said = most_of_it(told(dict.fromkeys(after, NOTHING), after)).replace("\u202f", " ")
    assert said == "Of the time in files most goes to a.ibd (60 %) and b.ibd (35 %)."
    assert most_of_it(told({"/data/a.ibd": NOTHING}, {"/data/a.ibd": NOTHING})) == ""


def test_a_file_whose_name_looks_like_a_secret_is_hidden_before_it_is_kept() -> None:
    path = "/data/password=hunter2/a.ibd"
    answer = looked({path: NOTHING}, {path: reads(1, 1)})[BY_FILE]
    assert "hunter2" in answer
    kept = clean_answer(BY_FILE, answer)
    assert "hunter2" not in kept
    found, _ = read_by_file({BY_FILE: kept})
    assert found is not None
    assert found.files[0].reads.calls == 1


def test_undo_and_system_tablespace_are_no_data_where_files_tell() -> None:
    kinds = files({DATA: reads(0, 0)}, {DATA: reads(100, 300)}, {DATA: reads(200, 300)})
    # Of 200 reads 40 are of undo, at 100 us; 160 of tables, at 350 us.
    by_file = looked(
        {"/data/undo_001": NOTHING, "/data/a.ibd": NOTHING},
        {"/data/undo_001": reads(40, 100), "/data/a.ibd": reads(160, 350)},
    )
    work = seen(files=kinds, by_file=by_file[BY_FILE])
    data, undo = (work.file_io(role, Operation.READ) for role in (FileRole.DATA, FileRole.UNDO))
    assert data is not None
    assert undo is not None
    assert data.calls == pytest.approx(160)
    assert undo.calls == pytest.approx(40)
    assert data.per_s.value == pytest.approx(80)
    assert undo.bytes_per_s == pytest.approx(20 * 16384)
    assert data.latency_us is not None
    assert undo.latency_us is not None
    assert data.latency_us.value == pytest.approx(350)
    assert undo.latency_us.value == pytest.approx(100)


def test_temporary_tablespaces_are_one_with_other_temporary_files() -> None:
    session = "innodb/innodb_temp_file"
    kinds = files(
        {DATA: reads(0, 0), session: reads(0, 0)}, {DATA: reads(80, 300), session: reads(20, 50)}
    )
    by_file = looked(
        {"/data/ibtmp1": NOTHING, "/data/a.ibd": NOTHING},
        {"/data/ibtmp1": reads(60, 100), "/data/a.ibd": reads(20, 900)},
    )
    work = seen(files=kinds, by_file=by_file[BY_FILE])
    temporary, data = work.files
    assert (temporary.role, data.role) == (FileRole.TEMP, FileRole.DATA)
    assert temporary.calls == pytest.approx(80)
    assert data.calls == pytest.approx(20)
    assert temporary.per_s.value == pytest.approx(80)
    assert temporary.latency_us is not None
    # 60 at 100 us, 20 at 50 us.
    assert temporary.latency_us.value == pytest.approx(87.5)


def test_all_of_it_in_undo_leaves_no_data() -> None:
    kinds = files({DATA: reads(0, 0)}, {DATA: reads(40, 300)})
    by_file = looked({"/data/undo_001": NOTHING}, {"/data/undo_001": reads(40, 300)})
    (only,) = seen(files=kinds, by_file=by_file[BY_FILE]).files
    assert (only.role, only.calls) == (FileRole.UNDO, 40)


@pytest.mark.parametrize(
    "change",
    [
        {"seconds": 0},
        {"seconds": "long"},
        {"home": 7},
        {"files": 7},
        {"files": [7]},
        {"files": [["a", DATA, 1, 2]]},
        {"files": [[1, DATA, *NOTHING]]},
        {"files": [["a", DATA, *NOTHING[1:], -1]]},
        {"files": [["a", DATA, *NOTHING, 1]]},
        {"rest": [["a", DATA, "nothing", 1, *NOTHING]]},
        {"rest": [["a", DATA, "data", 0, *NOTHING]]},
        {"seen": -1},
    ],
)
def test_what_is_no_answer_is_malformed(change: dict[str, object]) -> None:
    answer = json.loads(looked({"/data/a.ibd": NOTHING}, {"/data/a.ibd": reads(1, 1)})[BY_FILE])
    with pytest.raises(Malformed):
        read_by_file({BY_FILE: json.dumps(answer | change)})


def test_without_a_second_look_nothing_is_known() -> None:
    assert looked({"/data/a.ibd": reads(1, 1)}) == {}
    assert read_watch({}).watched is None


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[RunningServer, Path]]:
    """A server that may have tables in one more directory."""
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    build = next(each for each in servers() if each.name == "mysql-unstable")
    with build.start((f"--innodb-directories={elsewhere}",)) as server:
        yield server, elsewhere


def test_a_real_server_names_its_tables_and_those_of_another_directory(
    own: tuple[RunningServer, Path],
) -> None:
    server, elsewhere = own
    server.sql("CREATE DATABASE shop")
    server.sql("CREATE TABLE shop.near (id INT AUTO_INCREMENT PRIMARY KEY, c CHAR(200))")
    server.sql(
        "CREATE TABLE shop.far (id INT AUTO_INCREMENT PRIMARY KEY, c CHAR(200)) "
        f"DATA DIRECTORY = '{elsewhere}'"
    )
    server.sql("SET GLOBAL innodb_max_dirty_pages_pct = 0")

    def work() -> None:
        for table in ("near", "far"):
            server.sql(f"INSERT INTO shop.{table} (c) VALUES (REPEAT('x', 200))")
            server.sql(f"FLUSH TABLES shop.{table} FOR EXPORT")
            server.sql("UNLOCK TABLES")

    with asked_as("root", "", server.socket) as session:
        inventory = watched(session, work)
    assert inventory.watched is not None
    found = inventory.watched.by_file
    assert found is not None
    names = {found.named(each): each for each in found.files}
    assert names["shop/near.ibd"].writes.calls > 0
    far = names[f"{elsewhere}/shop/far.ibd"]
    assert not found.at_home(far)
    assert far.role is FileRole.DATA
    assert 0 < found.away_share(Operation.WRITE) < 1
    assert FileRole.REDO in {each.role for each in found.files}
    undo = inventory.watched.file_io(FileRole.UNDO, Operation.WRITE)
    written = found.of_data_files(Operation.WRITE, FileRole.UNDO).calls
    assert (undo is not None) == (written > 0)


def test_counters_by_file_of_a_real_server_that_are_reset_are_told_of(
    own: tuple[RunningServer, Path],
) -> None:
    server, _ = own
    counts: list[int] = []
    truncated: list[bool] = []

    def work() -> None:
        """Once the server was looked at twice: before the window, and as the first in it."""
        (row,) = server.sql("SHOW GLOBAL STATUS LIKE 'Com_show_status'")
        counts.append(int(str(row["Value"])))
        if not truncated and counts[-1] - counts[0] - len(counts) + 1 >= 2:
            server.sql("TRUNCATE performance_schema.file_summary_by_instance")
            truncated.append(True)

    with asked_as("root", "", server.socket) as session:
        inventory = watched(session, work)
    assert truncated
    assert inventory.watched is not None
    assert inventory.watched.by_file is None
    assert missing(inventory, BY_FILE) == ["its counters by file were reset meanwhile (TRUNCATE)"]


def test_an_account_that_may_not_read_it_lacks_it_once(mysql97: MySQL) -> None:
    with asked_as(*BARE, mysql97.socket) as session:
        inventory = watched(session, lambda: None, 0.3)
    assert inventory.watched is not None
    assert inventory.watched.by_file is None
    assert missing(inventory, BY_FILE) == []


def test_where_the_view_alone_is_refused_that_is_a_missing_fact() -> None:
    class Refusing(Server):
        def rows(self, sql: str) -> list[dict[str, object]]:
            raise MySQLAccessDenied("SELECT command denied", "")

    said: list[tuple[str, str]] = []

    @contextmanager
    def asking(fact: str, denied: str) -> Iterator[None]:
        try:
            yield
        except MySQLAccessDenied:
            said.append((fact, denied))

    session: Any = Refusing()
    series = FileSeries(session, asking, "/data", possible=True)
    series.look()
    series.look()
    assert said == [(BY_FILE, "the account may not read performance_schema")]
    assert series.answers == {}
