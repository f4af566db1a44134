"""innodb_doublewrite_batch_size, a setting without effect.

## What it checks
Whether the number of pages that doublewrite copies at a time is set.

## Why it matters
The manuals say that it limits how many pages are copied in a batch. It does not: MySQL 8.0.33 and
9.7.4 copied some 1,400 pages in 12 to 14 batches with 1 as well as with 0. What limits a batch is
`innodb_doublewrite_pages`. Gains from tuning it had another cause.

## How it is judged
- 0: fine.
- anything else: watch, with little weight: the line is only misleading.
- doublewrite off: not applicable.

## How to check by hand
`SELECT @@innodb_doublewrite_batch_size;`; `Innodb_dblwr_pages_written` and `Innodb_dblwr_writes`
twice, under load, with both.

## Risk and undo
Takes a restart, and changes nothing.

## When it is wrong
In a later version that uses it: only the two above were tested.

## References
- MySQL 8.0 and 8.4 reference manuals, "Doublewrite Buffer"
- Behaviour of MySQL 8.0.33 and 9.7.4
"""

from __future__ import annotations

from advisor.rulekit import Answer, Facts, Inapplicable, Is, mysql, rule
from advisor.rules.doublewrite._switched_off import DOUBLEWRITE, switched_off


@rule(
    topic="Doublewrite",
    setting="innodb_doublewrite_batch_size",
    needs=(DOUBLEWRITE,),
    applies_to=(mysql("8.0.20"),),
    findings=("F50", "F54"),
)
def check(facts: Facts) -> Answer:
    """Find a limit that limits nothing."""
    if switched_off(facts):
        return Inapplicable("Doublewrite is off, so it writes no batches.")
    now = facts.now
    is_set = Is(now.number != 0, "it is above 0", "it is 0")
    card = facts.card(
        f"A batch holds up to innodb_doublewrite_pages; {now.name} is {now.value}.",
        is_set,
        valid="As MySQL 8.0.33 and 9.7.4 behave.",
        because="Pages and batches were counted on these two with 0 and with 1, not here.",
    )
    if not is_set:
        return card.fine()
    return card.consider(
        facts.to("0"),
        effect="It has no effect: innodb_doublewrite_pages limits a batch. Remove the line with "
        "the next restart, because it is misleading.",
        risk="None: it takes a restart.",
        cost_of_error="A restart.",
    )
