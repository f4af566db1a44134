"""Temporary tables and the directory that they go to."""
