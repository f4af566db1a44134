"""What Aurora's requests cost, against storage that is sold without them.

## What it checks
What the server's own page reads cost each month where Aurora's requests are paid one by one.

## Why it matters
Aurora's standard storage bills every read of a page and every write of its log: 2,000 reads/s are a
thousand dollars a month. Its I/O-Optimized storage has no such bill, and dearer storage and
instances: it is cheaper from where a quarter of the bill is I/O. A larger pool ends reads in both.

## How it is judged
- Only on Aurora, by `Innodb_pages_read`; writes of the log come on top and are not counted here.
- `cost = pages read/s x a month x $0.20 per million`, as in us-east-1 (other regions differ).
- Below $100 a month (our choice): fine. From there on: watch, with what the bill has to show. From
  $300 on (our choice) it has a line of its own, before that it is minor.

## How to check by hand
The bill's "I/O" of the cluster against all of it, over a month.

## Risk and undo
Nothing is changed. The kind of storage changes without downtime, back once in 30 days.

## When it is wrong
On I/O-Optimized storage already, which no account sees. When the status window was the busy hour:
the month costs less.

## References
- AWS, "Amazon Aurora storage": storage configurations
- AWS, Aurora pricing (2026)
"""

from __future__ import annotations

from advisor.facts.server.status import status
from advisor.facts.server.variables import MYSQL_VERSION
from advisor.rulekit import Answer, At, Facts, Inapplicable, Stakes, rule
from advisor.variables.aurora import AURORA
from probes.figures import rate

READ = status("Innodb_pages_read")
MONTH_S = 730 * 3600
DOLLARS = 0.20 / 1e6
NOTABLE, MUCH = 100.0, 300.0
"""Dollars of a month from which on it is worth a look, and a line of its own. Our choices."""
QUARTER = 4
"""I/O of a quarter of the bill is where both kinds of storage cost the same."""


@rule(
    topic="Cloud volumes",
    do="Hold the bill against storage that is sold without requests",
    needs=(MYSQL_VERSION, READ),
    findings=("F125",),
    stakes=Stakes.HOUSEKEEPING,
)
def check(facts: Facts) -> Answer:
    """Reckon a month of reads."""
    if facts.get(MYSQL_VERSION).vendor != AURORA:
        return Inapplicable("Only Aurora's storage bills requests.")
    read = facts.get(READ)
    cost = read * MONTH_S * DOLLARS
    notable = At(
        "reads' cost", cost, of=f"{rate(read)} x 730 h x $0.20 / 10⁶", least=NOTABLE, say=_dollars
    )
    card = facts.card(
        f"A month of {rate(read, 'page reads')} costs {_dollars(cost)} on Aurora's standard "
        "storage (us-east-1); writes come on top.",
        notable,
        because="The price is that of one region, of 2026, and the status window is no month.",
        valid="While the load is like that of the status window.",
    )
    if not notable:
        return card.fine("Fine as it is.")
    return card.watch(
        f"Look at the bill: below {_dollars(QUARTER * cost)} a month for instances, storage and "
        "I/O together, I/O-Optimized is cheaper.",
        saw=f"{card.says['saw']} Where that is more than a quarter of the bill, I/O-Optimized "
        "storage is cheaper.",
        stakes=Stakes.MONEY if cost >= MUCH else Stakes.HOUSEKEEPING,
        cost_of_error="Dearer storage, for a month.",
    )


def _dollars(value: float) -> str:
    return f"${value:,.0f}"
