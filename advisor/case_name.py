"""How a case file is named: apart from what reads one, which needs the rules and takes its time."""

SUFFIX = ".leadline"
"""How its name ends: that is how commands tell it from a run or a target."""
