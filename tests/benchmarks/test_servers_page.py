"""The page on eleven servers: each is reviewed, and nothing of the machine gets onto it."""

from __future__ import annotations

from typing import Any

from benchmarks.servers.page import REVIEW, page
from tests.servers.eleven import servers

NAMES = [build.name for build in servers()]


def advice(rule: str, saw: str, **more: Any) -> dict[str, Any]:
    said = {"setting": "", "now": "", "proposed": "", "verdict": "recommend", "steps": []}
    return said | {"rule": rule, "saw": saw} | more


def document(version: str, *outcomes: dict[str, Any]) -> dict[str, Any]:
    """As much of `leadline advise --json` as the page reads."""
    return {
        "inventory": {
            "host": {"cpu": {"threads": 2}, "memory_bytes": 4 << 30, "platform": "KVM"},
            "storage": [{"role": "data", "filesystem": "ext4"}],
            "mysql": {"version": {"name": version}},
        },
        "decided": {"judged": 7, "applicable": 9},
        "recommendations": list(outcomes),
        "not_judged": [{}],
        "not_applicable": [{}, {}],
        "change_plan": {"left_out": []},
    }


def test_every_server_is_reviewed() -> None:
    assert set(REVIEW) == {"machine", *NAMES}
    assert all(text.endswith(".") for texts in REVIEW.values() for text in texts)


def test_what_is_the_machine_s_is_told_once() -> None:
    queue = advice("block.scheduler", "Drive vda is served by bfq.", proposed="none")
    pool = advice(
        "buffer-pool.size",
        "It is small.",
        setting="innodb_buffer_pool_size",
        now="134217728",
        proposed="1073741824",
    )
    fine = advice("redo.capacity", "Never told.", verdict="fine")
    found = {"mysql-5.5.9": document("MySQL 5.5.9", queue, pool, fine)}
    found["mysql-8.0.33"] = document("MySQL 8.0.33", queue)
    text = page(found)
    assert text.count("Drive vda is served by bfq.") == 1
    assert "(2 of 2 runs)" in text
    assert "`innodb_buffer_pool_size`: 128\u202fMiB → 1\u202fGiB. It is small." in text
    row = "| MySQL 5.5.9 | 7 of 9 | 2 | 0 | 1 | 1 | 2 | `innodb_buffer_pool_size` |"
    assert row in text
    assert "Never told." not in text


def test_directories_are_not_named() -> None:
    saw = (
        "The data lies in /var/tmp/leadline-test-mysql-5.5.9-a1b2/data, sorts in /x/leadline-tmp-q."
    )
    text = page({"mysql-5.5.9": document("MySQL 5.5.9", advice("temp.shared-drive", saw))})
    assert "leadline-t" not in text
    assert "The data lies in the data directory, sorts in" in text


def test_two_servers_of_one_version_are_told_apart() -> None:
    names = ("mariadb-trixie", "mariadb-unstable")
    text = page({name: document("MariaDB 11.8.9") for name in names})
    headings = [line for line in text.splitlines() if line.startswith("## MariaDB")]
    assert headings == [
        "## MariaDB 11.8.9 (package of trixie)",
        "## MariaDB 11.8.9 (package of unstable)",
    ]
