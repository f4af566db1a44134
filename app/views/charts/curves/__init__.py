"""Curves with their readout, their points and the conditions of their run."""
