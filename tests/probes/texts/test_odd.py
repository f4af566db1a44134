"""Texts in odd states: an answer, or a sentence that says what is amiss, and never a traceback."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from probes.errors import ImportRefused, LeadlineError
from probes.inventory.read import read
from probes.texts.collection import collect
from probes.texts.reading.pieces import ServerText
from probes.texts.sent import sent_texts
from probes.texts.typed import Typed
from tests.each import of_each
from tests.probes.texts.test_forms import CASES_BY_NAME, NOW_S

VARIABLES = "innodb_buffer_pool_size\t4294967296\ninnodb_io_capacity\t200\n"

PASTED = {
    "prompts, ^C and colours": "mysql> show variables;^C\n\x1b[1mmysql>\x1b[0m \n" + VARIABLES,
    "a word processor's quotes": "\u201cinnodb_buffer_pool_size\u201d = \u201c4G\u201d\n"
    + VARIABLES,
    "nothing but a prompt": "mysql> ",
    "an error of the client": "ERROR 1045 (28000): Access denied for user 'x'@'localhost'\n",
    "one line, cut": "| innodb_buffer_pool_size | 42949672",
    "a table of something else": "+----+\n| id |\n+----+\n|  1 |\n+----+\n",
    "JSON that ends early": '{"variables": {"innodb_buffer_pool_size": "42949',
    "a number of a thousand digits": f"Questions\t{'9' * 1000}\nUptime\t{'9' * 1000}\n",
    "a status with words for numbers": "Questions\tmany\nUptime\tsince May\nInnodb_data_reads\tNaN",
    "binary letters": "".join(map(chr, range(256))) * 8,
    "only the word itself": "innodb_buffer_pool_size",
    "lines without end": "innodb_buffer_pool_size = " + "9" * 100_000,
    "deep JSON": "[" * 50_000,
    "a hundred thousand blank lines": "\n" * 100_000 + "Uptime: 5\n",
    "blanks between a name and its value": f"innodb_io_capacity{' ' * 19_000}200\n" * 20,
    "blanks within a table": f"| a{' ' * 19_000}b\n" * 20,
    "signs without end": ("=" * 19_000 + "\n") * 20 + "INNODB MONITOR OUTPUT\n",
    "scripts without end": "<table>" + "<script>" * 50_000,
    "words without end": ("Linux db7 5.15.0 #1 " + "a " * 9_000 + "\n") * 20,
    "a mail without figures": "Hi,\n\nour database is slow. Can you help?\n\nRegards\n",
}


def _answered(text: str) -> str:
    """What comes of it: the number of variables and samples, or the sentence."""
    try:
        collection = collect([ServerText("paste.txt", text)], Typed("8.0.36"), NOW_S)
    except ImportRefused as error:
        assert error.sentence.endswith(".") and error.advice
        return error.sentence
    inventory = read(collection.raw)
    assert inventory.mysql is not None
    return f"{len(inventory.mysql.variables)} variables"


@of_each(PASTED)
def test_what_is_pasted_has_an_answer_or_a_sentence(text: str) -> None:
    assert _answered(text)


@pytest.mark.parametrize("name", ["prompts, ^C and colours", "a word processor's quotes"])
def test_what_is_around_the_rows_takes_none_of_them(name: str) -> None:
    assert _answered(PASTED[name]) == "2 variables"


def test_a_text_of_nothing_is_refused_with_what_is_read() -> None:
    with pytest.raises(ImportRefused, match="says anything of a server") as refused:
        collect([ServerText("mail.txt", PASTED["a mail without figures"])], Typed(), NOW_S)
    assert "SHOW GLOBAL VARIABLES" in refused.value.advice


@of_each(CASES_BY_NAME)
def test_a_damaged_text_still_has_an_answer_or_a_sentence(case: dict[str, object]) -> None:
    """Lines that are gone, doubled or cut; letters that are another."""
    if "text" not in case:
        return
    shuffled = random.Random(str(case["name"]))
    for _ in range(6):
        lines = str(case["text"]).splitlines(keepends=True)
        for _ in range(3):
            at = shuffled.randrange(len(lines))
            match shuffled.randrange(4):
                case 0:
                    del lines[at]
                case 1:
                    lines.insert(at, lines[at])
                case 2:
                    lines[at] = lines[at][: shuffled.randrange(len(lines[at]) + 1)]
                case _:
                    cut = shuffled.randrange(len(lines[at]) + 1)
                    lines[at] = (
                        f"{lines[at][:cut]}{chr(shuffled.randrange(32, 0x2FF))}{lines[at][cut:]}"
                    )
            if not lines:
                break
        if lines:
            _answered("".join(lines))


@pytest.mark.parametrize(
    "data",
    [
        VARIABLES.encode("utf-16"),
        VARIABLES.encode("utf-16-le"),
        b"\xef\xbb\xbf" + VARIABLES.encode(),
        VARIABLES.replace("\n", "\r\n").encode(),
        VARIABLES.replace("\n", "\r").encode(),
        VARIABLES.encode() + "ge\u00e4ndert\n".encode("latin-1"),
    ],
    ids=["UTF-16", "UTF-16 without a mark", "a mark", "Windows", "old Mac", "Latin-1"],
)
def test_files_of_other_systems_are_read(data: bytes, tmp_path: Path) -> None:
    file = tmp_path / "variables.txt"
    file.write_bytes(data)
    collection = collect(sent_texts([file]).texts, Typed("8.0.36"), NOW_S)
    mysql = read(collection.raw).mysql
    assert mysql is not None
    assert mysql.value("innodb_io_capacity") == "200"


def test_two_servers_are_not_one() -> None:
    texts = [
        ServerText(f"{name}.txt", f"hostname\t{name}\nport\t3306\n") for name in ("db1", "db2")
    ]
    with pytest.raises(LeadlineError, match=r"two servers: db1 of db1\.txt, db2 of db2\.txt"):
        collect(texts, Typed("8.0.36"), NOW_S)


def test_secrets_and_statements_do_not_stay() -> None:
    texts = [
        ServerText("my.cnf", "[mysqld]\nwsrep_sst_auth = root:hunter2\nmax_connections = 5\n"),
        ServerText(
            "innodb.txt",
            "=====\n2024-01-15 10:11:12 0x7f11 INNODB MONITOR OUTPUT\n=====\n------------\n"
            "TRANSACTIONS\n------------\nUPDATE cards SET pin = 1234\n--------\nFILE I/O\n"
            "--------\nEND OF INNODB MONITOR OUTPUT\n",
        ),
    ]
    kept = " ".join(collect(texts, Typed("8.0.36"), NOW_S).raw.answers.values())
    assert "hunter2" not in kept
    assert "1234" not in kept
    assert "max_connections" in kept
