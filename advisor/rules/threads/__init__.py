"""Threads, and how many of them work at once."""
