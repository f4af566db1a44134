"""A watch shows what it has seen while it goes on: of the server, and of what the kernel traces."""

from __future__ import annotations

from advisor.runs.events import Finished, WatchGrew
from advisor.runs.requests import WatchRequest
from advisor.runs.session import watch
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec
from probes.targets.silent import Silent
from tests.present import present
from tests.servers.mariadb import MariaDB


def test_what_was_seen_grows_until_the_end(store: Store, mariadb: MariaDB) -> None:
    address = MySQLAddress(socket=mariadb.socket, user="root")
    spec = TargetSpec(TargetKind.LOCAL, "live", mysql=address)
    events = list(watch(store, WatchRequest(spec, 4.0), Silent(), CancelToken()))
    grew = [event.watched for event in events if isinstance(event, WatchGrew)]
    seconds = [each.status.seconds for each in grew]
    assert len(grew) >= 2
    assert seconds == sorted(seconds)
    (end,) = [event for event in events if isinstance(event, Finished)]
    whole = present(end.case.inventory.watched)
    assert seconds[-1] <= whole.status.seconds
    last, over_time = present(grew[-1].over_time), present(whole.over_time)
    if over_time.latencies:
        # What the kernel traced is there before the end, too.
        assert last.latencies
        assert {each.of for each in last.latencies} <= {each.of for each in over_time.latencies}
