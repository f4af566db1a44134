"""The rows of each table, written and read."""
