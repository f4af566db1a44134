"""Judging a case by ranges: its figures are drawn many times, and what then holds is said."""
