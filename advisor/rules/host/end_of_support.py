"""The end of the distribution's support by its maker.

## What it checks
Whether the maker of the operating system still fixes what is found in its release.

## Why it matters
The server's libraries (OpenSSL, the C library) and the kernel below it come from the distribution.
A release out of support gets no more fixes for them, for security neither, and its own packages of
MySQL or MariaDB stay as they are.

## How it is judged
- The release's last day is before the day on which the host was looked at: watch. The last day is
  that of the maker's regular support, without what is paid for besides: of Debian the end of its
  LTS, of Ubuntu's LTS releases the end of the five years of standard support, of SUSE the end of
  the service pack's general support.
- Later: fine. A release that is not known here: not judged.

## How to check by hand
`cat /etc/os-release` against the maker's dates

## Risk and undo
Nothing is changed. A new release is best installed on another machine, and the data moved there.

## When it is wrong
With a paid extension (Ubuntu Pro, Red Hat's ELS, SUSE's LTSS, Freexian's ELTS). In a container the
release is the image's, and the kernel is the host's.

## References
- Debian wiki, "LTS"; Canonical, "The Ubuntu lifecycle and release cadence"
- Red Hat, "Red Hat Enterprise Linux Life Cycle"; Oracle, "Oracle Open Source Support Policies"
- CentOS, Rocky Linux, AlmaLinux: the ends of their releases
- Amazon, "Amazon Linux FAQs"; SUSE, "Product Support Lifecycle"
"""

from __future__ import annotations

from advisor.facts.machine.host import HOST_DAY, HOST_DISTRIBUTION
from advisor.knowledge.distribution_ends import distribution_named
from advisor.knowledge.support_ends import ended, month_of
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Knowledge, Stakes, Unjudged, rule
from advisor.rulekit.host_change import one_line


@rule(
    topic="Upgrade",
    needs=(HOST_DISTRIBUTION, HOST_DAY),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def check(facts: Facts) -> Answer:
    """Compare the day with the release's last."""
    name, today = one_line(facts.get(HOST_DISTRIBUTION)), facts.get(HOST_DAY)
    found = distribution_named(name)
    if found is None:
        return Unjudged(f"Until when {name} is supported is not known here.")
    month = month_of(found.ends)
    card = facts.card(
        f"{found.name} is supported until {month}.",
        Is(today <= found.ends, "the host gets a supported release", f"{month} is over"),
        formula=f"last day: {found.ends}; looked at: {today}",
        confidence=Confidence.HIGH,
        because=f"{found.source}.",
        valid="Without support that is paid for besides.",
    )
    if today <= found.ends:
        return card.fine()
    return card.watch(
        "Plan a supported release: what is found in this one is no longer fixed by its maker.",
        saw=ended(found.name, found.ends),
        cost_of_error="A host that nobody fixes.",
    )
