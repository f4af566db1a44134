"""Readers of one text each: its lines in, pieces out. None knows of the others."""
