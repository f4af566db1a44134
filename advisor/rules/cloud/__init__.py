"""Volumes that are bought by figures: limits, credits, machines, and what it takes to use them."""
