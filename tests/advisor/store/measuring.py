"""A program that measures for ever: started by tests, which kill it.

Says ``started RUN`` and then ``point N`` as soon as point N is kept.
"""

from __future__ import annotations

import sys
from itertools import count

from advisor.store.store import Store
from tests.advisor.store.builders import PLAN, POINT, RAW, SAMPLES, SPEC


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


with Store.open() as store:
    run_id = store.start_run(SPEC, RAW, PLAN)
    say(f"started {run_id}")
    for number in count(1):
        store.add_point(run_id, POINT, SAMPLES * 50)
        say(f"point {number}")
        if "slowly" in sys.argv:
            sys.stdin.readline()
