"""Ends of support: a service's own days, which are never the maker's."""

from __future__ import annotations

import datetime
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from advisor.knowledge.service_ends import is_services, service_support
from advisor.knowledge.support_ends import support_ends
from advisor.variables.aurora import AURORA, RDS
from advisor.variables.managed import AZURE, CLOUD_SQL, service_named
from probes.version import ServerVersion

TABLE = tomllib.loads(
    (Path(__file__).parents[2] / "resources/cloud/support.toml").read_text(encoding="utf-8")
)["service"]
VENDORS = (RDS, AURORA, AZURE, CLOUD_SQL)


@pytest.mark.parametrize("vendor", VENDORS)
@pytest.mark.parametrize("text", ["8.0.40", "8.4.5", "9.7.0"])
def test_no_service_has_the_makers_day(vendor: str, text: str) -> None:
    version = ServerVersion.parse(text)
    assert support_ends(version) is not None
    assert is_services(replace(version, vendor=vendor))
    assert support_ends(replace(version, vendor=vendor)) is None


def test_the_table_names_services_and_days_in_order() -> None:
    assert {service["vendor"] for service in TABLE} == set(VENDORS)
    for service in TABLE:
        assert service_named(service["vendor"]) is not None
        assert service["source"] and service["url"] and service["as_of"]
        for days in service["series"].values():
            assert 1 <= len(days) <= 2
            assert sorted(map(datetime.date.fromisoformat, days)) == [
                datetime.date.fromisoformat(day) for day in days
            ]


def test_mysql_of_a_service_is_not_its_mariadb() -> None:
    mariadb = replace(ServerVersion.parse("10.6.20-MariaDB"), vendor=RDS)
    found = service_support(mariadb)
    assert found is not None and (found.ends, found.extended) == ("2026-08-31", "")
    assert service_support(replace(mariadb, vendor=AURORA)) is None
