"""The ends of support of the server and of the system below it.

## What it checks
Whether the makers of the server and of the operating system, or the service that runs the server,
still fix what is found in its series or release.

## Why it matters
What is out of support gets no more fixes, for security neither. MySQL 5.7 had its last release,
5.7.44, in October 2023; what has been found since stays open there. An upgrade goes one series at a
time (5.7 to 8.0 to 8.4), so the longer it waits, the more of them there are. The server's libraries
(OpenSSL, the C library) and the kernel below it come from the distribution, whose own packages of
MySQL or MariaDB stay as they are once its release has ended.

## How it is judged
- The last day, by the maker's policy, is before the day on which server or host was looked at:
  watch.
- A managed service has days of its own, by its release calendar: the end of standard support
  counts. Where Extended Support follows, which is charged, its end is named as well.
- Later: fine. A series or release that is not known here, or whose service has published no day:
  not judged.
- An innovation release of MySQL ends with the next one, a short-term series of MariaDB with the
  next or, up to 11.2, after a year.
- A distribution's last day is that of the maker's regular support, without what is paid for
  besides: of Debian the end of its LTS, of Ubuntu's LTS releases the end of the five years of
  standard support, of SUSE the end of the service pack's general support.

## How to check by hand
`SELECT @@version;` and `cat /etc/os-release` against the makers' dates; at a service its release
calendar, as `aws rds describe-db-major-engine-versions` shows it, too

## Risk and undo
Nothing is changed. What an upgrade of the server refuses or changes is listed by the rules on
option files. A new release of the system is best installed on another machine, and the data moved
there.

## When it is wrong
When a distribution goes on fixing the series, as Debian does for its releases; with a paid
extension (Ubuntu Pro, Red Hat's ELS, SUSE's LTSS, Freexian's ELTS). When a service has put its day
off since: services do. In a container the release is the image's, and the kernel is the host's.

## References
- Oracle, "Lifetime Support Policy: Oracle Technology Products", MySQL releases
- MariaDB Foundation, "Maintenance Policy"
- Amazon, "MySQL on Amazon RDS versions", "MariaDB on Amazon RDS versions" and "Release calendar for
  Aurora MySQL major versions"; "Using Amazon RDS Extended Support"
- Microsoft, "Azure Database for MySQL version support policy"; Google Cloud, "Database versions and
  version policies" and "Extended support for Cloud SQL"
- Debian wiki, "LTS"; Canonical, "The Ubuntu lifecycle and release cadence"
- Red Hat, "Red Hat Enterprise Linux Life Cycle"; Oracle, "Oracle Open Source Support Policies"
- CentOS, Rocky Linux, AlmaLinux: the ends of their releases
- Amazon, "Amazon Linux FAQs"; SUSE, "Product Support Lifecycle"
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from advisor.facts.machine.host import HOST_DAY, HOST_DISTRIBUTION
from advisor.facts.server.variables import MYSQL_DAY, MYSQL_VERSION
from advisor.knowledge.distribution_ends import distribution_named
from advisor.knowledge.service_ends import ServiceSupport, service_support
from advisor.knowledge.support_ends import ended, month_of, support_ends
from advisor.outcomes import Confidence
from advisor.rulekit import Answer, Facts, Is, Judged, Knowledge, Stakes, Unjudged, rule
from advisor.rulekit.host_change import one_line
from advisor.variables.managed import service_of


@dataclass(frozen=True, slots=True)
class _Supported:
    """What a maker or a service supports until the day ``ends``.

    ``supported`` is how it would be again; ``support`` what ends, ``goes_on`` what follows as a
    sentence after a space, "" where nothing does.
    """

    name: str
    ends: str
    source: str
    valid: str
    supported: str
    plan: str
    cost_of_error: str
    support: str = "support"
    goes_on: str = ""
    confidence: Confidence = Confidence.HIGH


@rule(
    name="host.end-of-support",
    title="The end of the distribution's support by its maker",
    topic="Upgrade",
    do="Plan the upgrade of the distribution",
    needs=(HOST_DISTRIBUTION, HOST_DAY),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def system(facts: Facts) -> Answer:
    """Compare the day on which the host was looked at with its release's last."""
    name, today = one_line(facts.get(HOST_DISTRIBUTION)), facts.get(HOST_DAY)
    found = distribution_named(name)
    if found is None:
        return _unknown(name)
    release = _Supported(
        found.name,
        found.ends,
        source=f"{found.source}.",
        valid="Without support that is paid for besides.",
        supported="the host gets a supported release",
        plan="Plan a supported release: what is found in this one is no longer fixed by its maker.",
        cost_of_error="A host that nobody fixes.",
    )
    return _judged(facts, release, today)


@rule(
    name="lines.end-of-support",
    title="The end of the server's support",
    topic="Upgrade",
    do="Plan the upgrade of the server",
    needs=(MYSQL_VERSION, MYSQL_DAY),
    stakes=Stakes.HOUSEKEEPING,
    knowledge=Knowledge.DOCUMENTED,
)
def server(facts: Facts) -> Answer:
    """Compare the day on which the server was looked at with its series' last."""
    version, today = facts.version, facts.get(MYSQL_DAY)
    service = service_of(version)
    if service is not None:
        support = service_support(version)
        if support is None:
            return Unjudged(
                f"The end of support of {version} is the service's own day, and not known here."
            )
        return _judged(facts, _at_service(str(version), service.name, support, today), today)
    ends = support_ends(version)
    if ends is None:
        return _unknown(str(version))
    series = _Supported(
        str(version),
        ends,
        source="The maker's policy.",
        valid="For packages of the maker.",
        supported=_UPGRADED,
        plan="Plan the upgrade: what is found in this series is no longer fixed by its maker.",
        cost_of_error="A server that nobody fixes.",
    )
    return _judged(facts, series, today)


_UPGRADED = "it is upgraded to a series that is supported"


def _at_service(name: str, service: str, own: ServiceSupport, today: str) -> _Supported:
    """A series at a service, whose own days count: charged support may follow the standard one."""
    series = _Supported(
        name,
        own.ends,
        source=f"{own.source}; services have put such days off.",
        valid="While the service keeps to its calendar.",
        supported=_UPGRADED,
        plan=f"Plan the upgrade: {service} no longer fixes what is found in this series.",
        cost_of_error="A server that nobody fixes, or an upgrade on a day of the service's.",
        support="standard support",
        confidence=Confidence.MEDIUM,
    )
    if not own.extended or today > own.extended:
        return series
    month = month_of(own.extended)
    return replace(
        series,
        goes_on=f" Extended Support, which is charged, follows until {month}.",
        plan=f"Plan the upgrade: until it is done, {service} charges for Extended Support, which "
        f"ends in {month}.",
        cost_of_error="Money for Extended Support.",
    )


def _unknown(name: str) -> Unjudged:
    return Unjudged(f"Until when {name} is supported is not known here.")


def _judged(facts: Facts, of: _Supported, today: str) -> Judged:
    month = month_of(of.ends)
    card = facts.card(
        f"{of.name} is supported until {month}.{of.goes_on}",
        Is(today <= of.ends, of.supported, f"{month} is over"),
        formula=f"last day: {of.ends}; looked at: {today}",
        confidence=of.confidence,
        because=of.source,
        valid=of.valid,
    )
    if today <= of.ends:
        return card.fine()
    saw = f"{ended(of.name, of.ends, of.support)}{of.goes_on}"
    return card.watch(of.plan, saw=saw, cost_of_error=of.cost_of_error)
