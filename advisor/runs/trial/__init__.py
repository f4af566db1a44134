"""Carrying out a trial on a live server: from a wish to a verdict, with the way back all along."""
