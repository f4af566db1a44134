import pytest

from advisor.lab.asked import (
    AGAIN,
    MOST_VARIANTS,
    POOL,
    Asked,
    levels,
    option_line,
    varied,
)
from advisor.lab.presets import PRESETS, asked_of
from probes.errors import UsageError
from probes.lab.variant import LabLoad, LoadKind, TableEngine, Variant
from probes.version import Flavour, ServerVersion

MYSQL = ServerVersion(Flavour.MYSQL, (8, 0, 33), "8.0.33")
MARIADB = ServerVersion(Flavour.MARIADB, (10, 11, 6), "10.11.6-MariaDB")


def test_each_value_of_an_option_is_a_variant() -> None:
    found = varied(["innodb-doublewrite=ON, OFF"], (), ())
    assert found == (
        Variant("innodb_doublewrite = ON", {"innodb_doublewrite": "ON"}),
        Variant("innodb_doublewrite = OFF", {"innodb_doublewrite": "OFF"}),
    )


def test_page_sizes_engines_and_pools_are_no_lines_of_an_option_file() -> None:
    pages = varied(["innodb_page_size=4k,16k"], (), ())
    assert [(each.page_bytes, each.lines) for each in pages] == [(4096, {}), (16384, {})]
    engines = varied(["engine=innodb,MyISAM"], (), ())
    assert [each.engine for each in engines] == [TableEngine.INNODB, TableEngine.MYISAM]
    assert [each.lines for each in varied(["pool=64M,1G"], (), ())] == [
        {POOL: str(64 << 20)},
        {POOL: str(1 << 30)},
    ]


def test_several_wishes_make_every_combination() -> None:
    found = varied(["innodb_page_size=4k,16k", "innodb_doublewrite=ON,OFF"], ("/a",), ())
    assert [each.name for each in found] == [
        "innodb_page_size = 4k, innodb_doublewrite = ON, /a",
        "innodb_page_size = 4k, innodb_doublewrite = OFF, /a",
        "innodb_page_size = 16k, innodb_doublewrite = ON, /a",
        "innodb_page_size = 16k, innodb_doublewrite = OFF, /a",
    ]
    assert {each.directory for each in found} == {"/a"}
    assert found[-1].page_bytes == 16384
    assert found[-1].lines == {"innodb_doublewrite": "OFF"}


def test_directories_and_programs_are_variants_too() -> None:
    drives = varied((), ("/mnt/a", "/mnt/b"), ())
    assert [(each.name, each.directory) for each in drives] == [
        ("/mnt/a", "/mnt/a"),
        ("/mnt/b", "/mnt/b"),
    ]
    programs = varied((), (), (("/opt/a/bin/mysqld",), ("ld.so", "/opt/b/bin/mysqld")))
    assert [(each.name, each.server) for each in programs] == [
        ("/opt/a/bin/mysqld", ("/opt/a/bin/mysqld",)),
        ("/opt/b/bin/mysqld", ("ld.so", "/opt/b/bin/mysqld")),
    ]


@pytest.mark.parametrize(
    "wish",
    [
        "innodb_doublewrite",
        "innodb_doublewrite=",
        "innodb_doublewrite=ON,",
        "innodb_doublewrite=ON,ON",
        "innodb doublewrite=ON,OFF",
        "=ON,OFF",
        "innodb_page_size=5k,16k",
        "innodb_page_size=many,16k",
        "engine=InnoDB,Aria",
        "pool=64M,lots",
        "innodb_doublewrite=ON",
    ],
)
def test_a_wish_that_compares_nothing_is_refused_with_a_sentence(wish: str) -> None:
    with pytest.raises(UsageError) as refused:
        varied([wish], (), ())
    assert refused.value.sentence.endswith(".")


def test_more_variants_than_a_lab_holds_are_refused() -> None:
    values = ",".join(map(str, range(1, MOST_VARIANTS + 2)))
    with pytest.raises(UsageError, match="beside each other"):
        varied([f"innodb_io_capacity={values}"], (), ())


def test_connections_are_a_list_of_numbers() -> None:
    assert levels("1,16, 64") == (1, 16, 64)
    for wrong in ("", "0", "1,1", "many", "1,2,3,4,5,6,7", "2000"):
        with pytest.raises(UsageError):
            levels(wrong)


def test_an_option_line_has_a_name_and_a_value() -> None:
    assert option_line("innodb-io-capacity = 2000") == ("innodb_io_capacity", "2000")
    for wrong in ("innodb_io_capacity", "innodb_io_capacity=", "=1", "a b=1"):
        with pytest.raises(UsageError):
            option_line(wrong)


def test_the_base_works_twice() -> None:
    asked = Asked(varied(["innodb_doublewrite=ON,OFF"], (), ()), LabLoad(LoadKind.UPDATE))
    on, off, again = asked.entrants
    assert (on, off) == asked.variants
    assert again.name == on.name + AGAIN
    assert again.lines == on.lines


@pytest.mark.parametrize("name", PRESETS)
def test_every_question_with_a_name_can_be_asked_of_mysql(name: str) -> None:
    asked = asked_of(name, [MYSQL])
    assert 2 <= len(asked.variants) <= MOST_VARIANTS
    assert asked.load.data_bytes > asked.pool_bytes
    assert asked.preset == name


def test_what_a_server_lacks_is_not_asked_of_it() -> None:
    with pytest.raises(UsageError, match=r"MariaDB 10\.11\.6 has no option"):
        asked_of("pool-instances", [MARIADB])
    mysql_only = asked_of("flush-method", [MYSQL]).variants
    assert "O_DIRECT_NO_FSYNC" in mysql_only[-1].name
    assert len(asked_of("flush-method", [MARIADB]).variants) == 2
