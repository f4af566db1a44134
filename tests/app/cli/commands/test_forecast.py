"""Forecasts on the command line: curves from files, runs and tables; what is wrong is said."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from advisor.store.store import DATABASE, Store
from tests.app.cli.forked import Done
from tests.app.cli.kept import keep
from tests.present import present

Leadline = Callable[..., Done]

THREADS = [1 << step for step in range(11)]
MEMORY = [1183, 2344, 4829, 9900, 21792, 31378, 34844, 35192, 35281, 33635, 25023]
CARD = [6069, 12620, 18976, 21127, 24377, 28941, 29230, 29457, 29645, 29587, 29470]
ON_CARD = [1119, 1913, 4574, 8992, 16424, 23142, 26383, 27910, 29065, 28157, 19063]
"""MySQL 5.1.47 on memory, a flash card, and the server on it: M. Callaghan, 2010."""


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    """The server's curve and the drive's."""
    memory, card = tmp_path / "memory.csv", tmp_path / "card.csv"
    for path, rates in ((memory, MEMORY), (card, CARD)):
        rows = (f"{threads},{rate}\n" for threads, rate in zip(THREADS, rates, strict=True))
        path.write_text("threads,rate_per_s\n" + "".join(rows))
    return str(memory), str(card)


def asked(files: tuple[str, str], *more: str) -> list[str]:
    return ["forecast", "--complement", files[0], "--drive", files[1], *more]


def test_two_files_give_a_forecast_for_programs(leadline: Leadline, files: tuple[str, str]) -> None:
    done = leadline(*asked(files, "--reads-per-query", "0.867", "--json"))
    assert done.code == 0
    content = json.loads(done.stdout)
    assert content["threads"] == THREADS
    for low, rate, high, measured in zip(
        content["low"], content["rate_per_s"], content["high"], ON_CARD, strict=True
    ):
        assert low < rate < high
        assert rate == pytest.approx(measured, rel=0.25)
    assert set(content["time"]) == {"server", "drive"}


def test_people_get_what_limits_first(leadline: Leadline, files: tuple[str, str]) -> None:
    done = leadline(*asked(files, "--reads-per-query", "0.867"))
    first = done.stdout.splitlines()[0].replace("\u202f", " ")
    assert first == (
        "The server limits from 64 connections on, at 32.3 k queries/s. "
        "Next: the drive, at 34.2 k queries/s."
    )
    assert "With 1 connection a query spends 85 % in the server" in done.stdout.replace(
        "\u202f", " "
    )


def test_what_limits_next_is_said_with_its_rate(leadline: Leadline) -> None:
    names = ("callaghan-memory-2010-5147dev", "callaghan-flash-2010")
    done = leadline(*asked(names, "--reads-per-query", "0.867"))
    assert done.stdout.splitlines()[0].replace("\u202f", " ") == (
        "The drive limits from 64 connections on, at 34.2 k queries/s. "
        "From 512 on it is the server: 13.9 k queries/s with 1024."
    )


def test_a_run_is_a_drive(leadline: Leadline, files: tuple[str, str], tmp_path: Path) -> None:
    table = tmp_path / "measured.csv"
    rows = (
        f"random_read,16384,{threads},{rate},yes\n"
        for threads, rate in zip(THREADS, CARD, strict=True)
    )
    table.write_text("probe,block_size_bytes,threads,rate_per_s,direct\n" + "".join(rows))
    assert leadline("import", str(table)).code == 0
    options = ("--reads-per-query", "0.867", "--json")
    of_file = leadline(*asked(files, *options)).stdout
    assert leadline(*asked((files[0], "1"), *options)).stdout == of_file
    assert leadline(*asked((files[0], "callaghan-flash-2010"), *options)).stdout == of_file
    assert leadline(*asked((files[0], str(table)), *options)).stdout == of_file
    of_tables = leadline(
        *asked(("callaghan-memory-2010-5147orig", "1"), "--threads", "64", *options)
    )
    assert json.loads(of_tables.stdout)["threads"] == [64]


def test_what_is_turned_turns_the_forecast(leadline: Leadline, files: tuple[str, str]) -> None:
    def rate(*more: str) -> float:
        done = leadline(
            *asked(files, "--reads-per-query", "3", "--threads", "128", "--json", *more)
        )
        return float(json.loads(done.stdout)["rate_per_s"][0])

    alone = rate()
    assert rate("--drives", "2") > 1.8 * alone
    assert rate("--background", "5000") < 0.9 * alone
    assert rate("--network", "20ms") < 0.8 * alone
    assert rate("--read-cpu", "190us", "--cores", "4") < alone
    assert rate("--read-cpu", "190us", "--cores", "64") > rate(
        "--read-cpu", "190us", "--cores", "4"
    )


def test_processor_time_stands_for_a_server_that_was_not_measured(
    leadline: Leadline, files: tuple[str, str]
) -> None:
    options = ("--reads-per-query", "1", "--cores", "2", "--read-cpu", "190us", "--json")
    done = leadline("forecast", "--query-cpu", "70us", "--drive", files[1], *options)
    content = json.loads(done.stdout)
    assert content["threads"] == THREADS
    assert content["limited_by"][-1] == "cpu"
    assert content["rate_per_s"][-1] == pytest.approx(2 / 260e-6, rel=0.001)
    for given in ((), ("--query-cpu", "70us", "--complement", files[0])):
        done = leadline("forecast", *given, "--drive", files[1], *options)
        assert done.code == 2
        assert "either --complement or --query-cpu" in done.stderr


def test_a_drive_may_tell_what_its_reads_take_of_a_processor(
    leadline: Leadline, files: tuple[str, str], tmp_path: Path
) -> None:
    """A miss has it, too, where that was measured: it is not counted twice."""
    told = tmp_path / "told.csv"
    told.write_text(
        "threads,rate_per_s,cpu_user_us_per_op,cpu_system_us_per_op\n"
        "1,6069,1,79\n8,24377,1,20\n64,29230,,\n"
    )

    def lone(drive: str, *more: str) -> float:
        options = ("--reads-per-query", "1", "--threads", "1", "--json", *more)
        return float(
            json.loads(leadline(*asked((files[0], drive), *options)).stdout)["rate_per_s"][0]
        )

    miss = ("--read-cpu", "190us", "--cores", "4")
    assert 1e6 / lone(files[1], *miss) - 1e6 / lone(str(told), *miss) == pytest.approx(80, rel=0.02)
    assert lone(str(told)) == pytest.approx(lone(files[1]))


def test_commits_wait_for_the_redo_log(
    leadline: Leadline, files: tuple[str, str], tmp_path: Path
) -> None:
    log = tmp_path / "log.csv"
    log.write_text("threads,rate_per_s\n1,500\n8,3000\n64,9000\n")
    options = ("--reads-per-query", "0.867", "--threads", "1,256", "--json", "--redo", str(log))
    found = json.loads(leadline(*asked(files, *options)).stdout)
    assert found["time"]["redo"][0] > 0.6
    assert found["limited_by"][1] == "redo"
    assert found["rate_per_s"][1] == pytest.approx(9000, rel=0.01)
    fewer = json.loads(leadline(*asked(files, *options, "--commits-per-query", "0.1")).stdout)
    assert fewer["limited_by"][1] != "redo"
    said = leadline(*asked(files, "--reads-per-query", "0", "--redo", files[0] + "x.csv"))
    assert said.code == 2
    none = leadline(*asked(files, "--reads-per-query", "0", "--redo", "callaghan-flash-2010"))
    assert "has no commits" in none.stderr


def test_a_server_that_was_measured_on_a_drive_is_forecast_on_another(
    leadline: Leadline, files: tuple[str, str], tmp_path: Path
) -> None:
    on_card, faster = tmp_path / "on_card.csv", tmp_path / "faster.csv"
    for path, rates in ((on_card, ON_CARD), (faster, [2 * rate for rate in CARD])):
        rows = (f"{threads},{rate}\n" for threads, rate in zip(THREADS, rates, strict=True))
        path.write_text("threads,rate_per_s\n" + "".join(rows))
    options = ("--reads-per-query", "0.867", "--measured-on", files[1], "--json")
    same = json.loads(leadline(*asked((str(on_card), files[1]), *options)).stdout)
    assert same["rate_per_s"] == pytest.approx(ON_CARD, rel=0.15)
    other = json.loads(leadline(*asked((str(on_card), str(faster)), *options)).stdout)
    # The server is not far behind the drive.
    assert 1.0 < other["rate_per_s"][6] / same["rate_per_s"][6] < 1.2


@pytest.mark.parametrize(
    "content, said",
    [
        ("", "is empty"),
        ("1,6069\n2,12620\n", "the header lacks threads, rate_per_s"),
        ("threads,rate_per_s\n", "has no rows"),
        ("threads,rate_per_s\n1,many\n", "Line 2, column rate_per_s: “many” is not a figure"),
        ("threads,rate_per_s\n1,0\n", "Line 2, column rate_per_s: it must be more than 0"),
        ("threads,rate_per_s\n1,nan\n", "Line 2, column rate_per_s"),
        ("threads,rate_per_s\n0,10\n", "Line 2, column threads: there is at least one"),
        ("threads,rate_per_s\n1,10\n1,11\n", "Line 3, column threads: 1 comes twice"),
        ("threads;rate_per_s\n1;10\n", "not separated by commas"),
        ("threads,tps\n1,10\n", "the header lacks rate_per_s"),
        ("threads,rate_per_s,colour\n1,10,red\n", "there is no column “colour”"),
    ],
)
def test_a_file_that_is_no_curve_is_refused_with_its_place(
    leadline: Leadline, files: tuple[str, str], tmp_path: Path, content: str, said: str
) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text(content)
    done = leadline(*asked((files[0], str(wrong)), "--reads-per-query", "1"))
    assert done.code != 0
    assert "wrong.csv" in done.stderr
    assert said in done.stderr
    assert present(done.stdout) == ""


@pytest.mark.parametrize(
    "options, said",
    [
        (("--reads-per-query", "-1"), "not a valid number of reads per query"),
        (("--reads-per-query", "nan"), "not a valid number of reads per query"),
        (("--reads-per-query", "1", "--threads", "9000"), "not a valid number of threads"),
        (("--reads-per-query", "1", "--threads", "0"), "not a valid number of threads"),
        (("--reads-per-query", "1", "--background", "-5"), "not a valid number of pages"),
        (("--reads-per-query", "1", "--commits-per-query", "nan"), "not a valid number of commits"),
        (("--reads-per-query", "1", "--read-cpu", "0us"), "takes some processor time"),
        (("--reads-per-query", "1", "--network", "far"), "not a valid time"),
    ],
)
def test_nonsense_is_refused(
    leadline: Leadline, files: tuple[str, str], options: tuple[str, ...], said: str
) -> None:
    done = leadline(*asked(files, *options))
    assert done.code == 2
    assert said in done.stderr


@pytest.mark.parametrize(
    "options, said",
    [
        (("--drives", "4"), "--set drives=N"),
        (("--drives", "1"), "--set drives=N"),
        (("--network", "5ms"), "--set network=500us"),
        (("--page-size", "4k"), "--set page_size=4k"),
        (("--reads-per-query", "2"), "--set buffer_pool=64G"),
        (("--background", "50"), "--set io_capacity=N"),
        (("--commits-per-query", "2", "--drives", "2"), "--set drives=N and --set reads=80%"),
        (("--cores", "8"), "the watch has this figure"),
    ],
)
def test_options_of_curves_are_refused_for_a_watched_server(
    leadline: Leadline, options: tuple[str, ...], said: str
) -> None:
    done = leadline("forecast", "12", *options)
    assert (done.code, done.stdout) == (2, "")
    assert said in " ".join(done.stderr.split())
    assert options[0] in done.stderr


def test_the_latest_run_that_saw_the_server_at_work_is_forecast(
    leadline: Leadline, home: Path
) -> None:
    assert leadline("import", "--sample").code == 0
    turned = ("--set", "buffer_pool=1G", "--json")
    before = leadline("forecast", "sample", *turned)
    with Store.open(home / DATABASE) as store:
        later = keep(store, "sample")
    after = leadline("forecast", "sample", *turned)
    assert (before.code, after.code) == (0, 0)
    first, second = json.loads(before.stdout), json.loads(after.stdout)
    # Its curves are a later run's, all of its load is the watch's.
    assert first["run"] == second["run"] == 1
    assert first["now"]["rate_per_s"] == second["now"]["rate_per_s"]
    counts = "Of sample run 1 counts here, which saw its server at work, with the curves of run"
    assert f"{counts} 2." in " ".join(before.stderr.split())
    assert f"{counts} {later}." in " ".join(after.stderr.split())
    assert leadline("forecast", str(later), *turned).code == 2
    under = leadline("compare", "callaghan-flash-2010", "2", "--under", "sample")
    assert (under.code, "run 1 counts here" in " ".join(under.stderr.split())) == (0, True)
    kept = leadline("forecast", "sample", "--set", "buffer_pool=1G", "--keep", "more")
    assert kept.code == 0
    with Store.open(home / DATABASE) as store:
        assert [each for each in (1, 2, later) if store.scenarios(each)] == [1]


def test_a_drive_that_nobody_knows_is_named(leadline: Leadline, files: tuple[str, str]) -> None:
    done = leadline(*asked((files[0], "nowhere.csv"), "--reads-per-query", "1"))
    assert done.code == 2
    assert "No such file" in done.stderr
    done = leadline(*asked((files[0], "callaghan-flash"), "--reads-per-query", "1"))
    assert "Is it callaghan-flash-2010" in done.stderr


def test_a_file_with_p95_tells_how_long_queries_take(
    leadline: Leadline, files: tuple[str, str], tmp_path: Path
) -> None:
    timed = tmp_path / "timed.csv"
    rows = (
        f"{threads},{rate},{1.5e6 * threads / rate}\n"
        for threads, rate in zip(THREADS, MEMORY, strict=True)
    )
    timed.write_text("threads,rate_per_s,p95_us\n" + "".join(rows))
    options = ("--reads-per-query", "0.867", "--threads", "1,64")
    for server in (str(timed), files[0]):
        content = json.loads(leadline(*asked((server, files[1]), *options, "--json")).stdout)
        said = leadline(*asked((server, files[1]), *options)).stdout
        for at in range(2):
            low, mean, high = (
                content[name][at] for name in ("latency_low_us", "latency_us", "latency_high_us")
            )
            assert low < mean < high
            if server == files[0]:
                assert content["p95_us"][at] is None
                assert "p95 is not known" in said
            else:
                assert mean < content["p95_us"][at]["value"] < 4 * mean
                assert "Of 100 queries 95 are done within" in said
