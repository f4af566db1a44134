"""Carrying out a lab: from a question to kept turns, with events on the way."""
