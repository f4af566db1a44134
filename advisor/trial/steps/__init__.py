"""Changes that are made once, in a step or by a restart, and held against a forecast."""
