"""What rules are written with: a rule needs nothing of the kit but these names.

The engine that runs them is ``advisor.judging.engine``.
"""

from advisor.gain import Relief, Stakes, Wait
from advisor.outcomes import Knowledge
from advisor.rulekit.answers import Answer, Inapplicable, Judged, Unjudged
from advisor.rulekit.card import FINE, Card, Says
from advisor.rulekit.change import change
from advisor.rulekit.condition import AnyOf, At, Condition, Is, number, per_s
from advisor.rulekit.facts import Facts
from advisor.rulekit.host_change import by_hand, commands, queue_setting, remounted, sysctl
from advisor.rulekit.rule import Rule, rule
from advisor.rulekit.safe_end import SafeEnd
from advisor.rulekit.versions import mariadb, mysql
from advisor.steps import Change, Needs
from probes.statistics.ranges import Range

__all__ = [
    "FINE", "Answer", "AnyOf", "At", "Card", "Change", "Condition", "Facts", "Inapplicable", "Is",
    "Judged", "Knowledge", "Needs", "Range", "Relief", "Rule", "SafeEnd", "Says", "Stakes",
    "Unjudged", "Wait", "by_hand", "change", "commands", "mariadb", "mysql", "number", "per_s",
    "queue_setting", "remounted", "rule", "sysctl",
]  # fmt: skip
