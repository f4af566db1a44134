import pytest

from probes.inventory.facts import Role
from probes.inventory.roles import role_directories
from probes.version import ServerVersion


def roles(version: str, **variables: str) -> dict[str, str]:
    found = role_directories({"datadir": "/var/lib/mysql/"} | variables, version=parse(version))
    return {role.value: directory for role, directory in found.items()}


def parse(version: str) -> ServerVersion:
    return ServerVersion.parse(version)


def test_mysql_8_0_30_and_later_keep_redo_in_a_folder_of_its_own() -> None:
    assert roles("8.0.30", innodb_log_group_home_dir="./")["redo"] == "/var/lib/mysql/#innodb_redo"
    assert roles("9.7.4", innodb_log_group_home_dir="/redo")["redo"] == "/redo/#innodb_redo"
    assert roles("8.0.29", innodb_log_group_home_dir="./")["redo"] == "/var/lib/mysql"
    assert roles("11.4.5-MariaDB", innodb_log_group_home_dir="./")["redo"] == "/var/lib/mysql"


@pytest.mark.parametrize(
    ("version", "variables", "directory"),
    [
        ("8.0.20", {"innodb_doublewrite_dir": "/fast/dblwr"}, "/fast/dblwr"),
        ("8.0.20", {"innodb_doublewrite_dir": "dblwr"}, "/var/lib/mysql/#dblwr"),
        ("8.0.20", {"innodb_doublewrite_dir": ""}, "/var/lib/mysql"),
        ("8.0.19", {"innodb_data_home_dir": "/system"}, "/system"),
        ("10.11.6-MariaDB", {"innodb_data_file_path": "/raw/ibdata1:12M:autoextend"}, "/raw"),
        ("5.7.44", {"innodb_data_file_path": "ib/ibdata1:12M"}, "/var/lib/mysql/ib"),
    ],
)
def test_doublewrite_lies_in_its_own_files_or_in_the_system_tablespace(
    version: str, variables: dict[str, str], directory: str
) -> None:
    assert roles(version, **variables)["doublewrite"] == directory


def test_logs_that_are_not_written_have_no_directory() -> None:
    found = roles("8.0.36", log_bin="OFF", log_bin_basename="/var/lib/mysql/binlog")
    assert "binlog" not in found
    assert "relay_log" not in found


def test_logs_lie_where_their_base_names_say() -> None:
    found = roles(
        "8.0.36",
        log_bin="ON",
        log_bin_basename="/logs/bin/binlog",
        relay_log="",
        relay_log_basename="relay/host-relay-bin",
    )
    assert found["binlog"] == "/logs/bin"
    assert found["relay_log"] == "/var/lib/mysql/relay"


def test_of_several_temporary_directories_the_first_is_taken() -> None:
    assert roles("8.0.36", tmpdir="/tmp1:/tmp2")["tmp"] == "/tmp1"
    assert roles("8.0.36", tmpdir="/tmp1", innodb_tmpdir="/big")["tmp"] == "/big"


def test_an_account_that_is_told_no_datadir_gets_no_role() -> None:
    assert role_directories({"datadir": ""}, parse("8.0.36")) == {}
    assert role_directories({}, parse("8.0.36")) == {}


def test_an_unknown_server_has_but_the_plain_directories() -> None:
    assert roles("12.9.9-FooDB", innodb_log_group_home_dir="./") == {
        Role.DATA.value: "/var/lib/mysql",
        Role.REDO.value: "/var/lib/mysql",
        Role.DOUBLEWRITE.value: "/var/lib/mysql",
        Role.UNDO.value: "/var/lib/mysql",
    }
