"""Watching a server's own work without adding any: its counters, its file I/O, its machine."""
