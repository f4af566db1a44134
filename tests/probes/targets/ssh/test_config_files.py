"""What the SSH configuration makes of an address: who is first, and what tokens stand for."""

from __future__ import annotations

import gc
import getpass
import io
from pathlib import Path

import pytest

from probes.errors import UsageError
from probes.targets.address import SshAddress
from probes.targets.ssh.config import Hop, resolve_hop


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory with an empty SSH configuration."""
    (tmp_path / ".ssh").mkdir(mode=0o700)
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def resolved(home: Path, config: str, address: SshAddress) -> Hop:
    (home / ".ssh" / "config").write_text(config)
    return resolve_hop(address)


def test_what_the_address_names_stands_before_the_files(home: Path) -> None:
    config = "User one\nPort 1\nHost db7\n  User two\n  Port 2\n"
    hop = resolved(home, config, SshAddress("db7", 2222, "me"))
    assert (hop.user, hop.port) == ("me", 2222)
    hop = resolved(home, config, SshAddress("db7"))
    assert (hop.user, hop.port) == ("one", 1)


def test_conditions_see_the_named_user(home: Path) -> None:
    config = "Match user admin\n  HostName inner\nMatch user other\n  HostName outer\n"
    assert resolved(home, config, SshAddress("db7", None, "admin")).hostname == "inner"
    assert resolved(home, config, SshAddress("db7", None, "other")).hostname == "outer"
    assert resolved(home, "User admin\n" + config, SshAddress("db7")).hostname == "inner"
    assert resolved(home, config, SshAddress("db7", None, "third")).hostname == "db7"


# The library that runs it leaves its pipes to the collector: it is to come here, not in others.
@pytest.mark.filterwarnings("ignore:unclosed file <_io:ResourceWarning")
def test_a_condition_runs_the_user_s_own_command_with_what_was_named(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())
    seen = home / "seen"
    config = f'Match exec "echo %n %h %p %r >> {seen}"\n  Port 7\n'
    hop = resolved(home, config, SshAddress("db7", 2222, "me@corp"))
    assert set(seen.read_text().splitlines()) == {"db7 db7 2222 me@corp"}
    assert hop.port == 2222
    assert resolved(home, config, SshAddress("db7")).port == 7
    gc.collect()


def test_tokens_of_a_proxy_command(home: Path) -> None:
    config = "Host *.corp\n  HostName in-%h\nHost *\n  ProxyCommand nc %h:%p -r '%r' %n 50%% %x\n"
    hop = resolved(home, config, SshAddress("db7.corp", 2222, "me@corp.example"))
    assert hop.proxy_command == "nc in-db7.corp:2222 -r 'me@corp.example' db7.corp 50% %x"
    hop = resolved(home, config, SshAddress("fe80::1%h"))
    assert hop.proxy_command.startswith(f"nc fe80::1%h:22 -r '{getpass.getuser()}'")


def test_tokens_of_a_jump_make_no_further_jump(home: Path) -> None:
    config = "Host db7\n  ProxyJump %r@gate-%h:%p,last\n"
    hop = resolved(home, config, SshAddress("db7", 2222, "me@evil.example,x"))
    assert hop.jumps == (SshAddress("gate-db7", 2222, "me@evil.example,x"), SshAddress("last"))
    assert hop.proxy_command == ""


@pytest.mark.parametrize(
    "config",
    [
        "User a$(x)\nProxyCommand nc -r %r\n",
        "User a`x`\nProxyCommand nc -r '%r'\n",
        "User a;x\nMatch exec 'test %r'\n  Port 1\n",
        "User corp\\\nProxyCommand nc -r %r x\n",
        "User -x\nProxyCommand nc %r\n",
        "HostName a$(x)\n",
        "HostName a,github.com\n",
        "HostName -x\n",
    ],
)
def test_what_the_files_themselves_say_is_looked_at_where_a_shell_gets_it(
    home: Path, config: str
) -> None:
    with pytest.raises(UsageError, match="so it is refused") as caught:
        resolved(home, f"Host *\n{config}", SshAddress("db7"))
    assert caught.value.advice


def test_a_user_of_the_files_may_have_any_name_that_no_shell_gets(home: Path) -> None:
    hop = resolved(home, "User corp\\me$\nProxyCommand nc %h\n", SshAddress("db7"))
    assert hop.user == "corp\\me$"
    hop = resolved(home, "User corp\\me\nProxyCommand nc -r '%r' %h\n", SshAddress("db7"))
    assert hop.proxy_command == "nc -r 'corp\\me' db7"


def test_a_line_of_the_files_ends_where_openssh_ends_it(home: Path) -> None:
    hop = resolved(home, "User me\u2028ProxyCommand touch x\n", SshAddress("db7"))
    assert hop.proxy_command == ""


@pytest.mark.parametrize("port", ["0", "65536", "²", "9" * 5000, "22;x"])
def test_a_port_of_the_files_is_a_number(home: Path, port: str) -> None:
    with pytest.raises(UsageError, match="is not a valid port"):
        resolved(home, f"Port {port}\n", SshAddress("db7"))
