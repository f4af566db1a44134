"""Targets are saved by name, without a secret, and found again."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from tests.app.cli.forked import Done

Leadline = Callable[..., Done]


def listed(leadline: Leadline) -> dict[str, dict[str, object]]:
    return {each["name"]: each for each in json.loads(leadline("targets", "--json").stdout)}


def test_this_computer_is_always_there(leadline: Leadline) -> None:
    assert list(listed(leadline)) == ["local"]
    assert "this computer" in leadline("targets").stdout


def test_targets_are_added_listed_and_removed(leadline: Leadline) -> None:
    added = leadline(
        "targets",
        "add",
        "db7",
        "ssh://root@db7.example:2222",
        "--mysql",
        "socket=/run/mysqld/mysqld.sock",
        "--dir",
        "/srv/my data",
    )
    assert added.code == 0
    assert leadline("targets", "add", "cloud", "mysql://app@db.example:3307").code == 0
    found = listed(leadline)
    assert list(found) == ["local", "cloud", "db7"]
    assert found["db7"]["ssh"] == {
        "host": "db7.example",
        "port": 2222,
        "user": "root",
        "identity_file": "",
    }
    assert found["db7"]["mysql"]["socket"] == "/run/mysqld/mysqld.sock"  # type: ignore[index]
    assert found["db7"]["directory"] == "/srv/my data"
    assert found["cloud"]["kind"] == "mysql"
    table = leadline("targets", "list").stdout
    assert "ssh://root@db7.example:2222" in table
    assert "app@db.example:3307" in table
    assert leadline("targets", "remove", "db7").code == 0
    assert list(listed(leadline)) == ["local", "cloud"]


def test_a_saved_target_may_be_varied_under_a_new_name(leadline: Leadline) -> None:
    leadline("targets", "add", "db7", "ssh://db7.example")
    assert leadline("targets", "add", "db7-log", "db7", "--dir", "/log").code == 0
    found = listed(leadline)["db7-log"]
    assert found["directory"] == "/log"
    assert found["ssh"]["host"] == "db7.example"  # type: ignore[index]


def test_sudo_is_kept_with_the_target_and_said(leadline: Leadline) -> None:
    leadline("targets", "add", "db7", "ssh://db7.example", "--sudo")
    assert listed(leadline)["db7"]["sudo"] is True
    assert "ssh://db7.example, sudo -n" in leadline("targets").stdout
    leadline("targets", "add", "db8", "db7", "--no-sudo")
    assert listed(leadline)["db8"]["sudo"] is False
    done = leadline("watch", "mysql://db.example", "--sudo")
    assert done.code == 2
    assert "--sudo is for the server's machine" in done.stderr


@pytest.mark.parametrize("name", ["local", "", " db7", "ssh://db7"])
def test_names_that_would_mislead_are_refused(leadline: Leadline, name: str) -> None:
    done = leadline("targets", "add", name, "ssh://db7.example")
    assert done.code == 2
    assert "name" in done.stderr
    assert list(listed(leadline)) == ["local"]


@pytest.mark.parametrize("args", [("remove", "db9"), ("test", "db9"), ("add", "db1", "db9")])
def test_a_name_that_nobody_knows(leadline: Leadline, args: tuple[str, ...]) -> None:
    leadline("targets", "add", "db7", "ssh://db7.example")
    done = leadline("targets", *args)
    assert done.code == 2
    assert "db9" in done.stderr


@pytest.mark.parametrize(
    "secret", ["mysql://app:hunter2@db.example", "ssh://root:hunter2@db7.example"]
)
def test_an_address_with_a_password_is_refused_and_not_repeated(
    leadline: Leadline, secret: str
) -> None:
    done = leadline("targets", "add", "db7", secret)
    assert done.code == 2
    assert "hunter2" not in done.stdout + done.stderr
    assert list(listed(leadline)) == ["local"]


def test_a_machine_that_does_not_answer_ends_with_3(leadline: Leadline) -> None:
    done = leadline("targets", "test", "ssh://root@127.0.0.1:1")
    assert done.code == 3
    assert done.stdout == ""
    assert "127.0.0.1" in done.stderr


def test_what_is_told_of_a_machine_is_kept_with_its_target(leadline: Leadline) -> None:
    added = leadline("targets", "add", "cloud", "mysql://db.example", "--class", "db.r6g.2xlarge")
    assert added.code == 0, added.stderr
    assert listed(leadline)["cloud"]["told"] == {
        "memory_bytes": 0,
        "machine_class": "db.r6g.2xlarge",
        "volume_requests_per_s": 0,
        "volume_bytes_per_s": 0,
        "cpus": 0,
    }
    assert "not reached (64 GiB, db.r6g.2xlarge)" in " ".join(leadline("targets").stdout.split())
    # What is not said again stays.
    assert leadline("targets", "add", "more", "cloud", "--memory", "70G").code == 0
    assert listed(leadline)["more"]["told"] == {
        "memory_bytes": 70 << 30,
        "machine_class": "db.r6g.2xlarge",
        "volume_requests_per_s": 0,
        "volume_bytes_per_s": 0,
        "cpus": 0,
    }


def test_what_a_volume_was_bought_with_is_kept_with_its_target(leadline: Leadline) -> None:
    options = ("--volume-iops", "3,000", "--volume-throughput", "125 MiB/s")
    added = leadline("targets", "add", "cloud", "mysql://db.example", *options)
    assert added.code == 0, added.stderr
    shown = " ".join(leadline("targets").stdout.split())
    assert "not reached (volume of 3,000 requests/s and 125 MiB/s)" in shown
    # What is not said again stays.
    assert leadline("targets", "add", "more", "cloud", "--volume-iops", "12000").code == 0
    assert listed(leadline)["more"]["told"] == {
        "memory_bytes": 0,
        "machine_class": "",
        "volume_requests_per_s": 12_000,
        "volume_bytes_per_s": 125 << 20,
        "cpus": 0,
    }


def test_a_class_is_kept_as_its_provider_writes_it(leadline: Leadline) -> None:
    added = leadline("targets", "add", "azure", "mysql://db.example", "--class", "d4DS_v4")
    assert added.code == 0, added.stderr
    assert listed(leadline)["azure"]["told"] == {
        "memory_bytes": 0,
        "machine_class": "Standard_D4ds_v4",
        "volume_requests_per_s": 0,
        "volume_bytes_per_s": 0,
        "cpus": 0,
    }
    assert "not reached (16 GiB, Standard_D4ds_v4)" in " ".join(leadline("targets").stdout.split())


@pytest.mark.parametrize(
    ("target", "options", "said"),
    [
        ("ssh://db7", ("--memory", "64G"), "are for a server whose machine can't be reached"),
        ("mysql://db7", ("--memory", "much"), "'much' is not a valid size"),
        ("mysql://db7", ("--memory", "64"), "64 B is not the memory of a database server"),
        ("mysql://db7", ("--class", "db.z9.huge"), "does not know the class db.z9.huge. Say its"),
        (
            "mysql://db7",
            ("--class", "Standard_D4ds_v6"),
            "Do you mean Standard_D4ds_v4, Standard_D64ds_v4 or Standard_D4ads_v5? Otherwise",
        ),
        ("mysql://db7", ("--class", "a b"), "'a b' is not the name of an instance class"),
        ("ssh://db7", ("--volume-iops", "3000"), "are for a server whose machine can't be reached"),
        *(
            ("mysql://db7", (f"--volume-iops={typed}",), f"'{typed}' is not a number of requests")
            for typed in ("0", "-3000", "3k iops", "3k", "0.5")
        ),
        ("mysql://db7", ("--volume-iops", "999999999"), "No volume gives 999,999,999 requests/s"),
        *(
            ("mysql://db7", (f"--volume-throughput={typed}",), f"'{typed}' is not a valid through")
            for typed in ("125", "-125M", "fast", "125 Mbit/s")
        ),
        ("mysql://db7", ("--volume-throughput", "0M"), "0 B/s is not the throughput of a database"),
        ("mysql://db7", ("--volume-throughput", "2T"), "2 TiB/s is not the throughput"),
    ],
)
def test_what_is_told_wrongly_of_a_machine_is_refused(
    leadline: Leadline, target: str, options: tuple[str, ...], said: str
) -> None:
    done = leadline("targets", "add", "db7", target, *options)
    assert done.code == 2
    assert said in " ".join(done.stderr.split())


ADDRESSES = [
    ("root@db7:2222", "ssh", "ssh://root@db7:2222"),
    ("jdbc:mysql://db.example:3307/shop?user=app", "mysql", "app@db.example:3307"),
    ("mysql -h db.example -u app shop", "mysql", "app@db.example:3306"),
    ("/run/mysqld/mysqld.sock", "local", "/run/mysqld/mysqld.sock"),
]


@pytest.mark.parametrize(("address", "kind", "shown"), ADDRESSES)
def test_an_address_is_taken_as_somebody_has_it(
    leadline: Leadline, address: str, kind: str, shown: str
) -> None:
    assert leadline("targets", "add", "web1", address).code == 0
    assert listed(leadline)["web1"]["kind"] == kind
    assert shown in leadline("targets").stdout


@pytest.mark.parametrize(
    "address", ["jdbc:mysql://db7/shop?user=app&password=hunter2", "root:hunter2@db7"]
)
def test_an_address_with_a_password_is_refused_without_showing_it(
    leadline: Leadline, address: str
) -> None:
    refused = leadline("targets", "add", "web1", address)
    assert refused.code == 2
    assert "holds a password" in refused.stderr
    assert "hunter2" not in refused.stdout + refused.stderr
    assert list(listed(leadline)) == ["local"]
