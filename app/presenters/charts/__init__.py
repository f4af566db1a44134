"""What charts show: axes, curves, lanes, and what is said of a point."""
