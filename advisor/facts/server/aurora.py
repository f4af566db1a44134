"""What Aurora MySQL alone reports."""

from __future__ import annotations

from advisor.facts.fact import Fact
from advisor.facts.server.variables import SHOW_VARIABLES, switch
from advisor.variables.standing import Standing

AURORA_BUILD = Fact(
    "aurora.build",
    Standing,
    "version",
    "the version of Aurora, beside that of MySQL",
    SHOW_VARIABLES,
    switch("aurora_version"),
)
AURORA_ENHANCED_BINLOG = Fact(
    "aurora.enhanced_binlog",
    Standing,
    "switch",
    "whether Aurora writes its enhanced binary log",
    SHOW_VARIABLES,
    switch("aurora_enhanced_binlog"),
)
