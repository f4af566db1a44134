"""Carrying out a run: from a request to kept points, with events on the way."""
