"""Sentences of values: the only place where these become English."""
