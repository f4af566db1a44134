"""What the advice is known to say wrongly of whole servers: each entry has to fail, or it goes.

An entry is a test of ``test_production.py``, and the servers on which it fails. One that holds
again fails its test, so that nothing stays here unseen. What holds of every answer
(``tests/rules/invariants``) has no entries: all of it holds.
"""

from __future__ import annotations

from collections.abc import Mapping

Servers = Mapping[str, str]
"""The reason by server's name."""

SHAPE = "a pool that holds a twelfth of the data is expected to end nearly all misses"

PRODUCTION: Mapping[str, Servers] = {
    "test_what_matters_is_said_with_a_value_that_an_engineer_would_choose": {
        "zfs_large_records": SHAPE,
    },
}
