"""The page of one server over time."""
