"""Figures with their ranges: intervals, pairs, repeats and histograms."""
