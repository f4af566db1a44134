"""A watch shows what it has seen while it goes on: of the server, and of what the kernel traces."""

from __future__ import annotations

from advisor.run import RunState, Voice
from advisor.runs.events import Finished, WatchGrew
from advisor.runs.requests import WatchRequest
from advisor.runs.session import watch
from advisor.store.cases import load_case
from advisor.store.store import Store
from probes.cancel import CancelToken
from probes.targets.address import MySQLAddress, TargetKind, TargetSpec
from probes.targets.silent import Silent
from tests.present import present
from tests.servers.mariadb import MariaDB


def test_what_was_seen_grows_until_the_end(store: Store, mariadb: MariaDB) -> None:
    address = MySQLAddress(socket=mariadb.socket, user="root")
    spec = TargetSpec(TargetKind.LOCAL, "live", mysql=address)
    events = list(watch(store, WatchRequest(spec, 6.0), Silent(), CancelToken()))
    grew = [event.watched for event in events if isinstance(event, WatchGrew)]
    unseen = [event.missing for event in events if isinstance(event, WatchGrew)][-1]
    seconds = [each.status.seconds for each in grew]
    assert len(grew) >= 2
    assert seconds == sorted(seconds)
    (end,) = [event for event in events if isinstance(event, Finished)]
    whole = present(end.case.inventory.watched)
    assert seconds[-1] <= whole.status.seconds
    last, over_time = present(grew[-1].over_time), present(whole.over_time)
    assert {each.of for each in last.devices} <= {each.of for each in over_time.devices}
    assert [each.of for each in last.busy] == [each.of for each in over_time.busy]
    assert bool(last.busy) == bool(present(whole.machine).devices)
    # This server times no files, and says why.
    assert "performance_schema is OFF" in {one.because.partition(",")[0] for one in unseen}
    if over_time.latencies:
        # What the kernel traced is there before the end, too.
        assert last.latencies
        assert {each.of for each in last.latencies} <= {each.of for each in over_time.latencies}


def test_a_watch_of_which_somebody_has_enough_is_kept(store: Store, mariadb: MariaDB) -> None:
    address = MySQLAddress(socket=mariadb.socket, user="root")
    request = WatchRequest(TargetSpec(TargetKind.LOCAL, "live", mysql=address), 3600.0)
    for event in watch(store, request, Silent(), CancelToken()):
        if isinstance(event, WatchGrew):
            request.enough.cancel()
    (run,) = store.runs()
    assert run.state is RunState.DONE
    whole = present(load_case(store, Voice(run.id)).inventory.watched)
    assert 1 < whole.status.seconds < 3600
