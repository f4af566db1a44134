"""What the rules on a cluster's nodes share."""

from __future__ import annotations

from advisor.rulekit import Inapplicable

NO_NODE = Inapplicable("The server is no node of a Galera cluster.")
