"""What another version changes, in words and as a document."""

from __future__ import annotations

import json
from dataclasses import replace

from advisor.facts.server.option_files import OptionLine
from advisor.outcomes import Judgement, NotApplicable, Recommendation, Verdict
from advisor.report.forms.text import page
from advisor.report.json.report import to_json
from advisor.report.lens_words import ADVICE, headline, sections
from advisor.report.sections.version import seen_as
from advisor.upgrade.lens import (
    AdviceChange,
    AdviceFate,
    LensReport,
    LineFate,
    Moved,
)
from advisor.variables.entry import Fate
from probes.version import ServerVersion
from tests.advisor.report import cards
from tests.advisor.report.builders import report
from tests.advisor.report.json.schema import faults

OLD, NEW = ServerVersion.parse("8.0.46"), ServerVersion.parse("8.4.8")
FINE = Recommendation(
    Verdict.FINE, "All is well.", rule="redo.size", title="The redo log's size", topic="Redo"
)
ELSEWHERE = NotApplicable("redo.size", "The redo log's size", "It is about MySQL 8.4.")
QUERY_CACHE = OptionLine("query_cache_size", "16777216", "/etc/my.cnf")
SEEN = LensReport(
    before=OLD,
    after=NEW,
    moved=(Moved("innodb_io_capacity", "200", "10000"), Moved("innodb_new", "", "ON")),
    lines=(
        LineFate(QUERY_CACHE, Fate.REFUSED, "", "MySQL 8.4 refuses to start with it.", True),
        LineFate(OptionLine("sync_binlog", "0", "PERSISTED"), Fate.TAKEN, "0", "It warns.", False),
    ),
    pinned=(
        OptionLine("innodb_io_capacity", "200", "/etc/my.cnf"),
        OptionLine("innodb_read_ahead_threshold", "40", "ELSEWHERE"),
    ),
    advice=(
        AdviceChange(AdviceFate.NEW, cards.judged().not_applicable[0], cards.card()),
        AdviceChange(AdviceFate.NEW, ELSEWHERE, FINE),
    ),
    through=(),
    warnings=("An upgrade in place goes through every series between.",),
    judgement=Judgement(),
)
SAME = LensReport(OLD, NEW, (), (), (), (), (), (), Judgement())


def flat() -> str:
    return " ".join(page(seen_as(SEEN)).split())


def test_the_headline_counts_what_matters() -> None:
    assert headline(SEEN) == (
        "As MySQL 8.4: 2 defaults move, 1 line should go, 1 rule advises otherwise."
    )
    assert headline(SAME) == "As MySQL 8.4 nothing here would change."


def test_the_gravest_is_told_first() -> None:
    text = flat()
    assert text.startswith("Seen as MySQL 8.4.8 As MySQL 8.4: 2 defaults move")
    assert "query_cache_size = 16777216 (in /etc/my.cnf) MySQL 8.4 refuses to start" in text
    assert "sync_binlog = 0 (by SET PERSIST) It warns." in text
    assert "innodb_io_capacity = 200 (in /etc/my.cnf) keeps the default of MySQL 8.0 alive" in text
    assert "innodb_io_capacity 200 → 10000" in text
    assert "innodb_new nothing → ON" in text
    assert "innodb_io_capacity New: 200 → 2000 (today: not about it)" in text
    assert text.index("Delete these lines") < text.index("Lines to look at")
    assert text.index("Defaults that move") < text.index("Advice that changes")
    assert "An upgrade in place goes through every series between." in text


def test_of_one_setting_its_name_and_today_s_value_are_said_once() -> None:
    smaller = replace(cards.card(), proposed="1000")
    watched = replace(cards.card(), verdict=Verdict.WATCH)
    turns = (
        AdviceChange(AdviceFate.OTHER, cards.card(), smaller),
        AdviceChange(AdviceFate.GONE, watched, FINE),
    )
    [(title, told)] = sections(replace(SAME, advice=turns))
    assert title == ADVICE
    assert [(each.what, each.text) for each in told] == [
        ("innodb_io_capacity", "Changes: 200 → 1000 (today: → 2000)"),
        ("The redo log's size", "Gone: fine (today: keep an eye on)"),
    ]


def test_a_rule_without_a_wish_in_either_version_is_not_told_of() -> None:
    assert "The redo log's size" not in flat()


def test_the_document_tells_all_of_it() -> None:
    content = json.loads(to_json(report(), None, SEEN))
    assert faults(content) == []
    seen = content["lens"]
    assert (seen["before"], seen["after"]) == ("MySQL 8.0.46", "MySQL 8.4.8")
    assert seen["lines"][0]["fate"] == "refused"
    assert seen["lines"][1]["becomes"] == "0"
    assert [each["turn"] for each in seen["advice"]] == ["new", "new"]
    assert seen["advice"][1]["before"]["verdict"] == "not applicable"
    assert json.loads(to_json(report()))["lens"] is None
