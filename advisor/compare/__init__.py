"""Drives side by side: runs, imports and published tables."""

from advisor.compare.comparison import Comparison, compare

__all__ = ["Comparison", "compare"]
