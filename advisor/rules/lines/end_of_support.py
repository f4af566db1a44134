"""The end of the server's support by its maker.

## What it checks
Whether the maker of the server still fixes what is found in its series.

## Why it matters
A series out of support gets no more fixes, for security neither. MySQL 5.7 had its last release,
5.7.44, in October 2023; what has been found since stays open there. An upgrade goes one series at a
time (5.7 to 8.0 to 8.4), so the longer it waits, the more of them there are.

## How it is judged
- The series' last day, by the maker's policy, is before the day on which the server was looked at:
  watch.
- Later: fine. A series that is not known here: not judged. An innovation release of MySQL ends with
  the next one, a short-term series of MariaDB with the next or, up to 11.2, after a year.

## How to check by hand
`SELECT @@version;` against the maker's policy

## Risk and undo
Nothing is changed. What an upgrade refuses or changes is listed by the rules on option files.

## When it is wrong
When a distribution or a cloud provider goes on fixing the series, as Debian does for its
releases and Amazon RDS with Extended Support.

## References
- Oracle, "Lifetime Support Policy: Oracle Technology Products", MySQL releases
- MariaDB Foundation, "Maintenance Policy"
"""

from __future__ import annotations

from advisor.facts.server.variables import MYSQL_DAY, MYSQL_VERSION
from advisor.knowledge.support_ends import ended, month_of, support_ends
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, Stakes, Unjudged, rule


@rule(
    topic="Upgrade",
    needs=(MYSQL_VERSION, MYSQL_DAY),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare the day with the series' last."""
    version, today = facts.version, facts.get(MYSQL_DAY)
    ends = support_ends(version)
    if ends is None:
        return Unjudged(f"Until when {version} is supported is not known here.")
    month = month_of(ends)
    card = facts.card(
        f"{version} is supported until {month}.",
        Is(today <= ends, "it is upgraded to a series that is supported", f"{month} is over"),
        formula=f"last day: {ends}; looked at: {today}",
        confidence=Confidence.HIGH,
        because="The maker's policy.",
        valid="For packages of the maker.",
    )
    if today <= ends:
        return card.fine()
    return card.watch(
        "Plan the upgrade: what is found in this series is no longer fixed by its maker.",
        saw=ended(str(version), ends),
        cost_of_error="A server that nobody fixes.",
    )
