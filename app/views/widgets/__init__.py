"""Pieces that the pages are made of; they know no page."""
