"""The page that measures: what to measure, and its curves."""
